import { Effect } from "effect"
import { call } from "./Http.ts"
import { type ListUnderTest } from "./lists.ts"
import type { Tenant } from "./tenants.ts"
import { withQuery } from "./withQuery.ts"

/** Reads a page of the list, as the owner of the tenant. */
export const readList = (list: ListUnderTest, tenant: Tenant, query: Record<string, string | number> = {}) => {
  const asked = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  return Effect.flatMap(list.path(tenant), (path) =>
    call("GET", withQuery(path, String(asked)), {
      token: tenant.owner.token,
      organization: tenant.organization.id
    })
  )
}

/** Adds this number of rows to the list. */
export const addMany = (list: ListUnderTest, tenant: Tenant, count: number) =>
  Effect.forEach(Array.from({ length: count }), () => list.add(tenant), { discard: true })

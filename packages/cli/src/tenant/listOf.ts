import type { Page } from "@parley/domain"
import { Effect } from "effect"
import { Command } from "effect/cli"
import type { Failure } from "../console/Failure.ts"
import { collect, queryOf } from "../console/collect.ts"
import * as Flags from "../console/flags.ts"
import { listFlags } from "../console/listing.ts"
import { printList, type View } from "../console/print.ts"
import { inTenant } from "./inTenant.ts"
import type { Tenant } from "./Tenant.ts"

/** The command that lists what an organization has of an area. */
export const listOf = <A extends { readonly id: string }>(
  view: View<A>,
  read: (tenant: Tenant, query: ReturnType<typeof queryOf>) => Effect.Effect<Page<A>, Failure>
) =>
  Command.make(
    "list",
    { org: Flags.org, ...listFlags({}) },
    Effect.fn(function* ({ json, limit, org, quiet }) {
      yield* inTenant(
        org,
        Effect.fnUntraced(function* (tenant) {
          const { isCut, rows } = yield* collect(limit, (page) => read(tenant, queryOf(page)))
          yield* printList(view, { json, quiet }, rows, isCut)
        })
      )
    })
  ).pipe(Command.withAlias("ls"))

import { assert } from "@effect/vitest"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { assertStatus } from "../harness/answers.ts"
import { endpoints } from "../harness/contract.ts"
import { as } from "../harness/crm.ts"
import { call } from "../harness/Http.ts"
import { validRequest } from "../harness/requests.ts"
import { overHttp } from "../harness/service.ts"
import { givenTenant, type Tenant } from "../harness/tenants.ts"

/** A browser that returns from another site has no Parley token, and it can only navigate. */
const returning = endpoints.filter(({ admission, method }) => method === "GET" && admission === "public")

/** Resources that a journey over another site could add or change in an organization. */
const connections = [
  "/store_connections",
  "/chat_accounts",
  "/plugins",
  "/webhook_subscriptions",
  "/members",
  "/auth/tokens"
] as const

const snapshot = Effect.fnUntraced(function* (tenant: Tenant) {
  return yield* Effect.forEach(connections, (path) =>
    Effect.map(as(tenant)("GET", path), (answer) => {
      assertStatus(answer, 200)
      return answer.body
    })
  )
})

/** Law L6: the starter of a journey over another site completes it. */
export const journeysSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("include the callback of stores", () =>
      Effect.sync(() => {
        assert.include(
          returning.map(({ id }) => id),
          "storeCallbacks.receive"
        )
      })
    )

    it.effect.each(returning)("$id connects nothing and changes no connection", (endpoint) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { path, ...request } = yield* validRequest(endpoint, { tenant, person: tenant.owner })
        const before = yield* snapshot(tenant)
        const answer = yield* call(endpoint.method, path, request)
        assert.isBelow(answer.status, 400)
        assert.deepStrictEqual(yield* snapshot(tenant), before)
      })
    )
  })

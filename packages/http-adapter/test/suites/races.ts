import { assert } from "@effect/vitest"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { assertProblem, rowsOf, whenNotBusy } from "../harness/answers.ts"
import { call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"
import { freshId, givenInvitation, givenPerson, givenTenant } from "../harness/tenants.ts"

/** Rules under many concurrent calls, on a database with real concurrency. */
export const racesSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("200 concurrent invitations never exceed the seats of the plan", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant("growth")
        const what = { token: tenant.owner.token, organization: tenant.organization.id }
        const answers = yield* Effect.forEach(
          Array.from({ length: 200 }),
          () =>
            Effect.flatMap(freshId, (id) =>
              whenNotBusy(
                call("POST", "/api/v1/members", { ...what, body: { email: `${id}@new.test`, role: "agent" } })
              )
            ),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(
          answers.filter(({ status }) => status === 201),
          14
        )
        for (const answer of answers.filter(({ status }) => status !== 201)) {
          assertProblem(answer, 403, "plan_limit_reached")
          assert.strictEqual(answer.body.max, 15)
        }
        assert.lengthOf(rowsOf(yield* call("GET", "/api/v1/members?limit=100", what)), 15)
      })
    )

    it.effect("concurrent invitations and removals never leave more members than seats", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant("free")
        const what = { token: tenant.owner.token, organization: tenant.organization.id }
        const { member } = yield* givenInvitation(tenant.organization)
        yield* givenInvitation(tenant.organization)
        const churn = Effect.forEach(
          Array.from({ length: 60 }),
          (_, index) =>
            index === 30
              ? whenNotBusy(call("DELETE", `/api/v1/members/${member.id}`, what))
              : Effect.flatMap(freshId, (id) =>
                  whenNotBusy(
                    call("POST", "/api/v1/members", { ...what, body: { email: `${id}@new.test`, role: "agent" } })
                  )
                ),
          { concurrency: "unbounded" }
        )
        const answers = yield* churn
        assert.isAtMost(answers.filter(({ status }) => status === 201).length, 1)
        const count = rowsOf(yield* call("GET", "/api/v1/members?limit=100", what)).length
        assert.isAtMost(count, 3)
      })
    )

    it.effect("of 20 owners who leave concurrently one stays", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const others = yield* Effect.forEach(Array.from({ length: 19 }), () =>
          givenPerson(tenant.organization, "owner")
        )
        const answers = yield* Effect.forEach(
          [tenant.owner, ...others],
          ({ member, token }) =>
            whenNotBusy(
              call("DELETE", `/api/v1/members/${member.id}`, { token, organization: tenant.organization.id })
            ),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(
          answers.filter(({ status }) => status === 204),
          19
        )
        for (const answer of answers.filter(({ status }) => status !== 204)) assertProblem(answer, 409, "last_owner")
      })
    )
  })

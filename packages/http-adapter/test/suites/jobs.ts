import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { defineJob, layerJobKindsOf, runDueJobs, startJob } from "@parley/domain/platform"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer, Schema } from "effect"
import { TestClock } from "effect/testing"
import { assertProblem, assertStatus, idsOf, textAt } from "../harness/answers.ts"
import { call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"
import { freshText, givenJob, givenTenant, inside, type Tenant } from "../harness/tenants.ts"

const ours = ({ organization, owner }: Tenant) => ({ token: owner.token, organization: organization.id })

/** Work in two steps, of a kind that no other test does. */
const freshKind = Effect.map(freshText("suite"), (text) =>
  defineJob({
    name: `suite.${text.replace(/[^a-z]/gu, "_")}_${Array.from(text.replace(/\D/gu, ""), (digit) => "abcdefghij".charAt(Number(digit))).join("")}`.slice(
      0,
      64
    ),
    needs: null,
    input: Schema.Struct({ rows: Schema.Int }),
    checkpoint: Schema.Struct({ row: Schema.Int }),
    step: ({ rows }, checkpoint) => {
      const row = (checkpoint?.row ?? 0) + 1
      return Effect.succeed({
        checkpoint: { row },
        done: row === rows,
        progress: { done: row, total: rows },
        counts: { created: row },
        resultUrl: "/api/v1/organization"
      })
    }
  })
)

/** Jobs, as a client follows them. */
export const jobsSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("a job is followed from the queue to its result", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const kind = yield* freshKind
        const { id } = yield* transact(startJob(kind, { rows: 2 }, { total: 2 })).pipe(inside(tenant.organization))
        const path = `/api/v1/jobs/${id}`
        const queued = yield* call("GET", path, ours(tenant))
        assertStatus(queued, 200)
        assert.deepStrictEqual(queued.body, {
          id,
          kind: kind.name,
          state: "queued",
          progress: { done: 0, total: 2 },
          counts: {},
          error: null,
          errorCode: null,
          resultUrl: null,
          cancelRequested: false,
          createdBy: { kind: "operator", id: "test" },
          createdAt: textAt(queued, "createdAt"),
          startedAt: null,
          finishedAt: null,
          updatedAt: textAt(queued, "createdAt")
        })
        yield* TestClock.adjust("1 second")
        yield* Effect.provide(runDueJobs, layerJobKindsOf([kind]))
        const done = yield* call("GET", path, ours(tenant))
        assert.deepStrictEqual(done.body, {
          ...queued.body,
          state: "succeeded",
          progress: { done: 2, total: 2 },
          counts: { created: 2 },
          resultUrl: "/api/v1/organization",
          startedAt: textAt(done, "finishedAt"),
          finishedAt: textAt(done, "finishedAt"),
          updatedAt: textAt(done, "finishedAt")
        })
        assert.isAbove(textAt(done, "finishedAt").localeCompare(textAt(done, "createdAt")), 0)
      })
    )

    it.effect("a queued job is cancelled directly and stays cancelled", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { id } = yield* givenJob(tenant.organization)
        const first = yield* call("POST", `/api/v1/jobs/${id}/cancel`, ours(tenant))
        assertStatus(first, 200)
        assert.deepStrictEqual([first.body.state, first.body.cancelRequested], ["cancelled", true])
        yield* TestClock.adjust("1 second")
        const again = yield* call("POST", `/api/v1/jobs/${id}/cancel`, ours(tenant))
        assert.deepStrictEqual([again.status, again.body], [200, first.body])
      })
    )

    it.effect("are listed by state and kind, newest first", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const [one, two, three] = [
          yield* givenJob(tenant.organization),
          yield* givenJob(tenant.organization),
          yield* givenJob(tenant.organization)
        ]
        yield* call("POST", `/api/v1/jobs/${two.id}/cancel`, ours(tenant))
        const list = (query: string) => Effect.map(call("GET", `/api/v1/jobs${query}`, ours(tenant)), idsOf)
        assert.deepStrictEqual(yield* list(""), [three.id, two.id, one.id])
        assert.deepStrictEqual(yield* list("?state=queued"), [three.id, one.id])
        assert.deepStrictEqual(yield* list("?state=cancelled&kind=test.left_alone"), [two.id])
        assert.deepStrictEqual(yield* list("?kind=test.another"), [])
        for (const query of ["?state=lost", "?kind=no%20kind"]) {
          assertProblem(yield* call("GET", `/api/v1/jobs${query}`, ours(tenant)), 400, "validation_failed")
        }
      })
    )
  })

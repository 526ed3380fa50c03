import { assert } from "@effect/vitest"
import type { Ports } from "@parley/domain/composition"
import { givenActiveWorkflow, givenWorkflowRun } from "@parley/testkit"
import { Effect, type Layer } from "effect"
import { assertProblem, assertStatus, pointersOf, rowsOf, textAt } from "../harness/answers.ts"
import { call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"
import { givenTenant, type Tenant } from "../harness/tenants.ts"

const ours = ({ organization, owner }: Tenant) => ({ token: owner.token, organization: organization.id })

const graph = {
  entry: { event: { event: "message.received" }, next: "n1" },
  nodes: [
    { id: "n1", kind: "action", action: { type: "set_priority", priority: "high" }, next: "e" },
    { id: "e", kind: "end" }
  ]
}

const faulty = {
  entry: { event: { event: "contact.created" }, next: "n1" },
  nodes: [
    { id: "n1", kind: "action", action: { type: "add_note", text: "{{ order.total }}" }, next: "gone" },
    {
      id: "b",
      kind: "branch",
      branches: [{ if: { field: "message.text", op: "is", value: "x" }, next: "e" }],
      else: "e"
    },
    { id: "e", kind: "end" }
  ]
}

/** Workflows, from a draft to the archive. */
export const workflowsSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("a workflow is drafted, published, paused, resumed, archived and deleted", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant("scale")
        const send = (method: "POST" | "PATCH" | "DELETE", path: string, body?: unknown, ifMatch?: string) =>
          call(method, path, {
            ...ours(tenant),
            ...(body === undefined ? {} : { body }),
            ...(ifMatch === undefined ? {} : { headers: { "if-match": ifMatch } })
          })
        const created = yield* send("POST", "/api/v1/workflows", { name: "Cart", graph })
        assertStatus(created, 201)
        const path = `/api/v1/workflows/${textAt(created, "id")}`
        assertProblem(yield* send("POST", `${path}/pause`), 409, "workflow_transition_invalid")

        const published = yield* send("POST", `${path}/publish`, undefined, "1")
        assertStatus(published, 200)
        assert.deepStrictEqual(published.body, {
          ...created.body,
          status: "active",
          publishedVersion: 1,
          updatedAt: textAt(published, "updatedAt"),
          version: 2
        })
        assertProblem(yield* send("POST", `${path}/pause`, undefined, "1"), 412, "version_conflict")
        assertProblem(yield* send("DELETE", path), 409, "workflow_in_use")

        for (const [move, status] of [
          ["pause", "paused"],
          ["publish", "paused"],
          ["resume", "active"]
        ] as const) {
          const moved = yield* send("POST", `${path}/${move}`)
          assertStatus(moved, 200)
          assert.strictEqual(textAt(moved, "status"), status)
        }
        const versions = yield* call("GET", `${path}/versions`, ours(tenant))
        assert.lengthOf(rowsOf(versions), 2)
        assert.match(versions.text, /"number":2.*"number":1/su)
        assertProblem(yield* send("POST", `${path}/archive`, { runs: "stop" }), 400, "validation_failed")
        const archived = yield* send("POST", `${path}/archive`, { runs: "exit" })
        assertStatus(archived, 200)
        assert.strictEqual(textAt(archived, "status"), "archived")
        assertProblem(yield* send("POST", `${path}/publish`), 409, "workflow_transition_invalid")
        assertStatus(yield* send("DELETE", path), 204)
      })
    )

    it.effect("continues a waiting run once, and cancels it", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant("scale")
        const { id } = yield* givenActiveWorkflow(tenant.organization)
        const run = yield* givenWorkflowRun(tenant.organization, id)
        const path = `/api/v1/workflows/${id}/runs/${run.id}`
        const send = (verb: "continue" | "cancel", body?: object) =>
          call("POST", `${path}/${verb}`, { ...ours(tenant), ...(body && { body }) })
        const unfit = yield* send("continue", { as: "never" })
        assertProblem(unfit, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(unfit), ["/as"])
        assert.deepStrictEqual(pointersOf(yield* send("continue", { as: "event" })), ["/as"])
        const continued = yield* send("continue", {})
        assertStatus(continued, 200)
        assert.deepStrictEqual([continued.body.state, continued.body.wakeAt], ["running", null])
        assert.deepStrictEqual((yield* call("GET", path, ours(tenant))).body, continued.body)
        assertProblem(yield* send("continue", {}), 409, "run_not_waiting")
        assertStatus(yield* send("cancel"), 200)
        assertProblem(yield* send("continue", {}), 409, "run_ended")
      })
    )

    it.effect("re-runs cancelled runs in a job, and counts them before", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant("scale")
        const { id } = yield* givenActiveWorkflow(tenant.organization)
        const run = yield* givenWorkflowRun(tenant.organization, id)
        assertStatus(yield* call("POST", `/api/v1/workflows/${id}/runs/${run.id}/cancel`, ours(tenant)), 200)
        const rerun = (body: object) => call("POST", `/api/v1/workflows/${id}/runs/rerun`, { ...ours(tenant), body })
        const counted = yield* rerun({ filter: { state: "cancelled" }, preview: true })
        assert.deepStrictEqual([counted.status, counted.body], [200, { count: 1 }])
        assert.deepStrictEqual((yield* rerun({ filter: {}, preview: true })).body, { count: 0 })
        assert.deepStrictEqual(pointersOf(yield* rerun({ filter: { state: "completed" } })), ["/filter/state"])
        const reversed = { createdFrom: "2026-11-21T09:00:00Z", createdTo: "2026-11-20T09:00:00Z" }
        for (const wrong of [reversed, { createdFrom: reversed.createdTo, createdTo: reversed.createdTo }]) {
          assert.deepStrictEqual(pointersOf(yield* rerun({ filter: wrong, preview: true })), ["/filter/createdFrom"])
        }
        const started = yield* rerun({ filter: { state: "cancelled" } })
        assertStatus(started, 202)
        assert.strictEqual(started.body.kind, "workflows.rerun_runs")
        assertStatus(yield* call("POST", `/api/v1/workflows/${id}/pause`, ours(tenant)), 200)
        assertProblem(yield* rerun({ filter: {} }), 409, "workflow_not_active")
      })
    )

    it.effect("publishing reports every error of the draft like validation, and an unknown event is an error", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant("scale")
        const body = { name: "Cart", graph: faulty }
        const created = yield* call("POST", "/api/v1/workflows", { ...ours(tenant), body })
        const path = `/api/v1/workflows/${textAt(created, "id")}`
        const expected = ["/graph/nodes/0/action/text", "/graph/nodes/0/next", "/graph/nodes/1", "/graph/nodes/2"]
        const refused = yield* call("POST", `${path}/publish`, ours(tenant))
        assertProblem(refused, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(refused).toSorted(), expected)
        const validated = yield* call("POST", `${path}/validate`, ours(tenant))
        assert.include(JSON.stringify(validated.body), '"/graph/nodes/0/next"')
        const unknown = { ...graph, entry: { event: { event: "weather.changed" }, next: "n1" } }
        assertProblem(
          yield* call("PATCH", path, { ...ours(tenant), body: { graph: unknown } }),
          400,
          "validation_failed"
        )
      })
    )
  })

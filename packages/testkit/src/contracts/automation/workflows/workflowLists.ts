import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import {
  allWorkflows,
  type Graph,
  type Workflow,
  type WorkflowId,
  Workflows,
  workflowCursorKey,
  type WorkflowQuery,
  type WorkflowStatus,
  WorkflowVersion
} from "@parley/domain/automation"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { givenOrganization, inside } from "../../given.ts"
import { nodeId, graph, newWorkflow, newVersion, insert, save, remove, publish } from "./givenWorkflows.ts"

export const workflowLists: StorageContract = {
  port: "Workflows (lists)",
  promises: (it) => {
    it.effect("returns the latest versions of active and paused workflows", () =>
      Effect.gen(function* () {
        const workflows = yield* Workflows
        const names = Effect.map(workflows.inForce(), (all) => all.map(({ graph, id }) => [id, graph.nodes.length]))
        const given = Effect.fnUntraced(function* (status: WorkflowStatus) {
          const workflow = yield* insert(newWorkflow({ status, publishedVersion: status === "draft" ? null : 2 }))
          yield* publish(workflow.id, 1)
          if (status === "draft") return workflow.id
          const { publishedAt } = newVersion(2)
          const version = new WorkflowVersion({ number: 2, graph: { nodes: [] }, publishedAt })
          yield* transact(workflows.publish(workflow.id, version))
          return workflow.id
        })
        yield* Effect.gen(function* () {
          yield* given("draft")
          const [active, paused] = [yield* given("active"), yield* given("paused")]
          yield* given("archived")
          assert.deepStrictEqual(
            yield* names,
            [active, paused].toSorted().map((id) => [id, 0])
          )
        }).pipe(inside(yield* givenOrganization()))
        assert.deepStrictEqual(yield* names.pipe(inside(yield* givenOrganization())), [])
      })
    )

    it.effect("returns active workflows that start on an event by their last published version, with its time", () =>
      Effect.gen(function* () {
        const workflows = yield* Workflows
        const begin = Effect.fnUntraced(function* (input: Partial<Workflow>, ...published: ReadonlyArray<Graph>) {
          const workflow = yield* insert(newWorkflow({ publishedVersion: published.length, ...input }))
          const { publishedAt } = newVersion(1)
          for (const [index, drawn] of published.entries()) {
            const version = new WorkflowVersion({ number: index + 1, graph: drawn, publishedAt })
            yield* transact(workflows.publish(workflow.id, version))
          }
          return workflow.id
        })
        const onIdle: Graph = {
          ...graph,
          entry: { event: { event: "conversation.idle", seconds: 60 }, next: nodeId("n1") }
        }
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        yield* Effect.gen(function* () {
          const [kept, changed] = [
            yield* begin({ status: "active" }, graph),
            yield* begin({ status: "active" }, graph, onIdle)
          ]
          for (const status of ["draft", "paused", "archived"] as const) yield* begin({ status }, graph)
          yield* transact(workflows.beginAfter(kept, 47))
          const names = Effect.forEach(["cart.abandoned", "conversation.idle", "order.paid"] as const, (event) =>
            workflows.beginningOn(event)
          )
          assert.deepStrictEqual(yield* names, [
            [{ id: kept, number: 1, graph, activeAfter: 47 }],
            [{ id: changed, number: 2, graph: onIdle, activeAfter: 0 }],
            []
          ])
          yield* transact(workflows.beginAfter(kept, 48)).pipe(inside(other))
          assert.strictEqual((yield* workflows.beginningOn("cart.abandoned"))[0]?.activeAfter, 47)
        }).pipe(inside(one))
        assert.deepStrictEqual(yield* workflows.beginningOn("cart.abandoned").pipe(inside(other)), [])
      })
    )

    it.effect("lists workflows by name, status and start event, in the requested order, page after page", () =>
      Effect.gen(function* () {
        const workflows = yield* Workflows
        yield* Effect.gen(function* () {
          const updated = (minute: number) => DateTime.makeUnsafe(`2026-01-02T03:0${minute}:05.678Z`)
          const given = (name: string, minute: number, overrides: Partial<Workflow> = {}) =>
            insert(newWorkflow({ name, updatedAt: updated(minute), ...overrides }))
          const [b, a, c] = [
            (yield* given("Ébène", 1, { status: "active", publishedVersion: 1 })).id,
            (yield* given("amber 100 %", 3, { graph: { nodes: [] } })).id,
            (yield* given("Coral", 2)).id
          ]
          const list = Effect.fnUntraced(function* (request: Partial<WorkflowQuery>) {
            const query = { ...allWorkflows, ...request }
            const ids: Array<WorkflowId> = []
            let after: ReadonlyArray<string> | null = null
            do {
              const [row]: ReadonlyArray<Workflow> = yield* workflows.list(query, { limit: 1, after })
              if (row !== undefined) ids.push(row.id)
              after = row === undefined ? null : workflowCursorKey(query.sort, row)
            } while (after !== null)
            return ids
          })
          assert.deepStrictEqual(yield* list({ sort: "createdAt" }), [b, a, c])
          assert.deepStrictEqual(yield* list({ sort: "name" }), [a, c, b])
          assert.deepStrictEqual(yield* list({ sort: "-name" }), [b, c, a])
          assert.deepStrictEqual(yield* list({ sort: "updatedAt" }), [b, c, a])
          assert.deepStrictEqual(yield* list({ sort: "-updatedAt" }), [a, c, b])
          assert.deepStrictEqual(yield* list({ q: "EBEN" }), [b])
          assert.deepStrictEqual(yield* list({ q: "%" }), [a])
          assert.deepStrictEqual(yield* list({ status: "active" }), [b])
          assert.deepStrictEqual(yield* list({ event: "cart.abandoned" }), [c, b])
          assert.deepStrictEqual(yield* list({ event: "order.paid" }), [])
          yield* save(newWorkflow({ id: c, name: "Azure", graph: { nodes: [] } }), null)
          assert.deepStrictEqual(yield* list({ event: "cart.abandoned" }), [b])
          assert.deepStrictEqual(yield* list({ q: "azure" }), [c])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("lists workflows newest first, page by page, while others are added and removed", () =>
      Effect.gen(function* () {
        const workflows = yield* Workflows
        yield* Effect.gen(function* () {
          const page = (after: WorkflowId | null) =>
            Effect.map(workflows.list(allWorkflows, { limit: 2, after: after === null ? null : [after] }), (page) =>
              page.map(({ id }) => id)
            )
          const [first, second, third, fourth] = [
            (yield* insert()).id,
            (yield* insert()).id,
            (yield* insert()).id,
            (yield* insert()).id
          ]
          assert.deepStrictEqual(yield* page(null), [fourth, third])
          yield* insert()
          yield* remove(third, null)
          assert.deepStrictEqual(yield* page(third), [second, first])
          assert.deepStrictEqual(yield* page(first), [])
        }).pipe(inside(yield* givenOrganization()))
      })
    )
  }
}

/** Checks an adapter against the contract of lists of workflows. */
export const workflowListsContract = runContract(workflowLists)

import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import {
  allWorkflows,
  type Graph,
  NodeId,
  Workflow,
  WorkflowId,
  Workflows,
  workflowCursorKey,
  type WorkflowQuery,
  type WorkflowStatus,
  WorkflowVersion
} from "@parley/domain/automation"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { freshId, givenOrganization, inside, plain } from "../../given.ts"

const node = (id: string) => NodeId.make(id)

const graph: Graph = {
  entry: {
    event: { event: "cart.abandoned", seconds: 3_600 },
    if: { field: "tag", op: "any_of", value: ["“vip” \\ 100 % _ 🎉"] },
    by: "cart",
    reentry: { afterSeconds: 604_800 },
    next: node("n1")
  },
  goals: [{ id: node("g"), event: { event: "order.created" }, exit: true }],
  exits: [],
  nodes: [
    { id: node("n1"), kind: "wait", seconds: 60, next: node("e") },
    { id: node("e"), kind: "end" }
  ]
}

const newWorkflow = (overrides: Partial<Workflow> = {}) =>
  new Workflow({
    id: freshId(WorkflowId),
    name: "Cart “left” \\ 100 % _ 🎉",
    status: "draft",
    publishedVersion: null,
    graph,
    createdAt: DateTime.makeUnsafe("2026-01-02T03:04:05.678Z"),
    updatedAt: DateTime.makeUnsafe("2026-01-02T03:04:05.679Z"),
    version: 1,
    ...overrides
  })

const newVersion = (number: number) =>
  new WorkflowVersion({ number, graph, publishedAt: DateTime.makeUnsafe("2026-01-03T03:04:05.678Z") })

const insert = Effect.fnUntraced(function* (workflow = newWorkflow()) {
  yield* transact((yield* Workflows).insert(workflow))
  return workflow
})

const save = (workflow: Workflow, expected: number | null) =>
  Effect.flatMap(Workflows, (workflows) => transact(workflows.save(workflow, expected)))

const remove = (id: WorkflowId, expected: number | null) =>
  Effect.flatMap(Workflows, (workflows) => transact(workflows.remove(id, expected)))

const publish = (id: WorkflowId, number: number) =>
  Effect.flatMap(Workflows, (workflows) => transact(workflows.publish(id, newVersion(number))))

export const workflows: StorageContract = {
  port: "Workflows",
  promises: (it) => {
    it.effect("keeps one tenant's workflows and their versions out of another's sight", () =>
      Effect.gen(function* () {
        const workflows = yield* Workflows
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const workflow = yield* insert().pipe(inside(one))
        yield* publish(workflow.id, 1).pipe(inside(one))
        yield* Effect.gen(function* () {
          const { id } = workflow
          assert.strictEqual((yield* Effect.flip(workflows.get(id)))._tag, "NotFound")
          assert.strictEqual((yield* Effect.flip(workflows.version(id, 1)))._tag, "NotFound")
          assert.lengthOf(yield* workflows.list(allWorkflows, { limit: 100, after: null }), 0)
          assert.lengthOf(yield* workflows.versions(id, { limit: 100, after: null }), 0)
          assert.strictEqual(yield* workflows.count(), 0)
          for (const expected of [1, 2, null]) {
            assert.strictEqual((yield* Effect.flip(save(workflow, expected)))._tag, "NotFound")
            assert.strictEqual((yield* Effect.flip(remove(id, expected)))._tag, "NotFound")
          }
        }).pipe(inside(other))
        yield* Effect.gen(function* () {
          assert.deepStrictEqual(plain.workflow(yield* workflows.get(workflow.id)), plain.workflow(workflow))
          assert.strictEqual(yield* workflows.count(), 1)
        }).pipe(inside(one))
      })
    )

    it.effect("a failed unit of work leaves nothing", () =>
      Effect.gen(function* () {
        const workflows = yield* Workflows
        yield* Effect.gen(function* () {
          const [kept, saved] = [yield* insert(), yield* insert()]
          yield* insert().pipe(
            Effect.andThen(save(new Workflow({ ...saved, name: "Renamed" }), 1)),
            Effect.andThen(publish(saved.id, 1)),
            Effect.andThen(remove(kept.id, null)),
            Effect.andThen(Effect.fail("refused")),
            transact,
            Effect.flip
          )
          const left = yield* workflows.list(allWorkflows, { limit: 100, after: null })
          assert.deepStrictEqual(left.map(plain.workflow), [saved, kept].map(plain.workflow))
          assert.lengthOf(yield* workflows.versions(saved.id, { limit: 100, after: null }), 0)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("stores what changed, and raises the version by one", () =>
      Effect.gen(function* () {
        const workflows = yield* Workflows
        yield* Effect.gen(function* () {
          const workflow = yield* insert()
          const changed = new Workflow({
            ...workflow,
            name: "Farewell",
            status: "active",
            publishedVersion: 1,
            graph: { nodes: [] },
            updatedAt: DateTime.makeUnsafe("2026-02-03T04:05:06.007Z")
          })
          const expected = { ...plain.workflow(changed), version: 2 }
          assert.deepStrictEqual(plain.workflow(yield* save(changed, 1)), expected)
          assert.deepStrictEqual(plain.workflow(yield* workflows.get(workflow.id)), expected)
          assert.strictEqual((yield* save(changed, null)).version, 3)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("refuses an outdated version and an unknown id", () =>
      Effect.gen(function* () {
        const workflows = yield* Workflows
        yield* Effect.gen(function* () {
          const workflow = yield* insert()
          yield* save(workflow, 1)
          for (const expected of [1, 3]) {
            for (const refused of [save(workflow, expected), remove(workflow.id, expected)]) {
              const error = yield* Effect.flip(refused)
              assert.strictEqual(error._tag === "VersionConflict" ? error.current : error._tag, 2)
            }
          }
          assert.strictEqual((yield* Effect.flip(save(newWorkflow(), null)))._tag, "NotFound")
          assert.strictEqual((yield* Effect.flip(remove(freshId(WorkflowId), null)))._tag, "NotFound")
          assert.strictEqual((yield* workflows.get(workflow.id)).version, 2)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("of many concurrent saves with one expected version one succeeds", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          const workflow = yield* insert()
          const exits = yield* Effect.replicateEffect(Effect.exit(save(workflow, 1)), 10, {
            concurrency: "unbounded"
          })
          assert.strictEqual(exits.filter(({ _tag }) => _tag === "Success").length, 1)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("keeps published versions, newest first, until the workflow is removed", () =>
      Effect.gen(function* () {
        const workflows = yield* Workflows
        yield* Effect.gen(function* () {
          const [{ id }, other] = [yield* insert(), yield* insert()]
          yield* publish(other.id, 1)
          for (const number of [1, 2, 3]) yield* publish(id, number)
          const numbers = (after: string | null) =>
            Effect.map(workflows.versions(id, { limit: 2, after: after === null ? null : [after] }), (page) =>
              page.map(({ number }) => number)
            )
          assert.deepStrictEqual(yield* numbers(null), [3, 2])
          assert.deepStrictEqual(yield* numbers("2"), [1])
          assert.deepStrictEqual(
            plain.workflowVersion(yield* workflows.version(id, 2)),
            plain.workflowVersion(newVersion(2))
          )
          assert.strictEqual((yield* Effect.flip(workflows.version(id, 4)))._tag, "NotFound")
          yield* remove(id, 1)
          assert.deepStrictEqual(yield* numbers(null), [])
          assert.lengthOf(yield* workflows.versions(other.id, { limit: 2, after: null }), 1)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

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

    it.effect("tells which active ones begin on an event as they were published last, and from when on", () =>
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
          entry: { event: { event: "conversation.idle", seconds: 60 }, next: node("n1") }
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

    it.effect("lists the newest first, page after page, while others come and go", () =>
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

export const workflowsContract = runContract(workflows)

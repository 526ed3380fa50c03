import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { allWorkflows, Workflow, WorkflowId, Workflows } from "@parley/domain/automation"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { freshId, givenOrganization, inside, plain } from "../../given.ts"
import { newWorkflow, newVersion, insert, save, remove, publish } from "./givenWorkflows.ts"

export const workflows: StorageContract = {
  port: "Workflows",
  promises: (it) => {
    it.effect("hides the workflows and versions of one tenant from another", () =>
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

    it.effect("accepts one of many concurrent saves with one expected version", () =>
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
  }
}

export const workflowsContract = runContract(workflows)

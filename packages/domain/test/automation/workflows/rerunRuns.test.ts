import { assert, layer } from "@effect/vitest"
import { deleteContact, updateContact } from "@parley/domain/crm"
import {
  cancelWorkflowRun,
  type Graph,
  pauseWorkflow,
  rerunWorkflowRuns,
  type RunCount,
  startWorkflowRun,
  WorkflowRuns,
  type WorkflowRunsToRerun
} from "@parley/domain/automation"
import { layerJobKinds } from "@parley/domain/composition"
import { Job, listJobs, type Organization, runDueJobs } from "@parley/domain/platform"
import { asOwnerOf, givenContact, givenOrganization, TestKit } from "@parley/testkit"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { end, id, lastRun, published, runsOf } from "./engine.ts"

const graph: Graph = {
  entry: { event: null, next: id("w") },
  nodes: [{ id: id("w"), kind: "wait", seconds: 60, next: end.id }, end]
}

const given = Effect.fnUntraced(function* (drawn: Graph = graph) {
  const organization = yield* givenOrganization({ plan: "scale" })
  const workflow = yield* published(organization, drawn)
  const start = Effect.fnUntraced(function* () {
    const contact = yield* givenContact(organization)
    const input = { order: "A-17" }
    const run = yield* startWorkflowRun({ id: workflow.id, contactId: contact.id, input }).pipe(asOwnerOf(organization))
    return { contact, run }
  })
  const cancelled = Effect.fnUntraced(function* () {
    const { contact, run } = yield* start()
    yield* cancelWorkflowRun({ id: workflow.id, runId: run.id }).pipe(asOwnerOf(organization))
    return { contact, run }
  })
  const rerun = (input: WorkflowRunsToRerun = { filter: { state: "cancelled" } }) =>
    rerunWorkflowRuns({ id: workflow.id, ...input }).pipe(asOwnerOf(organization))
  return { organization, workflow, start, cancelled, rerun }
})

const work = Effect.provide(runDueJobs, layerJobKinds)

const lastJob = (organization: Organization) =>
  listJobs({ page: { limit: 1, cursor: null } }).pipe(
    asOwnerOf(organization),
    Effect.map(({ data }) => data[0])
  )

const countOf = (answer: Job | RunCount) => (answer instanceof Job ? null : answer.count)

const none = { started: 0, contactGone: 0, contactBlocked: 0, inWorkflow: 0, reentry: 0, repeated: 0 }

layer(TestKit.layer)("re-running the runs of a workflow by a filter", (it) => {
  it.effect("starts a run with the input of the ended one, once, and names the origin", () =>
    Effect.gen(function* () {
      const { cancelled, organization, rerun, workflow } = yield* given()
      const { contact, run } = yield* cancelled()
      assert.strictEqual(countOf(yield* rerun({ filter: {}, preview: true })), 0, "The default is failed runs.")
      assert.strictEqual(countOf(yield* rerun({ filter: { state: "cancelled" }, preview: true })), 1)
      yield* TestClock.adjust("1 minute")
      yield* rerun()
      yield* rerun()
      yield* work
      yield* work
      const runs = yield* runsOf(organization, workflow)
      assert.lengthOf(runs, 2)
      assert.deepInclude(yield* lastRun(organization, workflow), {
        state: "running",
        rerunOf: { runId: run.id },
        contactId: contact.id,
        input: { order: "A-17" }
      })
      const { data } = yield* listJobs({ page: { limit: 2, cursor: null } }).pipe(asOwnerOf(organization))
      assert.deepStrictEqual(data.map(({ counts }) => counts["started"]).toSorted(), [0, 1])
      assert.deepStrictEqual(data.map(({ counts }) => counts["repeated"]).toSorted(), [0, 1])
      assert.strictEqual(countOf(yield* rerun({ filter: { state: "cancelled" }, preview: true })), 0)
    })
  )

  it.effect("counts a run that a concurrent job has repeated before the lock", () =>
    Effect.gen(function* () {
      const { cancelled, organization, rerun } = yield* given()
      yield* cancelled()
      yield* rerun()
      yield* rerun()
      // The lock returns runs of the selection that another job has repeated since.
      const runs = yield* WorkflowRuns
      const stale: typeof WorkflowRuns.Service = {
        ...runs,
        lockSelected: (workflowId, selection, page) =>
          runs.lockSelected(workflowId, { ...selection, rerun: "included" }, page)
      }
      yield* work.pipe(Effect.provideService(WorkflowRuns, stale))
      yield* work.pipe(Effect.provideService(WorkflowRuns, stale))
      const { data } = yield* listJobs({ page: { limit: 2, cursor: null } }).pipe(asOwnerOf(organization))
      assert.sameDeepMembers(
        data.map(({ counts }) => counts),
        [
          { ...none, started: 1 },
          { ...none, repeated: 1 }
        ]
      )
    })
  )

  it.effect("skips contacts that are deleted, blocked, or in the workflow", () =>
    Effect.gen(function* () {
      const { cancelled, organization, rerun, workflow } = yield* given()
      const [gone, blocked, live] = [yield* cancelled(), yield* cancelled(), yield* cancelled()]
      yield* deleteContact({ id: gone.contact.id, ifVersion: null }).pipe(asOwnerOf(organization))
      yield* updateContact({ id: blocked.contact.id, blocked: true, ifVersion: null }).pipe(asOwnerOf(organization))
      yield* startWorkflowRun({ id: workflow.id, contactId: live.contact.id }).pipe(asOwnerOf(organization))
      yield* rerun()
      yield* work
      assert.deepInclude(yield* lastJob(organization), {
        progress: { done: 3, total: 3 },
        counts: { ...none, contactGone: 1, contactBlocked: 1, inWorkflow: 1 }
      })
    })
  )

  it.effect("repeats the only entry of a contact that cannot enter again", () =>
    Effect.gen(function* () {
      const { cancelled, organization, rerun } = yield* given({
        ...graph,
        entry: { event: null, reentry: "never", next: id("w") }
      })
      yield* cancelled()
      yield* rerun()
      yield* work
      assert.deepInclude(yield* lastJob(organization), { counts: { ...none, started: 1 } })
    })
  )

  it.effect("follows the reentry rule if the contact has entered again since", () =>
    Effect.gen(function* () {
      const reentry = { afterSeconds: 60 }
      const { cancelled, organization, rerun, workflow } = yield* given({
        ...graph,
        entry: { event: null, reentry, next: id("w") }
      })
      const { contact, run } = yield* cancelled()
      yield* TestClock.adjust("2 minutes")
      const again = yield* startWorkflowRun({ id: workflow.id, contactId: contact.id }).pipe(asOwnerOf(organization))
      yield* cancelWorkflowRun({ id: workflow.id, runId: again.id }).pipe(asOwnerOf(organization))
      const filter = { state: "cancelled", createdTo: again.startedAt } as const
      yield* rerun({ filter })
      yield* work
      assert.deepInclude(yield* lastJob(organization), { counts: { ...none, reentry: 1 } })
      yield* TestClock.adjust("2 minutes")
      yield* rerun({ filter })
      yield* work
      assert.deepInclude(yield* lastRun(organization, workflow), { rerunOf: { runId: run.id } })
    })
  )

  it.effect("refuses a paused workflow, and fails if the workflow is paused after the call", () =>
    Effect.gen(function* () {
      const { cancelled, organization, rerun, workflow } = yield* given()
      yield* cancelled()
      yield* rerun()
      yield* pauseWorkflow({ id: workflow.id, ifVersion: null }).pipe(asOwnerOf(organization))
      assert.strictEqual((yield* Effect.flip(rerun()))._tag, "WorkflowNotActive")
      yield* work
      assert.deepInclude(yield* lastJob(organization), { state: "failed", error: "The workflow is no longer active." })
    })
  )
})

import { assert, layer } from "@effect/vitest"
import {
  cancelWorkflowRuns,
  getWorkflowRun,
  listWorkflowRuns,
  pauseWorkflow,
  type RunCount,
  type Workflow,
  type WorkflowRunsToCancel
} from "@parley/domain/automation"
import { layerJobKinds } from "@parley/domain/composition"
import { Job, listJobs, type Organization, runDueJobs } from "@parley/domain/platform"
import { asOwnerOf, givenActiveWorkflow, givenOrganization, givenWorkflowRun, TestKit } from "@parley/testkit"
import { Effect } from "effect"

const given = Effect.gen(function* () {
  const organization = yield* givenOrganization({ plan: "scale" })
  const workflow = yield* givenActiveWorkflow(organization)
  const run = givenWorkflowRun(organization, workflow.id)
  const cancel = (input: WorkflowRunsToCancel) =>
    cancelWorkflowRuns({ id: workflow.id, ...input }).pipe(asOwnerOf(organization))
  return { organization, workflow, run, cancel }
})

const work = Effect.provide(runDueJobs, layerJobKinds)

const lastJob = (organization: Organization) =>
  listJobs({ page: { limit: 1, cursor: null } }).pipe(
    asOwnerOf(organization),
    Effect.map(({ data }) => data[0])
  )

const statesOf = (organization: Organization, { id }: Workflow) =>
  listWorkflowRuns({ id, page: { limit: 100, cursor: null } }).pipe(
    asOwnerOf(organization),
    Effect.map(({ data }) => data.map(({ state }) => state))
  )

const countOf = (answer: Job | RunCount) => (answer instanceof Job ? null : answer.count)

layer(TestKit.layer)("cancelling the runs of a workflow by a filter", (it) => {
  it.effect("cancels matching live runs, and counts them before", () =>
    Effect.gen(function* () {
      const { cancel, organization, run, workflow } = yield* given
      const [one, other] = [yield* run, yield* run]
      assert.strictEqual(countOf(yield* cancel({ filter: {}, preview: true })), 2)
      assert.deepStrictEqual(yield* statesOf(organization, workflow), ["waiting", "waiting"])
      assert.isNotNull(one.contactId)
      yield* cancel({ filter: one.contactId === null ? {} : { contactId: one.contactId } })
      yield* work
      const now = ({ id }: typeof one) => getWorkflowRun({ id: workflow.id, runId: id }).pipe(asOwnerOf(organization))
      assert.deepInclude(yield* now(one), { state: "cancelled" })
      assert.deepInclude(yield* now(other), { state: "waiting" })
      assert.deepInclude(yield* lastJob(organization), {
        kind: "workflows.cancel_runs",
        state: "succeeded",
        counts: { cancelled: 1, skipped: 0 }
      })
      yield* cancel({ filter: { state: "waiting" } })
      yield* cancel({ filter: {} })
      yield* work
      assert.deepStrictEqual(yield* statesOf(organization, workflow), ["cancelled", "cancelled"])
      const { data } = yield* listJobs({ page: { limit: 2, cursor: null } }).pipe(asOwnerOf(organization))
      assert.deepStrictEqual(
        data.map(({ counts }) => counts["cancelled"]).toSorted(),
        [0, 1],
        "The second job skips the run that the first one cancelled."
      )
    })
  )

  it.effect("selects held runs as the list shows them", () =>
    Effect.gen(function* () {
      const { cancel, organization, run, workflow } = yield* given
      yield* run
      yield* pauseWorkflow({ id: workflow.id, ifVersion: null }).pipe(asOwnerOf(organization))
      assert.strictEqual(countOf(yield* cancel({ filter: { state: "waiting" }, preview: true })), 0)
      assert.strictEqual(countOf(yield* cancel({ filter: { state: "held" }, preview: true })), 1)
      yield* cancel({ filter: { state: "held" } })
      yield* work
      assert.deepStrictEqual(yield* statesOf(organization, workflow), ["cancelled"])
    })
  )
})

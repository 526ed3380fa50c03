import { assert, layer } from "@effect/vitest"
import { type Organization, setOrganizationPlan } from "@parley/domain/platform"
import { tagContact, type TagId } from "@parley/domain/crm"
import {
  archiveWorkflow,
  type ArchivedRuns,
  deleteWorkflow,
  getWorkflow,
  pauseWorkflow,
  startWorkflowRun,
  type Workflow,
  type WorkflowNode
} from "@parley/domain/automation"
import {
  asOperatorOf,
  asOwnerOf,
  givenContact,
  givenOrganization,
  givenTag,
  givenWorkflowRun,
  TestKit
} from "@parley/testkit"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { end, explained, id, published, runsOf, settle } from "./engine.ts"

const waits: WorkflowNode = { id: id("w"), kind: "wait", seconds: 3_600, next: end.id }

/** A workflow with an hour of waiting for tagged contacts. */
const given = Effect.gen(function* () {
  const organization = yield* givenOrganization({ plan: "scale" })
  const { id: tagId } = yield* givenTag(organization)
  const workflow = yield* published(organization, {
    entry: { event: { event: "contact.tagged", tagIds: [tagId] }, next: waits.id },
    nodes: [waits, end]
  })
  return { organization, tagId, workflow }
})

const archive = (organization: Organization, { id: workflowId }: Workflow, runs?: ArchivedRuns) =>
  archiveWorkflow({ id: workflowId, ...(runs === undefined ? {} : { runs }), ifVersion: null }).pipe(
    asOwnerOf(organization)
  )

const enters = Effect.fnUntraced(function* (organization: Organization, tagId: TagId) {
  const contact = yield* givenContact(organization)
  yield* tagContact({ id: contact.id, tags: [tagId] }).pipe(asOwnerOf(organization))
  yield* settle(organization)
  return contact
})

/** Number of runs per state and reason. */
const statesOf = (organization: Organization, workflow: Workflow) =>
  Effect.map(runsOf(organization, workflow), (runs) =>
    runs.map(({ reason, state }) => (reason === null ? state : `${state} ${reason}`)).toSorted()
  )

layer(TestKit.layer)("a workflow that is archived", (it) => {
  it.effect("lets running contacts finish by default and admits no new ones", () =>
    Effect.gen(function* () {
      for (const runs of [undefined, "finish"] as const) {
        const { organization, tagId, workflow } = yield* given
        yield* enters(organization, tagId)
        const { status } = yield* archive(organization, workflow, runs)
        assert.strictEqual(status, "archived")
        const late = yield* enters(organization, tagId)
        assert.deepStrictEqual(yield* statesOf(organization, workflow), ["waiting"])
        const called = startWorkflowRun({ id: workflow.id, contactId: late.id }).pipe(asOwnerOf(organization))
        assert.strictEqual((yield* Effect.flip(called))._tag, "WorkflowNotActive")
        const refused = yield* Effect.flip(
          deleteWorkflow({ id: workflow.id, ifVersion: null }).pipe(asOwnerOf(organization))
        )
        assert.strictEqual(refused._tag, "WorkflowInUse")
        yield* TestClock.adjust("1 hour")
        yield* settle(organization)
        assert.deepStrictEqual(yield* statesOf(organization, workflow), ["completed"])
        yield* deleteWorkflow({ id: workflow.id, ifVersion: null }).pipe(asOwnerOf(organization))
      }
    })
  )

  it.effect("ends any number of runs on request, and the workflow can be deleted then", () =>
    Effect.gen(function* () {
      const { organization, tagId, workflow } = yield* given
      const other = yield* published(organization, workflow.graph)
      // More than leave in one unit of work.
      for (let count = 0; count < 201; count += 1) yield* givenWorkflowRun(organization, workflow.id)
      yield* enters(organization, tagId)
      yield* archive(organization, workflow, "exit")
      yield* settle(organization)
      assert.deepStrictEqual(new Set(yield* statesOf(organization, workflow)), new Set(["exited archived"]))
      assert.deepStrictEqual(yield* statesOf(organization, other), ["waiting"])
      const [run] = yield* runsOf(organization, workflow)
      const steps = run === undefined ? [] : (yield* explained(organization, workflow, run)).steps
      assert.deepStrictEqual(
        steps.map(({ node, state }) => `${node} ${state}`),
        ["w skipped"]
      )
      yield* deleteWorkflow({ id: workflow.id, ifVersion: null }).pipe(asOwnerOf(organization))
    })
  )

  it.effect("lets those finish who were held by a pause", () =>
    Effect.gen(function* () {
      const { organization, tagId, workflow } = yield* given
      yield* enters(organization, tagId)
      yield* pauseWorkflow({ id: workflow.id, ifVersion: null }).pipe(asOwnerOf(organization))
      yield* TestClock.adjust("2 hours")
      yield* settle(organization)
      assert.deepStrictEqual(yield* statesOf(organization, workflow), ["held paused"])
      yield* archive(organization, workflow, "finish")
      yield* settle(organization)
      assert.deepStrictEqual(yield* statesOf(organization, workflow), ["completed"])
    })
  )

  it.effect("by operators ends all runs, also without workflows in the plan", () =>
    Effect.gen(function* () {
      const { organization, tagId, workflow } = yield* given
      yield* enters(organization, tagId)
      yield* setOrganizationPlan({ plan: "free" }).pipe(asOperatorOf(organization))
      yield* archiveWorkflow({ id: workflow.id, runs: "exit", ifVersion: null }).pipe(asOperatorOf(organization))
      yield* settle(organization)
      assert.deepStrictEqual(yield* statesOf(organization, workflow), ["exited archived"])
      yield* deleteWorkflow({ id: workflow.id, ifVersion: null }).pipe(asOperatorOf(organization))
      const gone = yield* Effect.flip(getWorkflow({ id: workflow.id }).pipe(asOwnerOf(organization)))
      assert.strictEqual(gone._tag, "NotFound")
    })
  )
})

import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import {
  type Graph,
  type StoredWorkflowRun,
  NodeId,
  type NewWorkflowRun,
  type Reentry,
  type RunProgress,
  Workflow,
  WorkflowId,
  WorkflowRun,
  WorkflowRunId,
  WorkflowRuns,
  Workflows,
  type WorkflowStatus,
  WorkflowVersion
} from "@parley/domain/automation"
import { DateTime, Effect } from "effect"
import { freshId } from "../../given.ts"

export const at = (minutes: number) => DateTime.add(DateTime.makeUnsafe("2026-11-20T09:00:00.250Z"), { minutes })

export const lane = 3

export const node = NodeId.make("n1")

export const noProgress: RunProgress = {
  dueAt: null,
  isResting: false,
  visits: {},
  places: 0,
  subject: null,
  from: 0,
  since: 0,
  attempts: 0,
  heldSince: null
}

export const newRun = (overrides: Partial<WorkflowRun> = {}, progress: Partial<RunProgress> = {}): NewWorkflowRun => {
  const contactId = overrides.contactId ?? freshId(ContactId)
  return {
    run: new WorkflowRun({
      id: freshId(WorkflowRunId),
      workflowId: freshId(WorkflowId),
      workflowVersion: 1,
      state: "running",
      reason: null,
      contactId,
      key: contactId,
      node,
      wakeAt: null,
      goals: [],
      endedBy: null,
      startedBy: null,
      conditions: { field: "name", op: "is", value: "Ada", saw: "Ada", held: true },
      rerunOf: null,
      input: {},
      event: null,
      causation: null,
      startedAt: at(0),
      endedAt: null,
      ...overrides
    }),
    progress: { ...noProgress, dueAt: at(0), ...progress },
    lane
  }
}

export const aWorkflow = (overrides: Partial<Workflow> = {}) =>
  new Workflow({
    id: freshId(WorkflowId),
    name: "Cart",
    status: "active",
    publishedVersion: 1,
    graph: { nodes: [] },
    createdAt: at(0),
    updatedAt: at(0),
    version: 1,
    ...overrides
  })

/** Starts the run in its workflow and returns whether it started. A new workflow is active. */
export const start = Effect.fnUntraced(function* (begun: NewWorkflowRun) {
  const workflows = yield* Workflows
  const { workflowId: id } = begun.run
  const known = yield* Effect.option(workflows.get(id))
  if (known._tag === "None") yield* transact(workflows.insert(aWorkflow({ id })))
  return yield* transact((yield* WorkflowRuns).start(begun))
})

export const started = Effect.fnUntraced(function* (
  overrides: Partial<WorkflowRun> = {},
  progress: Partial<RunProgress> = {}
) {
  const begun = newRun(overrides, progress)
  assert.isTrue(yield* start(begun))
  return begun.run
})

export const read = Effect.fnUntraced(function* ({ id }: WorkflowRun) {
  return (yield* (yield* WorkflowRuns).find(id)) ?? (yield* Effect.die(new Error("There is no such run.")))
})

export const changed = Effect.fnUntraced(function* (
  run: WorkflowRun,
  change: (kept: StoredWorkflowRun) => StoredWorkflowRun
) {
  return yield* transact((yield* WorkflowRuns).save(change(yield* read(run)), []))
})

/** Publishes a workflow with this reentry rule. */
export const givenPublished = Effect.fnUntraced(function* (reentry: Reentry) {
  const workflows = yield* Workflows
  const id = freshId(WorkflowId)
  const end = NodeId.make("end")
  const graph: Graph = { entry: { reentry, next: end }, nodes: [{ id: end, kind: "end" }] }
  const workflow = aWorkflow({ id, graph })
  yield* transact(
    Effect.andThen(
      workflows.insert(workflow),
      workflows.publish(id, new WorkflowVersion({ number: 1, graph, publishedAt: at(0) }))
    )
  )
  return id
})

export const givenWorkflow = Effect.fnUntraced(function* (status: WorkflowStatus = "active") {
  const workflow = aWorkflow({ status })
  yield* transact((yield* Workflows).insert(workflow))
  return workflow
})

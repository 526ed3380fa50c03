import { eventAppender, nextId, transact } from "@parley/domain/kernel"
import { consumeLog, type Organization, EventConsumers } from "@parley/domain/platform"
import {
  type Graph,
  advanceRuns,
  listWorkflowRuns,
  NodeId,
  performRuns,
  fireWorkflowTimers,
  Workflow,
  WorkflowId,
  type WorkflowEvent,
  type WorkflowNode,
  type WorkflowRun,
  type WorkflowRunId,
  WorkflowRuns,
  Workflows,
  WorkflowVersion,
  getWorkflowRun
} from "@parley/domain/automation"
import { layerEventConsumers } from "@parley/domain/composition"
import { asOperatorOf, asOwnerOf } from "@parley/testkit"
import { DateTime, Effect } from "effect"

/** Runs all event consumers over the organization's log. */
export const follow = (organization: Organization) =>
  Effect.gen(function* () {
    for (const consumer of (yield* EventConsumers).values()) {
      yield* Effect.repeat(consumeLog(consumer), { times: 50, while: (again) => again !== null })
    }
  }).pipe(asOperatorOf(organization), Effect.provide(layerEventConsumers))

/** Starts and advances runs for events, repeatedly, because actions can start more. */
export const settle = (organization: Organization, times = 1) =>
  follow(organization).pipe(
    Effect.andThen(performRuns),
    Effect.andThen(advanceRuns),
    Effect.repeat({ times: times - 1 })
  )

/** Fires timers and advances the runs they start. */
export const strikeAndSettle = (organization: Organization) =>
  follow(organization).pipe(Effect.andThen(fireWorkflowTimers), Effect.andThen(settle(organization)))

export const id = (name: string) => NodeId.make(name)

export const end: WorkflowNode = { id: id("end"), kind: "end" }

/** A workflow that is published and active. */
export const published = Effect.fnUntraced(function* (organization: Organization, graph: Graph) {
  const now = yield* DateTime.now
  const workflow = new Workflow({
    id: yield* nextId(WorkflowId),
    name: "Routine",
    status: "active",
    publishedVersion: 1,
    graph,
    createdAt: now,
    updatedAt: now,
    version: 1
  })
  yield* Effect.gen(function* () {
    const workflows = yield* Workflows
    yield* workflows.insert(workflow)
    yield* workflows.publish(workflow.id, new WorkflowVersion({ number: 1, graph, publishedAt: now }))
  }).pipe(transact, asOwnerOf(organization))
  return workflow
})

/** Resumes a paused workflow. */
export const resumed = (organization: Organization, workflow: Workflow) =>
  transact(
    Effect.andThen(
      Effect.flatMap(Workflows, (workflows) => workflows.save(new Workflow({ ...workflow, status: "active" }), null)),
      eventAppender<WorkflowEvent>()({ type: "workflow.resumed", workflowId: workflow.id })
    )
  ).pipe(asOwnerOf(organization))

/** A workflow that is changed. */
export const changed = (organization: Organization, workflow: Workflow, input: Partial<Workflow>) =>
  Effect.flatMap(Workflows, (workflows) =>
    transact(workflows.save(new Workflow({ ...workflow, ...input }), null))
  ).pipe(asOwnerOf(organization))

/** The runs of a workflow, the latest first. */
export const runsOf = (organization: Organization, { id: workflowId }: Workflow) =>
  listWorkflowRuns({ id: workflowId, page: { limit: 100, cursor: null } }).pipe(
    asOwnerOf(organization),
    Effect.map(({ data }) => data)
  )

/** The last run of a workflow, explained. */
export const lastRun = Effect.fnUntraced(function* (organization: Organization, workflow: Workflow) {
  const [run] = yield* runsOf(organization, workflow)
  return run === undefined
    ? yield* Effect.die(new Error("The run does not exist."))
    : yield* explained(organization, workflow, run)
})

/** A run, explained. */
export const explained = (
  organization: Organization,
  { id: workflowId }: Workflow,
  { id: runId }: { readonly id: WorkflowRunId }
) => getWorkflowRun({ id: workflowId, runId }).pipe(asOwnerOf(organization))

/** Stored data of a run. */
export const keptOf = (organization: Organization, { id: runId }: WorkflowRun) =>
  Effect.flatMap(WorkflowRuns, (runs) => runs.find(runId)).pipe(asOwnerOf(organization))

import { DateTime, Effect, type Schema } from "effect"
import { Locks, requireReach, requireVersion, transact, useCase, ValidationFailed } from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import { EventLog } from "../../../platform/events/index.ts"
import type { WorkflowId } from "../../automations/index.ts"
import {
  toWorkflowAuditFields,
  Workflow,
  type WorkflowArchiveOptions,
  Workflows,
  WorkflowVersion
} from "../Workflow.ts"
import { appendEvent, type WorkflowEvent } from "../events.ts"
import { validateWorkflowGraph } from "../workflowChecks.ts"
import { requireReachOfGraph, requireReachOfWorkflow } from "../workflowPermissions.ts"
import { workflowStatusAfter, type WorkflowTransition } from "../workflowTransitions.ts"

/** Changes the status of a workflow, with its event and its audit entry. The audit entry includes `extraAuditFields`. */
const transitionWorkflow = Effect.fnUntraced(function* (
  id: WorkflowId,
  expectedVersion: number | null,
  transition: WorkflowTransition,
  event: WorkflowEvent,
  extraAuditFields: Readonly<Record<string, Schema.Json>> = {}
) {
  const workflows = yield* Workflows
  yield* (yield* Locks).exclusive("workflows")
  const before = yield* workflows.get(id)
  yield* requireVersion(before, expectedVersion)
  const status = yield* workflowStatusAfter(before.status, transition)
  const after = yield* workflows.save(
    new Workflow({ ...before, status, updatedAt: yield* DateTime.now }),
    expectedVersion
  )
  yield* recordAudit(
    event.type,
    { kind: "workflow", id },
    { before: toWorkflowAuditFields(before), after: { ...toWorkflowAuditFields(after), ...extraAuditFields } }
  )
  yield* appendEvent(event)
  return after
})

/**
 * The owning areas take these locks and check for dependents before a deletion. A concurrent deletion then sees the
 * new version, or the publication sees the deletion.
 */
const locks = ["plugins", "schedules", "webhook_subscriptions", "workflows"] as const

/** Publishes the draft of a workflow as its next version. Only new runs use it; live runs continue with their version. */
export const publishWorkflow = useCase(
  {
    name: "workflows.publish",
    access: { permission: "workflows.manage" },
    feature: "workflows",
    actsThrough: "workflow",
    audit: "workflow.published",
    emits: ["workflow.published"]
  },
  Effect.fnUntraced(function* ({ id, ifVersion }: { readonly id: WorkflowId; readonly ifVersion: number | null }) {
    const workflows = yield* Workflows
    const { exclusive } = yield* Locks
    yield* Effect.forEach(locks, exclusive, { discard: true })
    const before = yield* workflows.get(id)
    yield* requireVersion(before, ifVersion)
    const { graph, publishedVersion, status } = before
    const stays = status === "active" || status === "paused"
    const next = stays ? status : yield* workflowStatusAfter(status, "activate")
    yield* requireReachOfGraph(graph)
    const errors = yield* validateWorkflowGraph(graph)
    if (errors.length > 0) return yield* new ValidationFailed({ errors })
    const now = yield* DateTime.now
    const number = (publishedVersion ?? 0) + 1
    yield* workflows.publish(id, new WorkflowVersion({ number, graph, publishedAt: now }))
    if (!stays) yield* workflows.beginAfter(id, yield* (yield* EventLog).head())
    const after = yield* workflows.save(
      new Workflow({ ...before, status: next, publishedVersion: number, updatedAt: now }),
      ifVersion
    )
    yield* recordAudit(
      "workflow.published",
      { kind: "workflow", id },
      { before: toWorkflowAuditFields(before), after: toWorkflowAuditFields(after) }
    )
    yield* appendEvent({ type: "workflow.published", workflowId: id, publishedVersion: number })
    return after
  }, transact)
)

/** Pauses a workflow: live runs are held, and none starts. */
export const pauseWorkflow = useCase(
  {
    name: "workflows.pause",
    access: { permission: "workflows.manage" },
    feature: "workflows",
    actsThrough: "nothing",
    audit: "workflow.paused",
    emits: ["workflow.paused"]
  },
  Effect.fnUntraced(function* ({ id, ifVersion }: { readonly id: WorkflowId; readonly ifVersion: number | null }) {
    return yield* transitionWorkflow(id, ifVersion, "pause", { type: "workflow.paused", workflowId: id })
  }, transact)
)

/** Resumes a paused workflow and its held runs. Events during the pause start no run. */
export const resumeWorkflow = useCase(
  {
    name: "workflows.resume",
    access: { permission: "workflows.manage" },
    feature: "workflows",
    actsThrough: "workflow",
    audit: "workflow.resumed",
    emits: ["workflow.resumed"]
  },
  Effect.fnUntraced(function* ({ id, ifVersion }: { readonly id: WorkflowId; readonly ifVersion: number | null }) {
    yield* (yield* Locks).exclusive("workflows")
    yield* requireReachOfWorkflow(id)
    const after = yield* transitionWorkflow(id, ifVersion, "resume", { type: "workflow.resumed", workflowId: id })
    yield* (yield* Workflows).beginAfter(id, yield* (yield* EventLog).head())
    return after
  }, transact)
)

/** Archives a workflow permanently: no run starts. Live runs finish or exit. */
export const archiveWorkflow = useCase(
  {
    name: "workflows.archive",
    access: { permission: "workflows.manage" },
    feature: "workflows",
    ungatedFor: "operators",
    actsThrough: "workflow",
    audit: "workflow.archived",
    emits: ["workflow.archived"]
  },
  Effect.fnUntraced(function* ({
    id,
    runs = "finish",
    ifVersion
  }: { readonly id: WorkflowId; readonly ifVersion: number | null } & WorkflowArchiveOptions) {
    yield* (yield* Locks).exclusive("workflows")
    const { status } = yield* (yield* Workflows).get(id)
    // The live runs of a paused workflow continue after it is archived.
    const isResumed = status === "paused" && runs === "finish"
    yield* isResumed ? requireReachOfWorkflow(id) : requireReach([])
    const event = { type: "workflow.archived", workflowId: id, runs } as const
    return yield* transitionWorkflow(id, ifVersion, "archive", event, { runs })
  }, transact)
)

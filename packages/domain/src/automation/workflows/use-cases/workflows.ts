import { DateTime, Effect, Equal } from "effect"
import { Locks, nextId, paged, type PageRequest, requireVersion, transact, useCase } from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import { withinLimit } from "../../../platform/entitlements/index.ts"
import { WorkflowId } from "../../automations/index.ts"
import { toWorkflowAuditFields, type NewWorkflow, Workflow, type WorkflowPatch, Workflows } from "../Workflow.ts"
import { WorkflowInUse } from "../errors.ts"
import { appendEvent } from "../events.ts"
import { emptyGraph } from "../graph/Graph.ts"
import { WorkflowRuns } from "../runs/WorkflowRuns.ts"
import { validateWorkflowGraph } from "../workflowChecks.ts"
import { renderWorkflowDiagram } from "../workflowDiagram.ts"
import { allWorkflows, workflowCursorKey, type WorkflowQuery } from "../workflowListing.ts"
import { requireReachOfGraph } from "../workflowPermissions.ts"

/** Creates a workflow as a draft. */
export const createWorkflow = useCase(
  {
    name: "workflows.create",
    access: { permission: "workflows.manage" },
    feature: "workflows",
    actsThrough: "workflow",
    audit: "workflow.created",
    emits: ["workflow.created"]
  },
  Effect.fnUntraced(function* ({ graph = emptyGraph, name }: NewWorkflow) {
    yield* requireReachOfGraph(graph)
    const now = yield* DateTime.now
    const workflow = new Workflow({
      id: yield* nextId(WorkflowId),
      name,
      status: "draft",
      publishedVersion: null,
      graph,
      createdAt: now,
      updatedAt: now,
      version: 1
    })
    yield* (yield* Workflows).insert(workflow).pipe(withinLimit("workflows"))
    yield* recordAudit(
      "workflow.created",
      { kind: "workflow", id: workflow.id },
      { after: toWorkflowAuditFields(workflow) }
    )
    yield* appendEvent({ type: "workflow.created", workflowId: workflow.id })
    return workflow
  }, transact)
)

/** Changes the name of a workflow, or its draft. Does not change the published version. */
export const updateWorkflow = useCase(
  {
    name: "workflows.update",
    access: { permission: "workflows.manage" },
    feature: "workflows",
    actsThrough: "workflow",
    audit: "workflow.updated",
    emits: ["workflow.updated"]
  },
  Effect.fnUntraced(function* ({
    id,
    ifVersion,
    ...patch
  }: { readonly id: WorkflowId; readonly ifVersion: number | null } & WorkflowPatch) {
    const workflows = yield* Workflows
    yield* (yield* Locks).exclusive("workflows")
    const before = yield* workflows.get(id)
    yield* requireVersion(before, ifVersion)
    const { graph = before.graph, name = before.name } = patch
    const isRedefined = !Equal.equals(graph, before.graph)
    // A change of name does not affect the required permissions.
    if (isRedefined) yield* requireReachOfGraph(graph)
    if (name === before.name && !isRedefined) return before
    const after = yield* workflows.save(
      new Workflow({ ...before, name, graph, updatedAt: yield* DateTime.now }),
      ifVersion
    )
    yield* recordAudit(
      "workflow.updated",
      { kind: "workflow", id },
      { before: toWorkflowAuditFields(before), after: toWorkflowAuditFields(after) }
    )
    yield* appendEvent({ type: "workflow.updated", workflowId: id })
    return after
  }, transact)
)

/** Deletes a draft, or an archived workflow, with its versions. */
export const deleteWorkflow = useCase(
  {
    name: "workflows.delete",
    access: { permission: "workflows.manage" },
    feature: "workflows",
    ungatedFor: "operators",
    actsThrough: "nothing",
    audit: "workflow.deleted",
    emits: ["workflow.deleted"]
  },
  Effect.fnUntraced(function* ({ id, ifVersion }: { readonly id: WorkflowId; readonly ifVersion: number | null }) {
    const workflows = yield* Workflows
    yield* (yield* Locks).exclusive("workflows")
    const before = yield* workflows.get(id)
    yield* requireVersion(before, ifVersion)
    if (before.status !== "draft" && before.status !== "archived") return yield* new WorkflowInUse({ liveRuns: 0 })
    const liveRuns = yield* (yield* WorkflowRuns).countLive(id)
    if (liveRuns > 0) return yield* new WorkflowInUse({ liveRuns })
    yield* workflows.remove(id, ifVersion)
    yield* recordAudit("workflow.deleted", { kind: "workflow", id }, { before: toWorkflowAuditFields(before) })
    yield* appendEvent({ type: "workflow.deleted", workflowId: id })
  }, transact)
)

/** Reads one workflow. Reads stay open on every plan. */
export const getWorkflow = useCase(
  { name: "workflows.get", access: { permission: "workflows.read" } },
  Effect.fnUntraced(function* ({ id }: { readonly id: WorkflowId }) {
    return yield* (yield* Workflows).get(id)
  })
)

/** Lists workflows in the requested order. */
export const listWorkflows = useCase(
  { name: "workflows.list", access: { permission: "workflows.read" } },
  Effect.fnUntraced(function* ({ page, ...request }: { readonly page: PageRequest } & Partial<WorkflowQuery>) {
    const query = { ...allWorkflows, ...request }
    const workflows = yield* Workflows
    return yield* paged(
      `workflows/${query.sort}`,
      page,
      (slice) => workflows.list(query, slice),
      (workflow) => workflowCursorKey(query.sort, workflow)
    )
  })
)

export const listWorkflowVersions = useCase(
  { name: "workflows.listVersions", access: { permission: "workflows.read" } },
  Effect.fnUntraced(function* ({ id, page }: { readonly id: WorkflowId; readonly page: PageRequest }) {
    const workflows = yield* Workflows
    yield* workflows.get(id)
    return yield* paged(
      `workflow_versions:${id}`,
      page,
      (slice) => workflows.versions(id, slice),
      ({ number }) => [String(number)]
    )
  })
)

/** Finds all current problems of a workflow draft. Changes nothing. */
export const validateWorkflow = useCase(
  { name: "workflows.validate", access: { permission: "workflows.read" }, feature: "workflows" },
  Effect.fnUntraced(function* ({ id }: { readonly id: WorkflowId }) {
    const { graph } = yield* (yield* Workflows).get(id)
    return { faults: yield* validateWorkflowGraph(graph) }
  })
)

/** Renders the draft or a published version as Mermaid, with the number of live runs per node. */
export const drawWorkflow = useCase(
  { name: "workflows.draw", access: { permission: "workflows.read" } },
  Effect.fnUntraced(function* ({
    id,
    version: number = null
  }: {
    readonly id: WorkflowId
    readonly version?: number | null
  }) {
    const workflows = yield* Workflows
    const draft = yield* workflows.get(id)
    const { graph } = number === null ? draft : yield* workflows.version(id, number)
    return renderWorkflowDiagram(graph, yield* (yield* WorkflowRuns).countInNodes(id, number))
  })
)

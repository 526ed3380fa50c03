import { Context, type Effect, Schema } from "effect"
import {
  type NotFound,
  type Slice,
  type TenantScoped,
  Timestamp,
  type Transaction,
  type VersionConflict
} from "../../kernel/index.ts"
import { SingleLineText } from "../../platform/identity/index.ts"
import { type TriggerEvent, WorkflowId } from "../automations/index.ts"
import { Graph } from "./graph/Graph.ts"
import type { WorkflowQuery } from "./workflowListing.ts"
import { ArchivedRuns, WorkflowStatus } from "./workflowTransitions.ts"

const WorkflowName = SingleLineText.check(Schema.isMaxCodePoints(120, { message: "Expected at most 120 characters" }))

/** Number of a published version. */
export const VersionNumber = Schema.Number.check(
  Schema.isInt({ message: "Expected a whole number" }),
  Schema.isBetween({ minimum: 1, maximum: 999_999_999 }, { message: "Expected the number of a published version" })
)

/** Workflow that leads contacts through its nodes. */
export class Workflow extends Schema.Class<Workflow>("Workflow")({
  id: WorkflowId,
  name: WorkflowName,
  status: WorkflowStatus,
  publishedVersion: Schema.NullOr(Schema.Int).annotateKey({
    description: "Version of new runs; null before the first publication."
  }),
  graph: Graph.annotateKey({ description: "Draft of the next version." }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  version: Schema.Int
}) {}

export const NewWorkflow = Schema.Struct({ name: WorkflowName, graph: Schema.optionalKey(Graph) }).annotate({
  identifier: "NewWorkflow"
})
export type NewWorkflow = typeof NewWorkflow.Type

/** Changes to a workflow. Absent fields stay unchanged. */
export const WorkflowPatch = Schema.Struct({
  name: Schema.optionalKey(WorkflowName),
  graph: Schema.optionalKey(Graph)
}).annotate({ identifier: "WorkflowPatch" })
export type WorkflowPatch = typeof WorkflowPatch.Type

/** Published version of an active or paused workflow. */
export interface LiveWorkflow {
  readonly id: WorkflowId
  readonly graph: Graph
}

/** Options for archiving a workflow. */
export const WorkflowArchiveOptions = Schema.Struct({
  runs: Schema.optionalKey(ArchivedRuns).annotateKey({
    description: "Handling of live runs. Default: `finish`."
  })
}).annotate({ identifier: "WorkflowArchiving" })
export type WorkflowArchiveOptions = typeof WorkflowArchiveOptions.Type

/** Published version. It never changes. */
export class WorkflowVersion extends Schema.Class<WorkflowVersion>("WorkflowVersion")({
  number: Schema.Int,
  graph: Graph,
  publishedAt: Timestamp
}) {}

/** Current published version. New runs use it. */
export interface PublishedWorkflow {
  readonly id: WorkflowId
  readonly number: number
  readonly graph: Graph
}

/** Workflow with a start event. */
export interface EventStartedWorkflow extends PublishedWorkflow {
  /** Log position when it last became active. Events up to this position start no run. */
  readonly activeAfter: number
}

/** Workflows of the organization, and their published versions. */
export class Workflows extends Context.Service<
  Workflows,
  TenantScoped<{
    readonly get: (id: WorkflowId) => Effect.Effect<Workflow, NotFound>
    /** In the requested order. The row key is `workflowCursorKey`. */
    readonly list: (query: WorkflowQuery, slice: Slice) => Effect.Effect<ReadonlyArray<Workflow>>
    readonly count: () => Effect.Effect<number>
    /** Latest published versions of the active and paused workflows, by id. */
    readonly inForce: () => Effect.Effect<ReadonlyArray<LiveWorkflow>>
    /** Active workflows whose published version starts on this event, by id. */
    readonly beginningOn: (event: TriggerEvent) => Effect.Effect<ReadonlyArray<EventStartedWorkflow>>
    /** Prevents events up to this position from starting runs. */
    readonly beginAfter: (id: WorkflowId, position: number) => Effect.Effect<void, never, Transaction>
    readonly insert: (workflow: Workflow) => Effect.Effect<void, never, Transaction>
    /** Stores it with `version + 1` if the stored version equals the expected one (`null`: any version). */
    readonly save: (
      workflow: Workflow,
      expected: number | null
    ) => Effect.Effect<Workflow, NotFound | VersionConflict, Transaction>
    /** Deletes it with its versions. */
    readonly remove: (
      id: WorkflowId,
      expected: number | null
    ) => Effect.Effect<void, NotFound | VersionConflict, Transaction>
    /** Stores a published version permanently. */
    readonly publish: (id: WorkflowId, version: WorkflowVersion) => Effect.Effect<void, never, Transaction>
    readonly version: (id: WorkflowId, number: number) => Effect.Effect<WorkflowVersion, NotFound>
    /** Newest first. The row key is the version number. */
    readonly versions: (id: WorkflowId, slice: Slice) => Effect.Effect<ReadonlyArray<WorkflowVersion>>
  }>
>()("@parley/domain/automation/workflows/Workflows") {}

const encode = Schema.encodeSync(Schema.toCodecJson(Graph))

/** Returns the fields of a workflow for the audit log. */
export const toWorkflowAuditFields = ({
  graph,
  name,
  publishedVersion,
  status
}: Workflow): Record<string, Schema.Json> => ({
  name,
  status,
  publishedVersion,
  graph: encode(graph)
})

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
import { ArchivedRuns, WorkflowStatus } from "./workflowTransitions.ts"

const WorkflowName = SingleLineText.check(Schema.isMaxCodePoints(120, { message: "Expected at most 120 characters" }))

/** A way that contacts are led along, step by step. */
export class Workflow extends Schema.Class<Workflow>("Workflow")({
  id: WorkflowId,
  name: WorkflowName,
  status: WorkflowStatus,
  publishedVersion: Schema.NullOr(Schema.Int).annotateKey({
    description: "Which version new runs are of; null before the first one is published."
  }),
  graph: Graph.annotateKey({ description: "The draft of the next version." }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  version: Schema.Int
}) {}

/** What is said of a new workflow. */
export const NewWorkflow = Schema.Struct({ name: WorkflowName, graph: Schema.optionalKey(Graph) }).annotate({
  identifier: "NewWorkflow"
})
export type NewWorkflow = typeof NewWorkflow.Type

/** What may be changed of a workflow; an absent field stays. */
export const WorkflowPatch = Schema.Struct({
  name: Schema.optionalKey(WorkflowName),
  graph: Schema.optionalKey(Graph)
}).annotate({ identifier: "WorkflowPatch" })
export type WorkflowPatch = typeof WorkflowPatch.Type

/** What a workflow does today. */
export interface LiveWorkflow {
  readonly id: WorkflowId
  readonly graph: Graph
}

/** What becomes of a workflow that is archived. */
export const WorkflowArchiveOptions = Schema.Struct({
  runs: Schema.optionalKey(ArchivedRuns).annotateKey({
    description: "What becomes of its live runs: `finish` if it is absent."
  })
}).annotate({ identifier: "WorkflowArchiving" })
export type WorkflowArchiveOptions = typeof WorkflowArchiveOptions.Type

/** A version that was published. It never changes. */
export class WorkflowVersion extends Schema.Class<WorkflowVersion>("WorkflowVersion")({
  number: Schema.Int,
  graph: Graph,
  publishedAt: Timestamp
}) {}

/** A workflow as it is published: what new runs of it go by. */
export interface PublishedWorkflow {
  readonly id: WorkflowId
  readonly number: number
  readonly graph: Graph
}

/** A workflow that begins with an event. */
export interface EventStartedWorkflow extends PublishedWorkflow {
  /** The position in the log when it became active last: what was logged until then begins nothing. */
  readonly activeAfter: number
}

/** The workflows of the organization, and their published versions. */
export class Workflows extends Context.Service<
  Workflows,
  TenantScoped<{
    readonly get: (id: WorkflowId) => Effect.Effect<Workflow, NotFound>
    /** Newest first; the key of a row is its id. */
    readonly list: (slice: Slice) => Effect.Effect<ReadonlyArray<Workflow>>
    readonly count: () => Effect.Effect<number>
    /** What those say that are active or paused, as it was published last, in the order of their ids. */
    readonly inForce: () => Effect.Effect<ReadonlyArray<LiveWorkflow>>
    /** The active ones whose published version begins on this event, in the order of their ids. */
    readonly beginningOn: (event: TriggerEvent) => Effect.Effect<ReadonlyArray<EventStartedWorkflow>>
    /** Has what is logged up to this position begin no runs of it. */
    readonly beginAfter: (id: WorkflowId, position: number) => Effect.Effect<void, never, Transaction>
    readonly insert: (workflow: Workflow) => Effect.Effect<void, never, Transaction>
    /** Stores it with its version raised by one, if the stored version is still the expected one (`null`: whatever it is). */
    readonly save: (
      workflow: Workflow,
      expected: number | null
    ) => Effect.Effect<Workflow, NotFound | VersionConflict, Transaction>
    /** Removes it with its versions. */
    readonly remove: (
      id: WorkflowId,
      expected: number | null
    ) => Effect.Effect<void, NotFound | VersionConflict, Transaction>
    /** Keeps a version for good. */
    readonly publish: (id: WorkflowId, version: WorkflowVersion) => Effect.Effect<void, never, Transaction>
    /** A published version. */
    readonly version: (id: WorkflowId, number: number) => Effect.Effect<WorkflowVersion, NotFound>
    /** Newest first; the key of a row is its number. */
    readonly versions: (id: WorkflowId, slice: Slice) => Effect.Effect<ReadonlyArray<WorkflowVersion>>
  }>
>()("@parley/domain/automation/workflows/Workflows") {}

const encode = Schema.encodeSync(Schema.toCodecJson(Graph))

/** What of a workflow goes into the trail. */
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

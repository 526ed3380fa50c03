import { Schema } from "effect"
import { ContactId } from "../../../crm/index.ts"
import { Causation, objectShownWith, shownWith, Timestamp, Uuid } from "../../../kernel/index.ts"
import {
  ActionEffect,
  ActionError,
  ConditionExplanation,
  factPermissions,
  WorkflowId
} from "../../automations/index.ts"
import { NodeId } from "../graph/Node.ts"

export const WorkflowRunId = Uuid.pipe(Schema.brand("WorkflowRunId"))
export type WorkflowRunId = typeof WorkflowRunId.Type

/** States of a live run: in progress, waiting in a node, or held. */
export const LiveRunState = Schema.Literals(["running", "waiting", "held"])
export type LiveRunState = typeof LiveRunState.Type

/** States of an ended run. `exited`: it left before its end. `cancelled`: a use case cancelled it. */
export const EndedRunState = Schema.Literals(["completed", "exited", "failed", "cancelled"])
export type EndedRunState = typeof EndedRunState.Type

/** Whether the state is final. */
export const isEndedRunState = Schema.is(EndedRunState)

export const WorkflowRunState = Schema.Literals([...LiveRunState.literals, ...EndedRunState.literals])
export type WorkflowRunState = typeof WorkflowRunState.Type

/** Reason for a hold: the workflow, the plan, the organization, the kill switch, or a missing dependency of the action. */
export const RunHold = Schema.Literals(["paused", "plan", "suspended", "kill_switch", "template", "account"])
export type RunHold = typeof RunHold.Type

/** Reason why a run waits in an action. */
export const RunWait = Schema.Literals(["quiet_hours"])
export type RunWait = typeof RunWait.Type

/**
 * Reason for an exit. `plan` and `suspended`: the hold was too long. `node_gone`: the run was moved to a version
 * without its node. `cycle` and `too_deep`: the run never started.
 */
export const ExitReason = Schema.Literals([
  "goal",
  "exit",
  "late",
  "merged",
  "contact_gone",
  "blocked",
  "archived",
  "plan",
  "suspended",
  "node_gone",
  "cycle",
  "too_deep"
])
export type ExitReason = typeof ExitReason.Type

/** Reason for a failure. */
export const RunFailure = Schema.Literals(["action_failed", "step_limit", "node_gone"])
export type RunFailure = typeof RunFailure.Type

const reasons = [
  "account",
  "action_failed",
  "archived",
  "blocked",
  "contact_gone",
  "cycle",
  "exit",
  "goal",
  "kill_switch",
  "late",
  "merged",
  "node_gone",
  "paused",
  "plan",
  "quiet_hours",
  "step_limit",
  "suspended",
  "template",
  "too_deep"
] as const satisfies ReadonlyArray<RunHold | RunWait | ExitReason | RunFailure>

/** Reason why a run is held, waits, exited or failed. */
export const RunReason = Schema.Literals(reasons)
export type RunReason = typeof RunReason.Type

/**
 * `waiting`: until its time or its event. `calling`: a plugin call is pending. `skipped`: the run ended or was moved
 * during the wait.
 */
export const WorkflowStepState = Schema.Literals(["done", "failed", "waiting", "calling", "skipped"])
export type WorkflowStepState = typeof WorkflowStepState.Type

/** Result of a run in a node. */
export const WorkflowStep = Schema.Struct({
  node: NodeId,
  visit: Schema.Int.annotateKey({ description: "Number of visits to the node, including this one." }),
  state: WorkflowStepState,
  effect: Schema.NullOr(ActionEffect).annotateKey({
    description: "Resource that the action changed; null if nothing changed, or if it is an erased contact."
  }),
  output: Schema.Json.annotateKey({
    description: "Result of the node: the path, the answer of a plugin, or the member that `auto_assign` chose and why."
  }).pipe(shownWith(...factPermissions)),
  error: Schema.NullOr(ActionError),
  conditions: Schema.NullOr(ConditionExplanation).annotateKey({
    description: "Values and results of its conditions; null without conditions."
  }),
  at: Timestamp
}).annotate({ identifier: "WorkflowStep" })
export type WorkflowStep = typeof WorkflowStep.Type

/** Run that another run repeats. */
export const WorkflowRerunOf = Schema.Struct({ runId: WorkflowRunId }).annotate({ identifier: "WorkflowRerunOf" })
export type WorkflowRerunOf = typeof WorkflowRerunOf.Type

/** Logged event of a run. */
const WorkflowRunEvent = Schema.Struct({ position: Schema.Int, type: Schema.String })

/** Run of one contact through a version of a workflow. */
export class WorkflowRun extends Schema.Class<WorkflowRun>("WorkflowRun")({
  id: WorkflowRunId,
  workflowId: WorkflowId,
  workflowVersion: Schema.Int.annotateKey({ description: "Version of the run." }),
  state: WorkflowRunState,
  reason: Schema.NullOr(RunReason).annotateKey({
    description: "Reason for a hold, a wait, an exit or a failure; otherwise null."
  }),
  contactId: Schema.NullOr(ContactId).annotateKey({
    description: "Null after the contact was erased."
  }),
  key: Schema.NullOr(Uuid).annotateKey({
    description: "Contact, conversation, order or cart with at most one live run."
  }),
  node: Schema.NullOr(NodeId).annotateKey({ description: "Current or last node; null if the run never started." }),
  wakeAt: Schema.NullOr(Timestamp)
    .annotateKey({
      description: "End of the wait, or next attempt of a held action. It can show the time zone of the contact."
    })
    .pipe(shownWith("contacts.read")),
  goals: Schema.Array(NodeId).annotateKey({ description: "Reached goals." }),
  endedBy: Schema.NullOr(NodeId).annotateKey({
    description: "Goal or exit that ended the run; `reason` tells which kind. Null for another end."
  }),
  startedBy: Schema.NullOr(WorkflowRunEvent).annotateKey({
    description: "Event that started the run; null for API calls. For a timer, the event that it counts from."
  }),
  conditions: Schema.NullOr(ConditionExplanation).annotateKey({
    description:
      "Conditions of the entry with the values at the start; null without conditions, for API calls, for re-runs, and after the contact was erased."
  }),
  input: Schema.NullOr(Schema.Record(Schema.String, Schema.Json))
    .annotateKey({ description: "Input of the start call." })
    .pipe(shownWith(...factPermissions)),
  event: Schema.NullOr(WorkflowRunEvent).annotateKey({
    description: "Event that started the run or last continued it; null for API calls."
  }),
  causation: Schema.NullOr(Causation),
  rerunOf: Schema.NullOr(WorkflowRerunOf).annotateKey({
    description: "Run that this run repeats; null if an event or a call started it."
  }),
  startedAt: Timestamp,
  endedAt: Schema.NullOr(Timestamp)
}) {}

/** Run with all its steps. */
export class ExplainedWorkflowRun extends Schema.Class<ExplainedWorkflowRun>("ExplainedWorkflowRun")({
  ...WorkflowRun.fields,
  steps: Schema.Array(WorkflowStep)
}) {}

/** Run in the timeline of its contact, at the time of its start. */
export class WorkflowRunEntry extends Schema.Class<WorkflowRunEntry>("WorkflowRunEntry")(
  {
    kind: Schema.Literal("workflow_run"),
    id: WorkflowRunId,
    at: Timestamp,
    workflowId: WorkflowId,
    state: WorkflowRunState,
    reason: Schema.NullOr(RunReason)
  },
  objectShownWith("workflows.read")
) {}

/** Whether the run has ended. */
export const isWorkflowRunOver = ({ endedAt }: Pick<WorkflowRun, "endedAt">): boolean => endedAt !== null

import { Schema } from "effect"
import { ContactId } from "../../../crm/index.ts"
import { isStorable, shownWith, Timestamp, ValidationIssue } from "../../../kernel/index.ts"
import {
  ActionEffect,
  ActionError,
  FeedPosition,
  CallAnswer,
  ConditionExplanation,
  factPermissions
} from "../../automations/index.ts"
import { VersionNumber } from "../Workflow.ts"
import { NodeId, WorkflowNode } from "../graph/Node.ts"
import { EndedRunState, RunReason, WorkflowStepState } from "../runs/WorkflowRun.ts"
import { RunInputValues } from "../starting/workflowCalls.ts"

/** Chosen result of a wait for an event. */
export const WaitAnswer = Schema.Union([
  Schema.Literals(["event", "timeout"]),
  Schema.Struct({ position: FeedPosition.annotateKey({ description: "Position of a past event in the feed." }) })
]).annotate({
  identifier: "WorkflowWaitAnswer",
  description:
    "`timeout`, `event`, or the `position` of a past event of the contact, whose values the next nodes then see."
})
export type WaitAnswer = typeof WaitAnswer.Type

/** Contact, version and answers of a test. */
export const WorkflowTest = Schema.Struct({
  contactId: ContactId,
  version: Schema.optionalKey(
    VersionNumber.annotateKey({ description: "Number of a published version. Default: the draft." })
  ),
  position: Schema.optionalKey(FeedPosition).annotateKey({
    description:
      "Position of a start event in the feed, of any age. For a timer, the event that it counts from. Default: a start by the API."
  }),
  input: Schema.optionalKey(RunInputValues),
  answers: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Union([...WaitAnswer.members, CallAnswer])).check(isStorable)
  ).annotateKey({
    description:
      "Answers by node, for each visit. Default of a `wait_for` node: `timeout`. An HTTP request takes `status` and `body`, a plugin action its `output`; the default is done without an answer."
  })
}).annotate({ identifier: "WorkflowTest" })
export type WorkflowTest = typeof WorkflowTest.Type

/** The time zone of the contact shows in the times of its waits. */
const VirtualTime = Schema.NullOr(Timestamp)

/** Preview of a node. */
export const WorkflowTestStep = Schema.Struct({
  node: NodeId,
  kind: Schema.Literals(WorkflowNode.members.map(({ fields }) => fields.kind.literal)),
  visit: Schema.Int.annotateKey({ description: "Number of visits to the node, including this one." }),
  state: WorkflowStepState,
  enteredAt: VirtualTime.annotateKey({
    description: "Time on the clock of the test. Null for callers who cannot read contacts."
  }).pipe(shownWith("contacts.read")),
  leftAt: VirtualTime.annotateKey({
    description: "End of the node on the clock of the test. Null for callers who cannot read contacts."
  }).pipe(shownWith("contacts.read")),
  conditions: Schema.NullOr(ConditionExplanation).annotateKey({
    description: "Values and results of its conditions; null without conditions."
  }),
  output: Schema.Json.annotateKey({ description: "Result of the node: the branch, the path, or the event." }).pipe(
    shownWith(...factPermissions)
  ),
  rendered: Schema.Json.annotateKey({
    description: "The action with its rendered texts. Null for other nodes, and if rendering failed."
  }).pipe(shownWith(...factPermissions)),
  effect: Schema.NullOr(ActionEffect.fields.kind).annotateKey({
    description: "Kind of resource that the action would change; null if nothing would change."
  }),
  refusal: Schema.NullOr(ActionError).annotateKey({ description: "Reason for a refused action; otherwise null." })
}).annotate({ identifier: "WorkflowTestStep" })
export type WorkflowTestStep = typeof WorkflowTestStep.Type

/** Preview of a run. */
export const WorkflowTestResult = Schema.Struct({
  version: Schema.NullOr(Schema.Int).annotateKey({ description: "Tested version; null for the draft." }),
  faults: Schema.Array(ValidationIssue).annotateKey({
    description: "Validation errors of the tested draft, which prevent its publication; empty for a published version."
  }),
  wouldStart: Schema.Boolean.annotateKey({
    description:
      "Whether a run would start: the event and the conditions of the entry match, and the contact is not blocked. Status, plan and reentry rule are not checked."
  }),
  conditions: Schema.NullOr(ConditionExplanation).annotateKey({
    description: "Conditions of the entry; null without an event, because calls ignore them."
  }),
  state: EndedRunState.annotateKey({
    description: "State of the run at its end. `cancelled`: a wait does not end, or the test has no time left."
  }),
  reason: Schema.NullOr(Schema.Literals([...RunReason.literals, "time_limit"])).annotateKey({
    description:
      "Reason for an exit or a failure; otherwise null. `time_limit`: the test ended after its last step, because it has a limit for its time in the storage."
  }),
  goals: Schema.Array(NodeId).annotateKey({ description: "Reached goals." }),
  steps: Schema.Array(WorkflowTestStep).annotateKey({ description: "Visited nodes, in order." }),
  startedAt: Timestamp,
  endedAt: VirtualTime.annotateKey({
    description: "End of the run on the clock of the test. Null for callers who cannot read contacts."
  }).pipe(shownWith("contacts.read"))
}).annotate({ identifier: "WorkflowTestResult" })
export type WorkflowTestResult = typeof WorkflowTestResult.Type

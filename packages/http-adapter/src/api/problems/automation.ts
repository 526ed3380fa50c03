import * as Automation from "@parley/domain/automation"
import { problem } from "../problem.ts"

export const WorkflowNotActive = problem(Automation.WorkflowNotActive, 409, "The workflow is not active")
export const ContactInWorkflow = problem(Automation.ContactInWorkflow, 409, "The contact cannot enter the workflow")
export const TriggerSignatureInvalid = problem(
  Automation.TriggerSignatureInvalid,
  401,
  "The signature of the call is not valid"
)
export const AutomationNotEnabled = problem(Automation.AutomationNotEnabled, 409, "The automation is disabled")
export const RunEnded = problem(Automation.RunEnded, 409, "The run has ended")
export const RunNotWaiting = problem(Automation.RunNotWaiting, 409, "The run is not in a wait")
export const WorkflowInUse = problem(Automation.WorkflowInUse, 409, "The workflow is in use")
export const WorkflowTransitionInvalid = problem(
  Automation.WorkflowTransitionInvalid,
  409,
  "The status change is not allowed"
)
export const ScheduleInUse = problem(Automation.ScheduleInUse, 409, "The schedule is in use")

export const automationProblems = {
  WorkflowNotActive,
  ContactInWorkflow,
  TriggerSignatureInvalid,
  AutomationNotEnabled,
  RunEnded,
  RunNotWaiting,
  WorkflowInUse,
  WorkflowTransitionInvalid,
  ScheduleInUse
}

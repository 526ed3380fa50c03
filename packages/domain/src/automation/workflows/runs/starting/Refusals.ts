import { Schema } from "effect"
import { WorkflowStatus } from "../../transitions.ts"

/** Only active workflows are entered. */
export class WorkflowNotActive extends Schema.TaggedError<WorkflowNotActive>()("WorkflowNotActive", {
  workflowStatus: WorkflowStatus
}) {
  override get message() {
    return `The workflow is ${this.workflowStatus}. Only an active one is entered.`
  }
}

/** The contact is on its way through the workflow, or may not go through it again yet. */
export class ContactInWorkflow extends Schema.TaggedError<ContactInWorkflow>()("ContactInWorkflow", {
  isLive: Schema.Boolean
}) {
  override get message() {
    return this.isLive
      ? "The contact is on its way through the workflow already. Wait for the end of that run, or cancel it."
      : "The contact has been in the workflow, and its reentry does not let it in again now."
  }
}

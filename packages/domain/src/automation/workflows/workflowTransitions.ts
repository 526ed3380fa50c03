import { Effect, Schema } from "effect"

export const WorkflowStatus = Schema.Literals(["draft", "active", "paused", "archived"])
export type WorkflowStatus = typeof WorkflowStatus.Type

interface Transition {
  readonly from: ReadonlyArray<WorkflowStatus>
  readonly to: WorkflowStatus
}

/** What persons do with workflows. A published one that is published again stays what it is. */
export const workflowTransitions = {
  activate: { from: ["draft"], to: "active" },
  pause: { from: ["active"], to: "paused" },
  resume: { from: ["paused"], to: "active" },
  archive: { from: ["active", "paused"], to: "archived" }
} as const satisfies Readonly<Record<string, Transition>>
export type WorkflowTransition = keyof typeof workflowTransitions

/** What becomes of the live runs of a workflow that is archived: they finish, or leave. */
export const ArchivedRuns = Schema.Literals(["finish", "exit"])
export type ArchivedRuns = typeof ArchivedRuns.Type

/** Where a workflow can go from this status. */
export const workflowStatusesAfter = (status: WorkflowStatus): ReadonlyArray<WorkflowStatus> =>
  Object.values<Transition>(workflowTransitions).flatMap(({ from, to }) => (from.includes(status) ? [to] : []))

/** Why nothing comes of a call that would leave the workflow where it is. Runs of a draft, or of one that is archived, are not moved either. */
const sameStatusMessages: Readonly<Record<WorkflowStatus, string>> = {
  draft: "The workflow is a draft: it has no runs yet, and none are moved.",
  active: "The workflow is active already.",
  paused: "The workflow is paused already.",
  archived: "The workflow is archived, for good: it is not archived again, and its runs are not moved."
}

/** A workflow does not go from this status to that one. */
export class WorkflowTransitionInvalid extends Schema.TaggedError<WorkflowTransitionInvalid>()(
  "WorkflowTransitionInvalid",
  { from: WorkflowStatus, to: WorkflowStatus, allowed: Schema.Array(WorkflowStatus) }
) {
  override get message() {
    const { allowed, from, to } = this
    if (from === to) return sameStatusMessages[from]
    return allowed.length === 0
      ? `A workflow that is ${from} stays so: it cannot become ${to}.`
      : `A workflow that is ${from} cannot become ${to} by this. It can become ${allowed.join(" or ")}.`
  }
}

/** The status after a transition, if there is one from this status. */
export const workflowStatusAfter = (
  from: WorkflowStatus,
  transition: WorkflowTransition
): Effect.Effect<WorkflowStatus, WorkflowTransitionInvalid> => {
  const row: Transition = workflowTransitions[transition]
  return row.from.includes(from)
    ? Effect.succeed(row.to)
    : Effect.fail(new WorkflowTransitionInvalid({ from, to: row.to, allowed: workflowStatusesAfter(from) }))
}

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

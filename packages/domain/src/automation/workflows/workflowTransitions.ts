import { Effect, Schema } from "effect"

export const WorkflowStatus = Schema.Literals(["draft", "active", "paused", "archived"])
export type WorkflowStatus = typeof WorkflowStatus.Type

interface Transition {
  readonly from: ReadonlyArray<WorkflowStatus>
  readonly to: WorkflowStatus
}

/** Status transitions by members and tokens. A published workflow keeps its status when it is published again. */
export const workflowTransitions = {
  activate: { from: ["draft"], to: "active" },
  pause: { from: ["active"], to: "paused" },
  resume: { from: ["paused"], to: "active" },
  archive: { from: ["active", "paused"], to: "archived" }
} as const satisfies Readonly<Record<string, Transition>>
export type WorkflowTransition = keyof typeof workflowTransitions

/** Policy for live runs of an archived workflow: they finish or exit. */
export const ArchivedRuns = Schema.Literals(["finish", "exit"])
export type ArchivedRuns = typeof ArchivedRuns.Type

/** Statuses that a workflow can reach from this status. */
export const workflowStatusesAfter = (status: WorkflowStatus): ReadonlyArray<WorkflowStatus> =>
  Object.values<Transition>(workflowTransitions).flatMap(({ from, to }) => (from.includes(status) ? [to] : []))

/** Messages for calls that would not change the status. Runs of a draft or an archived workflow cannot be moved. */
const sameStatusMessages: Readonly<Record<WorkflowStatus, string>> = {
  draft: "The workflow is a draft and has no runs.",
  active: "The workflow is already active.",
  paused: "The workflow is already paused.",
  archived: "The workflow is archived. This is permanent."
}

/** The workflow has no transition between these statuses. */
export class WorkflowTransitionInvalid extends Schema.TaggedError<WorkflowTransitionInvalid>()(
  "WorkflowTransitionInvalid",
  { from: WorkflowStatus, to: WorkflowStatus, allowed: Schema.Array(WorkflowStatus) }
) {
  override get message() {
    const { allowed, from, to } = this
    if (from === to) return sameStatusMessages[from]
    return allowed.length === 0
      ? `A workflow that is ${from} cannot become ${to}.`
      : `A workflow that is ${from} cannot become ${to} with this call. It can become ${allowed.join(" or ")}.`
  }
}

/** Returns the status after a transition. Fails if the current status does not allow it. */
export const workflowStatusAfter = (
  from: WorkflowStatus,
  transition: WorkflowTransition
): Effect.Effect<WorkflowStatus, WorkflowTransitionInvalid> => {
  const row: Transition = workflowTransitions[transition]
  return row.from.includes(from)
    ? Effect.succeed(row.to)
    : Effect.fail(new WorkflowTransitionInvalid({ from, to: row.to, allowed: workflowStatusesAfter(from) }))
}

/** Only active workflows accept new runs. */
export class WorkflowNotActive extends Schema.TaggedError<WorkflowNotActive>()("WorkflowNotActive", {
  workflowStatus: WorkflowStatus
}) {
  override get message() {
    return `The workflow is ${this.workflowStatus}. Runs start in active workflows only.`
  }
}

/** The contact has a live run of the workflow, or cannot enter again yet. */
export class ContactInWorkflow extends Schema.TaggedError<ContactInWorkflow>()("ContactInWorkflow", {
  isLive: Schema.Boolean
}) {
  override get message() {
    return this.isLive
      ? "The contact already has a live run of the workflow. Cancel that run, or wait until it ends."
      : "The contact has been in the workflow before, and the reentry rule does not allow a new run now."
  }
}

import { Schema } from "effect"
import { ContactId } from "../../../crm/index.ts"
import { type AutomatedRef, Causation, Timestamp, Uuid } from "../../../kernel/index.ts"
import { AutomationId } from "../Automation.ts"
import { actionTypes } from "../actions/Action.ts"
import { ActionEffect, ActionError } from "../actions/ActionResult.ts"
import { ConditionExplanation } from "../conditions/ConditionInput.ts"

export const AutomationRunId = Uuid.pipe(Schema.brand("AutomationRunId"))
export type AutomationRunId = typeof AutomationRunId.Type

/** `skipped`: the conditions did not hold. `cut`: it was ended before it had done all that it was to do. */
export const AutomationRunState = Schema.Literals(["queued", "running", "succeeded", "failed", "skipped", "cut"])
export type AutomationRunState = typeof AutomationRunState.Type

/**
 * Why a run was cut: its automation is among what its event comes from, too much stands between its event and what people did, it would
 * be one too many for the contact within an hour, its automation is disabled or gone, or its contact is.
 */
export const AbortReason = Schema.Literals(["cycle", "too_deep", "rate", "automation_disabled", "contact_gone"])
export type AbortReason = typeof AbortReason.Type

/** Whether a run was cut for this reason. */
export const isAbortReason = Schema.is(AbortReason)

/** Why no action of any run starts now. */
export const HoldReason = Schema.Literals(["kill_switch", "plan", "suspended"])
export type HoldReason = typeof HoldReason.Type

/** Reason why a running run waits. */
export const RunWaitReason = Schema.Literals(["quiet_hours"])

/** `waiting`: until its `until`. `calling`: a plugin is asked. `skipped`: what came before has ended the run. */
export const RunActionState = Schema.Literals(["pending", "waiting", "calling", "done", "failed", "skipped"])
export type RunActionState = typeof RunActionState.Type

/** What became of an action of a run. */
export const RunAction = Schema.Struct({
  index: Schema.Int.annotateKey({ description: "Its place in `then`, from 0." }),
  type: Schema.Literals(actionTypes),
  state: RunActionState,
  error: Schema.NullOr(ActionError),
  effect: Schema.NullOr(ActionEffect).annotateKey({
    description: "The row that it has written; `null` if nothing changed."
  }),
  attempts: Schema.Int,
  until: Schema.NullOr(Timestamp).annotateKey({ description: "When it is tried again; `null` unless it waits." })
}).annotate({ identifier: "AutomationRunAction" })
export type RunAction = typeof RunAction.Type

/** What one automation did about one event. */
export class AutomationRun extends Schema.Class<AutomationRun>("AutomationRun")({
  id: AutomationRunId,
  automationId: AutomationId,
  /** The version of the automation that it keeps to. */
  automationVersion: Schema.Int,
  state: AutomationRunState,
  /** Why it was cut, or why it goes on later; else `null`. */
  reason: Schema.NullOr(Schema.Literals([...AbortReason.literals, ...HoldReason.literals, ...RunWaitReason.literals])),
  /** Of a clock: the event that it counts from. */
  event: Schema.Struct({ position: Schema.Int, type: Schema.String }),
  /** `null` once nobody is to know any more whose it was. */
  contactId: Schema.NullOr(ContactId),
  causation: Schema.NullOr(Causation),
  /** Every condition with what it saw and whether it held; `null` before they were looked at, and once the contact is erased. */
  conditions: Schema.NullOr(ConditionExplanation),
  actions: Schema.Array(RunAction),
  createdAt: Timestamp,
  startedAt: Schema.NullOr(Timestamp),
  finishedAt: Schema.NullOr(Timestamp)
}) {}

/** Whether nothing more comes of it. */
export const isRunOver = (state: AutomationRunState): boolean => state !== "queued" && state !== "running"

const isOver = ({ state }: RunAction) => state === "done" || state === "failed" || state === "skipped"

/** The actions of a run that goes no further. */
export const skipRemaining = (actions: ReadonlyArray<RunAction>): ReadonlyArray<RunAction> =>
  actions.map((action) => (isOver(action) ? action : { ...action, state: "skipped", until: null }))

/** So many automations and workflows may stand between what people did and what comes of it. */
const maxCausationDepth = 5

/** Why something that acts by itself must not begin with an event that has this causation; `null` if it may. */
export const abortReason = (causation: Causation | null, { id, kind }: AutomatedRef): "cycle" | "too_deep" | null => {
  if (causation === null) return null
  if (causation.via.some((each) => each.kind === kind && each.id === id)) return "cycle"
  return causation.depth >= maxCausationDepth ? "too_deep" : null
}

/** What the events come from that are caused by what began with an event: with the one at this position, if it comes from nothing. */
export const causedBy = (causation: Causation | null, by: AutomatedRef, position: number | null): Causation => ({
  depth: (causation?.depth ?? 0) + 1,
  root: causation === null ? position : causation.root,
  via: [...(causation?.via ?? []), by]
})

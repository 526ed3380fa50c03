import { Schema } from "effect"
import { ContactId } from "../../../crm/index.ts"
import { type AutomatedRef, Causation, objectShownWith, shownWith, Timestamp, Uuid } from "../../../kernel/index.ts"
import { AutomationId } from "../AutomationId.ts"
import { actionTypes } from "../actions/Action.ts"
import { ActionAssignment, ActionEffect, ActionError } from "../actions/ActionResult.ts"
import { ConditionExplanation, factPermissions } from "../conditions/ConditionInput.ts"

export const AutomationRunId = Uuid.pipe(Schema.brand("AutomationRunId"))
export type AutomationRunId = typeof AutomationRunId.Type

/**
 * `skipped`: the conditions did not hold. `aborted`: a rule ended the run before all its actions. `cancelled`: a member or a token ended it before all
 * its actions.
 */
export const AutomationRunState = Schema.Literals([
  "queued",
  "running",
  "succeeded",
  "failed",
  "skipped",
  "aborted",
  "cancelled"
])
export type AutomationRunState = typeof AutomationRunState.Type

/**
 * Reason for an abort: the automation caused its own event, the causation is too deep, or the contact has reached the
 * hourly limit. Also: the automation is disabled or deleted, or the contact is deleted.
 */
export const AbortReason = Schema.Literals(["cycle", "too_deep", "rate", "automation_disabled", "contact_gone"])
export type AbortReason = typeof AbortReason.Type

export const isAbortReason = Schema.is(AbortReason)

/** Reason why no action of any run can start. */
export const HoldReason = Schema.Literals(["kill_switch", "plan", "suspended"])
export type HoldReason = typeof HoldReason.Type

/** Reason why a running run waits. */
export const RunWaitReason = Schema.Literals(["quiet_hours"])

/** `waiting`: until its `until`. `calling`: a plugin call is pending. `skipped`: the run ended before it. */
export const RunActionState = Schema.Literals(["pending", "waiting", "calling", "done", "failed", "skipped"])
export type RunActionState = typeof RunActionState.Type

/** Result of an action of a run. */
export const RunAction = Schema.Struct({
  index: Schema.Int.annotateKey({ description: "Index in `then`, from 0." }),
  type: Schema.Literals(actionTypes),
  state: RunActionState,
  error: Schema.NullOr(ActionError),
  effect: Schema.NullOr(ActionEffect).annotateKey({
    description: "Changed resource; `null` if nothing changed, or if it is an erased contact."
  }),
  assignment: Schema.optionalKey(ActionAssignment).annotateKey({
    description: "Chosen member and reason; only of `auto_assign`."
  }),
  output: Schema.optionalKey(Schema.Json)
    .annotateKey({
      description:
        "Answer of an HTTP request or a plugin, at most 64 KiB. Only in `GET /automations/{id}/runs/{runId}`; absent without an answer."
    })
    .pipe(shownWith(...factPermissions)),
  attempts: Schema.Int,
  until: Schema.NullOr(Timestamp)
    .annotateKey({
      description: "Time of the next attempt; `null` unless the action waits. It can show the time zone of the contact."
    })
    .pipe(shownWith("contacts.read"))
}).annotate({ identifier: "AutomationRunAction" })
export type RunAction = typeof RunAction.Type

/** Run that another run repeats. */
export const AutomationRerunOf = Schema.Struct({
  runId: AutomationRunId,
  actions: Schema.Literals(["remaining", "all"]).annotateKey({
    description:
      "`remaining`: completed actions were not repeated. `all`: the actions of the automation had changed, so all of them ran again."
  })
}).annotate({ identifier: "AutomationRerunOf" })
export type AutomationRerunOf = typeof AutomationRerunOf.Type

/** Reason for an abort, a hold or a wait. */
const AutomationRunReason = Schema.Literals([
  ...AbortReason.literals,
  ...HoldReason.literals,
  ...RunWaitReason.literals
])

/** Run of one automation for one event. */
export class AutomationRun extends Schema.Class<AutomationRun>("AutomationRun")({
  id: AutomationRunId,
  automationId: AutomationId,
  /** The run always uses this version of the automation. */
  automationVersion: Schema.Int,
  state: AutomationRunState,
  /** Reason for an abort, a hold or a wait; else `null`. */
  reason: Schema.NullOr(AutomationRunReason),
  /** For a timer: the event that it counts from. */
  event: Schema.Struct({ position: Schema.Int, type: Schema.String }),
  /** `null` after the contact is erased. */
  contactId: Schema.NullOr(ContactId),
  causation: Schema.NullOr(Causation),
  /** Conditions with their observed values and results; `null` before they are evaluated, and after the contact is erased. */
  conditions: Schema.NullOr(ConditionExplanation),
  actions: Schema.Array(RunAction),
  /** Run that this run repeats; `null` if an event started it. */
  rerunOf: Schema.NullOr(AutomationRerunOf),
  createdAt: Timestamp,
  startedAt: Schema.NullOr(Timestamp),
  finishedAt: Schema.NullOr(Timestamp)
}) {}

/** Run in the timeline of its contact, at the time of its creation. */
export class AutomationRunEntry extends Schema.Class<AutomationRunEntry>("AutomationRunEntry")(
  {
    kind: Schema.Literal("automation_run"),
    id: AutomationRunId,
    at: Timestamp,
    automationId: AutomationId,
    state: AutomationRunState,
    reason: Schema.NullOr(AutomationRunReason)
  },
  objectShownWith("automations.read")
) {}

/** Whether the run has ended. */
export const isRunOver = (state: AutomationRunState): boolean => state !== "queued" && state !== "running"

const isOver = ({ state }: RunAction) => state === "done" || state === "failed" || state === "skipped"

/** Marks the remaining actions of an ended run as skipped. */
export const skipRemaining = (actions: ReadonlyArray<RunAction>): ReadonlyArray<RunAction> =>
  actions.map((action) => (isOver(action) ? action : { ...action, state: "skipped", until: null }))

/** Maximum number of automations and workflows in the causation of an event. */
const maxCausationDepth = 5

/** Returns why an event with this causation must not start the automation or workflow; `null` if it can. */
export const abortReason = (causation: Causation | null, { id, kind }: AutomatedRef): "cycle" | "too_deep" | null => {
  if (causation === null) return null
  if (causation.via.some((each) => each.kind === kind && each.id === id)) return "cycle"
  return causation.depth >= maxCausationDepth ? "too_deep" : null
}

/** Builds the causation of events that a run appends. `position` is its start event, which is the root if it has no causation. */
export const causedBy = (causation: Causation | null, by: AutomatedRef, position: number | null): Causation => ({
  depth: (causation?.depth ?? 0) + 1,
  root: causation === null ? position : causation.root,
  via: [...(causation?.via ?? []), by]
})

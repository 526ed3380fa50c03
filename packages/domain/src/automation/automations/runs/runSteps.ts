/**
 * State machine of an automation run. `stepAutomationRun` is pure: it decides everything from the run and one input. `runLanes.ts` evaluates a run, and
 * `performActions.ts` executes the commands and stores each result in the unit of work of its action.
 *
 * | State               | Input                                   | Next state                       | Command                    |
 * | ------------------- | --------------------------------------- | -------------------------------- | -------------------------- |
 * | `queued`            | `Evaluated`: the conditions hold        | `running`; without actions over  | `PerformAction`            |
 * | `queued`            | `Evaluated`: they do not hold           | `skipped`                        | none                       |
 * | `queued`            | `Evaluated`: over the hourly limit      | `aborted`                        | none                       |
 * | `running`           | `Evaluated`                             | `running`                        | `PerformAction`            |
 * | `running`           | `ActionDone`: done or refused           | `running`, `succeeded`, `failed` | `PerformAction`; none over |
 * | `running`           | `ActionDone`: wait                      | `running`                        | none                       |
 * | `running`           | `ActionDone`: call                      | `running`                        | `AwaitCall`                |
 * | `running`           | `CallEnded`                             | `running`, `succeeded`, `failed` | `PerformAction`; none over |
 * | `queued`, `running` | `RuleMissing`, `ContactMissing`         | `aborted`                        | none                       |
 * | `queued`, `running` | `Cancelled`                             | `cancelled`                      | none                       |
 *
 * An ended run never changes.
 */
import type { DateTime } from "effect"
import type { ActionResult } from "../actions/ActionResult.ts"
import type { ConditionExplanation } from "../conditions/ConditionInput.ts"
import { AutomationRun, isRunOver, type RunAction, skipRemaining } from "./AutomationRun.ts"
import type { AutomationRule } from "./contactRunQueue.ts"

const isDone = ({ state }: RunAction) => state === "done" || state === "failed" || state === "skipped"

/** Next action of a run; `null` if none is left. */
export const nextAction = ({ actions }: AutomationRun): RunAction | null =>
  actions.find((each) => !isDone(each)) ?? null

/** A repeated wait for the end of quiet hours is not a new attempt. */
const attemptsAfter = ({ attempts, state }: RunAction, result: ActionResult): number =>
  state === "waiting" && result.kind === "wait" && result.reason === "quiet_hours" ? attempts : attempts + 1

const applyResult = (before: RunAction, result: ActionResult): RunAction => {
  const after = { ...before, attempts: attemptsAfter(before, result), until: null, error: null }
  switch (result.kind) {
    case "done":
      return {
        ...after,
        state: "done",
        effect: result.effect,
        ...(result.assignment && { assignment: result.assignment })
      }
    case "refused":
      return { ...after, state: "failed", error: result.error }
    case "wait":
      return { ...after, state: "waiting", until: result.until }
    case "calling":
      return { ...after, state: "calling", effect: result.effect }
  }
}

/** Ends a run without remaining actions. */
const concludeRun = (run: AutomationRun, now: DateTime.Utc): AutomationRun =>
  isRunOver(run.state) || nextAction(run) !== null
    ? run
    : new AutomationRun({
        ...run,
        state: run.actions.some(({ state }) => state === "failed") ? "failed" : "succeeded",
        finishedAt: now
      })

/** Applies the result of an action. A failure ends the run if the action specifies it. */
const afterAction = (
  run: AutomationRun,
  rule: Pick<AutomationRule, "then">,
  index: number,
  result: ActionResult,
  now: DateTime.Utc
): AutomationRun => {
  const actions = run.actions.map((each) => (each.index === index ? applyResult(each, result) : each))
  const stops = result.kind === "refused" && rule.then[index]?.onError === "stop"
  const reason = result.kind === "wait" && result.reason === "quiet_hours" ? result.reason : null
  return concludeRun(new AutomationRun({ ...run, reason, actions: stops ? skipRemaining(actions) : actions }), now)
}

/** Starts the run after its conditions held. */
const startActions = (run: AutomationRun, conditions: AutomationRun["conditions"], now: DateTime.Utc): AutomationRun =>
  concludeRun(new AutomationRun({ ...run, state: "running", conditions, startedAt: now }), now)

/** Ends the run, because its conditions did not hold. */
const skipRun = (run: AutomationRun, conditions: AutomationRun["conditions"], now: DateTime.Utc): AutomationRun =>
  new AutomationRun({
    ...run,
    state: "skipped",
    conditions,
    actions: skipRemaining(run.actions),
    startedAt: now,
    finishedAt: now
  })

/** Ends the run before its remaining actions. */
export const abortRun = (
  run: AutomationRun,
  reason: NonNullable<AutomationRun["reason"]>,
  now: DateTime.Utc
): AutomationRun =>
  new AutomationRun({ ...run, state: "aborted", reason, actions: skipRemaining(run.actions), finishedAt: now })

/** Ends the run before its remaining actions, because a use case cancelled it. */
const cancelRun = (run: AutomationRun, now: DateTime.Utc): AutomationRun =>
  new AutomationRun({
    ...run,
    state: "cancelled",
    reason: null,
    actions: skipRemaining(run.actions),
    finishedAt: now
  })

type Timed<Tag extends string, Fields = object> = { readonly _tag: Tag; readonly now: DateTime.Utc } & Fields

/** Result of the evaluation of a queued run. */
interface EvaluatedStart {
  readonly conditions: ConditionExplanation
  /** Whether the automation can start another run for the contact in this hour. */
  readonly isWithinLimit: boolean
}

interface DoneAction {
  readonly index: number
  readonly result: ActionResult
  readonly then: AutomationRule["then"]
}

/** Input of a run. */
export type AutomationRunInput =
  /** The facts are loaded. `start` is null if the run has already started. */
  | Timed<"Evaluated", { readonly start: EvaluatedStart | null }>
  /** The automation is deleted or disabled. */
  | Timed<"RuleMissing">
  /** The contact is deleted. */
  | Timed<"ContactMissing">
  | Timed<"Cancelled">
  | Timed<"ActionDone", DoneAction>
  /** The attempts of the call count as attempts of its action. */
  | Timed<"CallEnded", DoneAction & { readonly attempts: number }>

/** Instruction for the interpreter. Without a command, the run has ended or waits until a time. */
export type AutomationRunCommand =
  | { readonly _tag: "PerformAction"; readonly index: number }
  /** Later runs of the contact wait for the call. */
  | { readonly _tag: "AwaitCall" }

/** Next run with its command. */
export interface AutomationRunDecision {
  readonly run: AutomationRun
  readonly command: AutomationRunCommand | null
}

const withAttempts = (run: AutomationRun, index: number, attempts: number): AutomationRun =>
  new AutomationRun({
    ...run,
    actions: run.actions.map((each) => (each.index === index ? { ...each, attempts } : each))
  })

const decide = (run: AutomationRun): AutomationRunDecision => {
  const action = isRunOver(run.state) ? null : nextAction(run)
  return { run, command: action === null ? null : { _tag: "PerformAction", index: action.index } }
}

const onEvaluated = (run: AutomationRun, start: EvaluatedStart | null, now: DateTime.Utc): AutomationRun => {
  if (start === null || run.state === "running") return run
  const { conditions, isWithinLimit } = start
  if (!conditions.held) return skipRun(run, conditions, now)
  return isWithinLimit
    ? startActions(run, conditions, now)
    : abortRun(new AutomationRun({ ...run, conditions }), "rate", now)
}

const onActionDone = (run: AutomationRun, { index, now, result, then }: Timed<"ActionDone", DoneAction>) => {
  const after = afterAction(run, { then }, index, result, now)
  if (result.kind === "wait") return { run: after, command: null }
  return result.kind === "calling" ? { run: after, command: { _tag: "AwaitCall" } as const } : decide(after)
}

/** Returns the next state of a run, and the command that follows from an input. An ended run does not change. */
export const stepAutomationRun = (run: AutomationRun, input: AutomationRunInput): AutomationRunDecision => {
  if (isRunOver(run.state)) return { run, command: null }
  switch (input._tag) {
    case "Evaluated":
      return decide(onEvaluated(run, input.start, input.now))
    case "RuleMissing":
      return decide(abortRun(run, "automation_disabled", input.now))
    case "ContactMissing":
      return decide(abortRun(run, "contact_gone", input.now))
    case "Cancelled":
      return decide(cancelRun(run, input.now))
    case "ActionDone":
      return onActionDone(run, input)
    case "CallEnded": {
      const { attempts, index, now, result, then } = input
      return decide(withAttempts(afterAction(run, { then }, index, result, now), index, attempts))
    }
  }
}

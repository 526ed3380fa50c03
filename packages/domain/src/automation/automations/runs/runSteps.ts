/**
 * State machine of an automation run. Each function returns the next run, and changes nothing else.
 *
 * | State               | Input                                                    | Function       | Next state                     |
 * | ------------------- | -------------------------------------------------------- | -------------- | ------------------------------ |
 * | `queued`            | conditions that hold                                     | `startActions` | `running`; without actions over |
 * | `queued`            | conditions that do not hold                              | `skipRun`      | `skipped`                      |
 * | `queued`, `running` | deleted rule or contact; at the start, the hourly limit  | `abortRun`     | `cut`                          |
 * | `running`           | action result, answer of a plugin call, service error    | `afterAction`  | `running`, `succeeded`, `failed` |
 *
 * The command is the next action (`nextAction`). `runLanes.ts` evaluates a run, and `performActions.ts` executes its actions and stores each result in
 * the unit of work of the action.
 */
import type { DateTime } from "effect"
import type { ActionResult } from "../actions/ActionResult.ts"
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
      return { ...after, state: "calling", effect: { kind: "plugin_call", id: result.callId } }
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
export const afterAction = (
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
export const startActions = (
  run: AutomationRun,
  conditions: AutomationRun["conditions"],
  now: DateTime.Utc
): AutomationRun => concludeRun(new AutomationRun({ ...run, state: "running", conditions, startedAt: now }), now)

/** Ends the run, because its conditions did not hold. */
export const skipRun = (
  run: AutomationRun,
  conditions: AutomationRun["conditions"],
  now: DateTime.Utc
): AutomationRun =>
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

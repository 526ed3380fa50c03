import { DateTime, Effect } from "effect"
import { CurrentCausation, transact } from "../../../kernel/index.ts"
import type { LaneLease } from "../../../platform/background/index.ts"
import { performAction } from "../actions/performAction.ts"
import type { Facts } from "../facts/Facts.ts"
import { causedBy, type RunAction } from "./AutomationRun.ts"
import type { StoredAutomationRun } from "./AutomationRuns.ts"
import { type ContactRunQueue, loadQueueFacts, isQueueHeld, type AutomationRule } from "./contactRunQueue.ts"
import { afterAction, abortRun, nextAction } from "./runSteps.ts"
import { saveRunsUnderLease } from "./savedRuns.ts"

/** Changes to store together with a step. */
export interface ActionStep {
  readonly lease: LaneLease
  readonly rule: AutomationRule
  readonly kept: StoredAutomationRun
  readonly facts: Facts
  /** Runs that ended before it without actions. */
  readonly others: ReadonlyArray<StoredAutomationRun>
}

/** Performs an action and stores its result in one unit of work. */
const performStep = Effect.fnUntraced(function* (
  { facts, kept, lease, others, rule }: ActionStep,
  { index }: Pick<RunAction, "index">
) {
  const { run } = kept
  const action = rule.then[index]
  if (action === undefined) return yield* Effect.die(new Error(`The automation ${rule.id} has no action ${index}.`))
  const by = { kind: "automation", id: rule.id } as const
  const step = Effect.gen(function* () {
    const cause = { ...by, runId: run.id, step: String(index), visit: 1 }
    const result = yield* performAction(action, { cause, facts })
    const after = { ...kept, run: afterAction(run, rule, index, result, yield* DateTime.now) }
    yield* saveRunsUnderLease(lease, [...others, after])
    return { result, kept: { ...after, revision: kept.revision + 1 } }
  })
  return yield* transact(step).pipe(
    Effect.provideService(CurrentCausation, causedBy(run.causation, by, run.event.position))
  )
})

/** `held`: no action can start. `blocked`: later runs of the contact wait for this one. */
export type PerformResult = "done" | "held" | "blocked"

/** Run to perform, after its evaluation. */
export interface StartedRun {
  readonly rule: AutomationRule
  readonly kept: StoredAutomationRun
  /** Runs that ended before it without actions. They are stored with its first action. */
  readonly others: ReadonlyArray<StoredAutomationRun>
}

const asPerformResult = (performed: PerformResult) => performed

/** Performs the remaining actions of a run. Each action starts only if no hold is active. */
export const performActions = Effect.fnUntraced(function* (
  lease: LaneLease,
  { kept: first, others: before, rule }: StartedRun,
  turn: ContactRunQueue
) {
  let kept = first
  let others = before
  while (true) {
    const action = nextAction(kept.run)
    if (action === null) return asPerformResult("done")
    if (yield* isQueueHeld(turn)) return asPerformResult("held")
    const facts = yield* loadQueueFacts(turn, kept.run)
    if (facts === null) {
      const over = { ...kept, run: abortRun(kept.run, "contact_gone", yield* DateTime.now) }
      yield* transact(saveRunsUnderLease(lease, [...others, over]))
      return asPerformResult("done")
    }
    const step = yield* performStep({ lease, rule, kept, facts, others }, action)
    turn.facts.clear()
    kept = step.kept
    others = []
    if (step.result.kind === "wait") return asPerformResult("done")
    if (step.result.kind === "calling") return asPerformResult("blocked")
  }
})

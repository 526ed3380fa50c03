import { DateTime, Effect } from "effect"
import { CurrentCausation, transact } from "../../../kernel/index.ts"
import type { LaneLease } from "../../../platform/background/index.ts"
import { performAction } from "../actions/performAction.ts"
import type { Facts } from "../facts/Facts.ts"
import { causedBy } from "./AutomationRun.ts"
import type { StoredAutomationRun } from "./AutomationRuns.ts"
import { type ContactRunQueue, loadQueueFacts, isQueueHeld, type AutomationRule } from "./contactRunQueue.ts"
import { type AutomationRunCommand, stepAutomationRun } from "./runSteps.ts"
import { loadStepFacts } from "./stepVariables.ts"
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
const performStep = Effect.fnUntraced(function* ({ facts, kept, lease, others, rule }: ActionStep, index: number) {
  const { run } = kept
  const action = rule.then[index]
  if (action === undefined) return yield* Effect.die(new Error(`The automation ${rule.id} has no action ${index}.`))
  const by = { kind: "automation", id: rule.id } as const
  const step = Effect.gen(function* () {
    const cause = { ...by, runId: run.id, step: String(index), visit: 1 }
    const stepFacts = yield* loadStepFacts(facts, run, rule.then, index)
    const result = yield* performAction(action, { cause, facts: stepFacts })
    const now = yield* DateTime.now
    const decision = stepAutomationRun(run, { _tag: "ActionDone", now, index, result, then: rule.then })
    const after = { ...kept, run: decision.run }
    yield* saveRunsUnderLease(lease, [...others, after])
    return { command: decision.command, kept: { ...after, revision: kept.revision + 1 } }
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
  readonly command: AutomationRunCommand
  /** Runs that ended before it without actions. They are stored with its first action. */
  readonly others: ReadonlyArray<StoredAutomationRun>
}

const asPerformResult = (performed: PerformResult) => performed

/** Performs the remaining actions of a run. Each action starts only if no hold is active. */
export const performActions = Effect.fnUntraced(function* (
  lease: LaneLease,
  { command: firstCommand, kept: first, others: before, rule }: StartedRun,
  turn: ContactRunQueue
) {
  let kept = first
  let others = before
  let command: AutomationRunCommand | null = firstCommand
  while (command?._tag === "PerformAction") {
    if (yield* isQueueHeld(turn)) return asPerformResult("held")
    const facts = yield* loadQueueFacts(turn, kept.run)
    if (facts === null) {
      const { run } = stepAutomationRun(kept.run, { _tag: "ContactMissing", now: yield* DateTime.now })
      yield* transact(saveRunsUnderLease(lease, [...others, { ...kept, run }]))
      return asPerformResult("done")
    }
    const step: Effect.Success<ReturnType<typeof performStep>> = yield* performStep(
      { lease, rule, kept, facts, others },
      command.index
    )
    turn.facts.clear()
    kept = step.kept
    command = step.command
    others = []
  }
  return asPerformResult(command === null ? "done" : "blocked")
})

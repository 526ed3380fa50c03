import { DateTime, Effect } from "effect"
import { transact } from "../../../../kernel/index.ts"
import type { LaneLease } from "../../../../platform/background/index.ts"
import type { KeptRun } from "../AutomationRuns.ts"
import type { Rule } from "../Rule.ts"
import { type ContactTurn, isHeldIn } from "./ContactTurn.ts"
import { factsIn } from "./factsIn.ts"
import { keepRunsUnder } from "./keepRuns.ts"
import { performStep } from "./performStep.ts"
import { cut, nextAction } from "./step.ts"

/** `held`: nothing may be performed now. `blocked`: the later runs of the contact wait for this one. */
export type Performed = "done" | "held" | "blocked"

/** A run that is to be performed, as it is after it was judged. */
export interface BegunRun {
  readonly rule: Rule
  readonly kept: KeptRun
  /** Runs that were looked at before it, and came to nothing: they are kept with its first action. */
  readonly others: ReadonlyArray<KeptRun>
}

const as = (performed: Performed) => performed

/** Performs what is left of a run. Each action starts only while nothing holds it. */
export const performActions = Effect.fnUntraced(function* (
  lease: LaneLease,
  { kept: first, others: before, rule }: BegunRun,
  turn: ContactTurn
) {
  let kept = first
  let others = before
  while (true) {
    const action = nextAction(kept.run)
    if (action === null) return as("done")
    if (yield* isHeldIn(turn)) return as("held")
    const facts = yield* factsIn(turn, kept.run)
    if (facts === null) {
      const over = { ...kept, run: cut(kept.run, "contact_gone", yield* DateTime.now) }
      yield* transact(keepRunsUnder(lease, [...others, over]))
      return as("done")
    }
    const step = yield* performStep({ lease, rule, kept, facts, others }, action)
    turn.facts.clear()
    kept = step.kept
    others = []
    if (step.result.kind === "wait") return as("done")
    if (step.result.kind === "calling") return as("blocked")
  }
})

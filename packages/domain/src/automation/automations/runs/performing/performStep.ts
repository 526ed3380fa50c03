import { DateTime, Effect } from "effect"
import { CurrentCausation, transact } from "../../../../kernel/index.ts"
import type { LaneLease } from "../../../../platform/background/index.ts"
import { performAction } from "../../actions/performAction.ts"
import type { Facts } from "../../facts/Facts.ts"
import type { RunAction } from "../AutomationRun.ts"
import type { KeptRun } from "../AutomationRuns.ts"
import { causedBy } from "../cuts.ts"
import type { Rule } from "../Rule.ts"
import { keepRunsUnder } from "./keepRuns.ts"
import { afterAction } from "./step.ts"

/** What is kept together with a step. */
export interface Step {
  readonly lease: LaneLease
  readonly rule: Rule
  readonly kept: KeptRun
  readonly facts: Facts
  /** Runs that were looked at before it, and came to nothing. */
  readonly others: ReadonlyArray<KeptRun>
}

/** Performs an action and keeps what came of it, in one unit of work. */
export const performStep = Effect.fnUntraced(function* (
  { facts, kept, lease, others, rule }: Step,
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
    yield* keepRunsUnder(lease, [...others, after])
    return { result, kept: { ...after, revision: kept.revision + 1 } }
  })
  return yield* transact(step).pipe(
    Effect.provideService(CurrentCausation, causedBy(run.causation, by, run.event.position))
  )
})

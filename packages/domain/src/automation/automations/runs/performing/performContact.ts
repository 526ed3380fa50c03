import { Cause, DateTime, Effect, Exit } from "effect"
import type { ContactId } from "../../../../crm/index.ts"
import { transact } from "../../../../kernel/index.ts"
import type { LaneLease } from "../../../../platform/background/index.ts"
import type { Facts } from "../../facts/Facts.ts"
import { AutomationRun } from "../AutomationRun.ts"
import type { KeptRun } from "../AutomationRuns.ts"
import { judgement } from "../judgement.ts"
import { keyOfRule, type Rule, type RuleBook } from "../Rule.ts"
import { admits, beginContact, type ContactTurn } from "./ContactTurn.ts"
import { factsIn } from "./factsIn.ts"
import { followMerge } from "./followMerge.ts"
import { keepRunsUnder } from "./keepRuns.ts"
import { noteFault } from "./noteFault.ts"
import { performActions, type Performed } from "./performActions.ts"
import { RunMoved } from "./RunMoved.ts"
import { begun, cut, nextAction, skipped } from "./step.ts"

/** What becomes of a run before its next action: it goes on, or it is over. */
const judged = Effect.fnUntraced(function* (
  { run }: KeptRun,
  rule: Rule | null,
  facts: Facts | null,
  turn: ContactTurn
) {
  const now = yield* DateTime.now
  if (rule === null) return cut(run, "automation_disabled", now)
  if (facts === null) return cut(run, "contact_gone", now)
  if (run.state === "running") return run
  const conditions = yield* judgement(rule, facts)
  if (!conditions.held) return skipped(run, conditions, now)
  if (admits(turn, run.automationId)) return begun(run, conditions, now)
  return cut(new AutomationRun({ ...run, conditions }), "rate", now)
})

/** Judges a run, and performs it unless it is over by that: then it is left for the unit of work of the next one. */
const performRun = Effect.fnUntraced(function* (
  lease: LaneLease,
  kept: KeptRun,
  turn: ContactTurn,
  others: ReadonlyArray<KeptRun>
) {
  const rule = turn.rules.get(keyOfRule(kept.run)) ?? null
  const facts = rule === null ? null : yield* factsIn(turn, kept.run)
  if (rule !== null && facts === null && (yield* followMerge(turn.contactId))) return yield* new RunMoved()
  const after = { ...kept, run: yield* judged(kept, rule, facts, turn) }
  if (rule === null || nextAction(after.run) === null) return { performed: "done" as const, others: [...others, after] }
  return { performed: yield* performActions(lease, { rule, kept: after, others }, turn), others: [] }
})

const as = (performed: Performed) => performed

/**
 * Performs runs of one contact in their order, each with what the former ones did. Where the service fails in one, those that came to
 * nothing before it are judged once more. `freeAt` is when nothing held actions.
 */
export const performContact = Effect.fnUntraced(function* (
  lease: LaneLease,
  contactId: ContactId,
  runs: ReadonlyArray<KeptRun>,
  rules: RuleBook,
  freeAt: DateTime.Utc
) {
  const turn = yield* beginContact(contactId, rules, freeAt)
  let others: ReadonlyArray<KeptRun> = []
  for (const kept of runs) {
    const exit = yield* Effect.exit(performRun(lease, kept, turn, others))
    if (Exit.isFailure(exit)) {
      if (Cause.hasInterrupts(exit.cause)) return yield* Effect.failCause(exit.cause)
      yield* noteFault(lease, kept, exit.cause)
      return as("done")
    }
    others = exit.value.others
    if (exit.value.performed !== "done") return exit.value.performed
  }
  if (others.length > 0) yield* transact(keepRunsUnder(lease, others))
  return as("done")
})

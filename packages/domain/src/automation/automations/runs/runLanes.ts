import { Cause, DateTime, Duration, Effect, Exit } from "effect"
import type { ContactId } from "../../../crm/index.ts"
import { asSystem, transact } from "../../../kernel/index.ts"
import { type LaneLease, laneWork, workDue } from "../../../platform/background/index.ts"
import { heldBecause } from "../AutomationSettings.ts"
import type { Facts } from "../facts/Facts.ts"
import { AutomationRun } from "./AutomationRun.ts"
import { AutomationRuns, type KeptRun } from "./AutomationRuns.ts"
import { noteFault } from "./actionResults.ts"
import { followMerge, laneNumber, runsWork } from "./contactLanes.ts"
import {
  admits,
  beginContact,
  type ContactTurn,
  factsIn,
  judgement,
  keyOfRule,
  type Rule,
  type RuleBook,
  rulesOf
} from "./contactTurns.ts"
import { performActions, type Performed } from "./performActions.ts"
import { begun, cut, nextAction, skipped } from "./runSteps.ts"
import { keepRunsUnder, RunMoved } from "./savedRuns.ts"

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
const performContact = Effect.fnUntraced(function* (
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

/** For how long one lane is worked at before another one's turn comes. */
const turn = Duration.seconds(3)

const mostAtOnce = 64

/** For how many contacts of a lane runs are performed side by side. */
const contactsAtOnce = 4

const within = asSystem("automations")

const byContact = (runs: ReadonlyArray<KeptRun>): ReadonlyArray<readonly [ContactId, ReadonlyArray<KeptRun>]> => {
  const found = new Map<ContactId, Array<KeptRun>>()
  for (const kept of runs) {
    const { contactId } = kept.run
    if (contactId === null) continue
    found.set(contactId, [...(found.get(contactId) ?? []), kept])
  }
  return [...found]
}

/** Performs what waits in a lane until nothing does, the turn is over, or nothing may be performed. */
const performLane = Effect.fnUntraced(function* (lease: LaneLease) {
  const runs = yield* AutomationRuns
  const end = DateTime.addDuration(yield* DateTime.now, turn)
  while (true) {
    const now = yield* DateTime.now
    if ((yield* heldBecause) !== null) return
    const next = yield* runs.next(laneNumber(lease), now, mostAtOnce)
    if (next.length === 0) return
    const rules = yield* rulesOf(next.map(({ run }) => run))
    const performed = yield* Effect.forEach(
      byContact(next),
      ([contactId, its]) =>
        Effect.catchTag(performContact(lease, contactId, its, rules, now), "RunMoved", () =>
          Effect.succeed("done" as const)
        ),
      { concurrency: contactsAtOnce }
    )
    if (performed.includes("held") || DateTime.isGreaterThanOrEqualTo(yield* DateTime.now, end)) return
  }
})

const nextDue = Effect.fnUntraced(function* (lease: LaneLease) {
  return (yield* heldBecause) === null ? yield* (yield* AutomationRuns).nextDue(laneNumber(lease)) : null
})

/** What automations are to do about events is done contact by contact. */
export const automationRunLanes = laneWork({
  name: runsWork,
  concurrency: 16,
  run: (lease) => within(lease.organizationId)(performLane(lease)),
  nextDue: (lease) => within(lease.organizationId)(nextDue(lease))
})

/** Performs what there is to perform, in all organizations that nobody else works for. */
export const performRuns = workDue(automationRunLanes)

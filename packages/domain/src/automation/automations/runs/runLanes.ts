import { Cause, DateTime, Duration, Effect, Exit } from "effect"
import type { ContactId } from "../../../crm/index.ts"
import { asSystem, transact } from "../../../kernel/index.ts"
import { type LaneLease, defineLaneWorker, runDueLanes } from "../../../platform/background/index.ts"
import { holdReason } from "../AutomationSettings.ts"
import type { Facts } from "../facts/Facts.ts"
import { AutomationRuns, type StoredAutomationRun } from "./AutomationRuns.ts"
import { recordRunFailure } from "./actionResults.ts"
import { followMerge, laneNumber, automationRunTaskName } from "./contactLanes.ts"
import {
  reserveRunStart,
  startContactRunQueue,
  type ContactRunQueue,
  loadQueueFacts,
  evaluateConditions,
  keyOfRule,
  type AutomationRule,
  type AutomationRules,
  loadRules
} from "./contactRunQueue.ts"
import { performActions, type PerformResult } from "./performActions.ts"
import { type AutomationRunInput, stepAutomationRun } from "./runSteps.ts"
import { saveRunsUnderLease, RunConflict } from "./savedRuns.ts"

/** Evaluates a run before its next action. A run that starts counts for the hourly limit. */
const evaluateRun = Effect.fnUntraced(function* (
  { run }: StoredAutomationRun,
  rule: AutomationRule | null,
  facts: Facts | null,
  turn: ContactRunQueue
) {
  const now = yield* DateTime.now
  if (rule === null) return { _tag: "RuleMissing", now } satisfies AutomationRunInput
  if (facts === null) return { _tag: "ContactMissing", now } satisfies AutomationRunInput
  if (run.state === "running") return { _tag: "Evaluated", now, start: null } satisfies AutomationRunInput
  const conditions = yield* evaluateConditions(rule, facts)
  const isWithinLimit = conditions.held && reserveRunStart(turn, run.automationId)
  return { _tag: "Evaluated", now, start: { conditions, isWithinLimit } } satisfies AutomationRunInput
})

/** Evaluates a run and performs its actions. If it ends without actions, the unit of work of the next run stores it. */
const performRun = Effect.fnUntraced(function* (
  lease: LaneLease,
  kept: StoredAutomationRun,
  turn: ContactRunQueue,
  others: ReadonlyArray<StoredAutomationRun>
) {
  const rule = turn.rules.get(keyOfRule(kept.run)) ?? null
  const facts = rule === null ? null : yield* loadQueueFacts(turn, kept.run)
  if (rule !== null && facts === null && (yield* followMerge(turn.contactId))) return yield* new RunConflict()
  const { command, run } = stepAutomationRun(kept.run, yield* evaluateRun(kept, rule, facts, turn))
  const after = { ...kept, run }
  if (rule === null || command === null) return { performed: "done" as const, others: [...others, after] }
  return { performed: yield* performActions(lease, { rule, kept: after, command, others }, turn), others: [] }
})

const asPerformResult = (performed: PerformResult) => performed

/**
 * Performs the runs of one contact in order; each sees the effects of the earlier ones. After a service error,
 * earlier runs without actions are evaluated again. `freeAt` is the last time without a hold.
 */
const performContact = Effect.fnUntraced(function* (
  lease: LaneLease,
  contactId: ContactId,
  runs: ReadonlyArray<StoredAutomationRun>,
  rules: AutomationRules,
  freeAt: DateTime.Utc
) {
  const turn = yield* startContactRunQueue(contactId, rules, freeAt)
  let others: ReadonlyArray<StoredAutomationRun> = []
  for (const kept of runs) {
    const exit = yield* Effect.exit(performRun(lease, kept, turn, others))
    if (Exit.isFailure(exit)) {
      if (Cause.hasInterrupts(exit.cause)) return yield* Effect.failCause(exit.cause)
      yield* recordRunFailure(lease, kept, exit.cause)
      return asPerformResult("done")
    }
    others = exit.value.others
    if (exit.value.performed !== "done") return exit.value.performed
  }
  if (others.length > 0) yield* transact(saveRunsUnderLease(lease, others))
  return asPerformResult("done")
})

/** Maximum time for one lane before another lane is processed. */
const maxTurn = Duration.seconds(3)

const batchSize = 64

/** Number of contacts per lane whose runs are performed concurrently. */
const maxConcurrentContacts = 4

const asAutomationSystem = asSystem("automations")

const groupByContact = (
  runs: ReadonlyArray<StoredAutomationRun>
): ReadonlyArray<readonly [ContactId, ReadonlyArray<StoredAutomationRun>]> => {
  const found = new Map<ContactId, Array<StoredAutomationRun>>()
  for (const kept of runs) {
    const { contactId } = kept.run
    if (contactId === null) continue
    found.set(contactId, [...(found.get(contactId) ?? []), kept])
  }
  return [...found]
}

/** Performs the due runs of a lane until none is left, the time is over, or a hold is active. */
const performLane = Effect.fnUntraced(function* (lease: LaneLease) {
  const runs = yield* AutomationRuns
  const end = DateTime.addDuration(yield* DateTime.now, maxTurn)
  while (true) {
    const now = yield* DateTime.now
    if ((yield* holdReason) !== null) return
    const next = yield* runs.next(laneNumber(lease), now, batchSize)
    if (next.length === 0) return
    const rules = yield* loadRules(next.map(({ run }) => run))
    const performed = yield* Effect.forEach(
      groupByContact(next),
      ([contactId, its]) =>
        Effect.catchTag(performContact(lease, contactId, its, rules, now), "RunMoved", () =>
          Effect.succeed("done" as const)
        ),
      { concurrency: maxConcurrentContacts }
    )
    if (performed.includes("held") || DateTime.isGreaterThanOrEqualTo(yield* DateTime.now, end)) return
  }
})

const nextDue = Effect.fnUntraced(function* (lease: LaneLease) {
  return (yield* holdReason) === null ? yield* (yield* AutomationRuns).nextDue(laneNumber(lease)) : null
})

/** Performs automation runs, contact by contact. */
export const automationRunLaneWorker = defineLaneWorker({
  name: automationRunTaskName,
  concurrency: 16,
  run: (lease) => asAutomationSystem(lease.organizationId)(performLane(lease)),
  nextDue: (lease) => asAutomationSystem(lease.organizationId)(nextDue(lease))
})

/** Performs due runs of all organizations whose lanes are free. */
export const performRuns = runDueLanes(automationRunLaneWorker)

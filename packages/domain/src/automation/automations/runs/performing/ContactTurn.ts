import { DateTime, Duration, Effect } from "effect"
import type { ContactId } from "../../../../crm/index.ts"
import type { ScheduleId } from "../../../schedules/index.ts"
import type { AutomationId } from "../../Automation.ts"
import type { Facts } from "../../facts/Facts.ts"
import { schedulesNamed } from "../../schedulesNamed.ts"
import { AutomationRuns } from "../AutomationRuns.ts"
import { heldBecause } from "../held.ts"
import type { RuleBook } from "../Rule.ts"

/** So many runs of one automation begin for a contact within an hour. */
export const mostInAnHour = 10

/** What is remembered while the runs of a contact are performed one after another. */
export interface ContactTurn {
  readonly contactId: ContactId
  /** How many runs of each automation have begun within the last hour. */
  readonly begun: Map<AutomationId, number>
  /** What was read of events, by their positions, since anything was done. */
  readonly facts: Map<number, Facts | null>
  /** What their automations are to do, as it was when they were taken out of the line. */
  readonly rules: RuleBook
  /** The schedules that they may name. */
  readonly schedules: ReadonlyArray<ScheduleId>
  /** When it was last seen that nothing holds actions. */
  freeAt: DateTime.Utc
}

/** For so long nobody looks again whether anything holds actions: a pause takes hold within a second. */
const freeFor = Duration.millis(250)

const schedulesIn = (rules: RuleBook): ReadonlyArray<ScheduleId> => [
  ...new Set([...rules.values()].flatMap((rule) => (rule === null ? [] : schedulesNamed([rule.if], rule.then))))
]

/** Begins to perform runs of a contact. */
export const beginContact = Effect.fnUntraced(function* (contactId: ContactId, rules: RuleBook, freeAt: DateTime.Utc) {
  const since = DateTime.subtract(yield* DateTime.now, { hours: 1 })
  const turn: ContactTurn = {
    contactId,
    begun: new Map(yield* (yield* AutomationRuns).begunSince(contactId, since)),
    facts: new Map(),
    rules,
    schedules: schedulesIn(rules),
    freeAt
  }
  return turn
})

/** Whether anything holds actions now. */
export const isHeldIn = Effect.fnUntraced(function* (turn: ContactTurn) {
  const now = yield* DateTime.now
  if (DateTime.isLessThan(now, DateTime.addDuration(turn.freeAt, freeFor))) return false
  if ((yield* heldBecause) !== null) return true
  turn.freeAt = now
  return false
})

/** Whether one more run of the automation may begin; it is counted then. */
export const admits = ({ begun }: ContactTurn, id: AutomationId): boolean => {
  const count = begun.get(id) ?? 0
  if (count >= mostInAnHour) return false
  begun.set(id, count + 1)
  return true
}

import { DateTime, Effect } from "effect"
import type { ContactId } from "../../../crm/index.ts"
import type { AutomationId } from "../../Automation.ts"
import type { Facts } from "../../facts/Facts.ts"
import { AutomationRuns } from "../AutomationRuns.ts"

/** So many runs of one automation begin for a contact within an hour. */
export const mostInAnHour = 10

/** What is remembered while the runs of a contact are performed one after another. */
export interface ContactTurn {
  readonly contactId: ContactId
  /** How many runs of each automation have begun within the last hour. */
  readonly begun: Map<AutomationId, number>
  /** What was read of events, by their positions, since anything was done. */
  readonly facts: Map<number, Facts | null>
}

/** Begins to perform runs of a contact. */
export const beginContact = Effect.fnUntraced(function* (contactId: ContactId) {
  const since = DateTime.subtract(yield* DateTime.now, { hours: 1 })
  const turn: ContactTurn = {
    contactId,
    begun: new Map(yield* (yield* AutomationRuns).begunSince(contactId, since)),
    facts: new Map()
  }
  return turn
})

/** Whether one more run of the automation may begin; it is counted then. */
export const admits = ({ begun }: ContactTurn, id: AutomationId): boolean => {
  const count = begun.get(id) ?? 0
  if (count >= mostInAnHour) return false
  begun.set(id, count + 1)
  return true
}

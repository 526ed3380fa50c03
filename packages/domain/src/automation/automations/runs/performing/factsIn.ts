import { Effect } from "effect"
import type { AutomationRun } from "../AutomationRun.ts"
import { situationOf } from "../situationOf.ts"
import type { ContactTurn } from "./ContactTurn.ts"

/** What the event of a run is about, as it is today: read once, until something was done. */
export const factsIn = Effect.fnUntraced(function* (
  { contactId, facts, schedules }: ContactTurn,
  { event: { position } }: AutomationRun
) {
  const known = facts.get(position)
  if (known !== undefined) return known
  const read = yield* situationOf(position, contactId, schedules)
  facts.set(position, read)
  return read
})

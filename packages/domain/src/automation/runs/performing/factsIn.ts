import { Effect } from "effect"
import { namesSchedules } from "../../namesSchedules.ts"
import type { AutomationRun } from "../AutomationRun.ts"
import type { Rule } from "../Rule.ts"
import { situationOf } from "../situationOf.ts"
import type { ContactTurn } from "./ContactTurn.ts"

/** What the event of a run is about, as it is today: read once, until something was done; the schedules only where a rule names any. */
export const factsIn = Effect.fnUntraced(function* (
  { contactId, facts }: ContactTurn,
  { event: { position } }: AutomationRun,
  rule: Rule
) {
  const known = facts.get(position)
  const hasSchedules = namesSchedules(rule)
  if (known !== undefined && (known.hasSchedules || !hasSchedules)) return known.facts
  const read = yield* situationOf(position, contactId, hasSchedules)
  facts.set(position, { facts: read, hasSchedules })
  return read
})

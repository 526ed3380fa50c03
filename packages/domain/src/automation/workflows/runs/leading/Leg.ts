import { DateTime, Effect } from "effect"
import type { Facts } from "../../../automations/index.ts"
import { type Contact, ContactHistory, type ContactId, Contacts } from "../../../../crm/index.ts"
import type { Course } from "../Course.ts"
import { factsOfRun } from "../factsOfRun.ts"
import type { Trip } from "../keepRun.ts"
import { exited, type Moved } from "../moving/moves.ts"
import { ContactMerged } from "./ContactMerged.ts"

/** A run that is led through nodes in one unit of work. */
export interface Leg {
  readonly course: Course
  readonly trip: Trip
  /** What is known of what it was last woken by; read when something asks for it. */
  readonly facts: Facts | null
  /** Whether it has acted: then the next action is for another unit of work. */
  readonly hasActed: boolean
}

/** The leg after a move. */
export const after = ({ trip, ...leg }: Leg, { kept, steps }: Moved): Leg => ({
  ...leg,
  trip: { ...trip, kept, steps: [...trip.steps, ...steps] }
})

/** Fails where a contact who is not there is a part of another one. */
const requireGone = Effect.fnUntraced(function* (from: ContactId | null) {
  const survivor = from === null ? null : yield* (yield* ContactHistory).survivorOf(from)
  if (from === null || survivor === null) return
  return yield* new ContactMerged({ from, to: survivor.id, mergeId: survivor.mergeId })
})

const withoutContact = Effect.fnUntraced(function* (leg: Leg) {
  const { kept } = leg.trip
  yield* requireGone(kept.run.contactId)
  return after(leg, { kept: exited(kept, "contact_gone", yield* DateTime.now), steps: [] })
})

/** The leg with what is known, or the run having left where its contact is gone. */
export const withFacts = Effect.fnUntraced(function* (leg: Leg) {
  const { kept } = leg.trip
  const facts = leg.facts ?? (yield* factsOfRun(kept.run, leg.course.schedules))
  return facts === null ? { leg: yield* withoutContact(leg), facts } : { leg: { ...leg, facts }, facts }
})

/** The contact, and nothing else of what is known; or the run having left where they are gone. */
export const withContact = Effect.fnUntraced(function* (leg: Leg) {
  const { contactId } = leg.trip.kept.run
  const nobody: Contact | null = null
  const [read] = leg.facts === null && contactId !== null ? yield* (yield* Contacts).find([contactId]) : []
  const contact = leg.facts?.contact ?? read ?? nobody
  return { leg: contact === null ? yield* withoutContact(leg) : leg, contact }
})

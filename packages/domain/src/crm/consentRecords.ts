import { DateTime, Effect, Schema } from "effect"
import { type Actor, CurrentActor, nextId, toActorRef, Uuid } from "../kernel/index.ts"
import { type Consent, ConsentChange, ConsentChangeId, hasConsentChanged } from "./Consent.ts"
import { Contact } from "./Contact.ts"
import { ContactHistory } from "./ContactHistory.ts"
import { Contacts } from "./Contacts.ts"
import { Duplicates } from "./Duplicates.ts"
import type { ContactId } from "./Identity.ts"
import { appendConsentChanged } from "./contactEvents.ts"
import type { ConsentPath } from "./events.ts"
import { applyOptOut, isPropagated } from "./optOuts.ts"

/** A contact's consent before and after a declaration or an observation. */
export interface ConsentStep {
  readonly contactId: ContactId
  /** Null for a new contact. */
  readonly before: Consent | null
  readonly after: Consent
  readonly evidence: string | null
}

const isUuid = Schema.is(Uuid)

/** Run that an automated actor acts for. */
const runOf = (actor: Actor) => (actor.kind === "delegate" && isUuid(actor.runId) ? { runId: actor.runId } : {})

/** Appends consent changes to the ledger, one entry for each. Only this function writes to the ledger, and a repeated step appends nothing. */
export const recordConsents = Effect.fnUntraced(function* (steps: ReadonlyArray<ConsentStep>) {
  const current = yield* CurrentActor
  const actor = toActorRef(current)
  const entries = yield* Effect.forEach(
    steps.filter(({ after, before }) => hasConsentChanged(before, after)),
    Effect.fnUntraced(function* ({ after: { changedAt, marketing, source }, contactId, evidence }) {
      if (changedAt === null) return []
      const change = new ConsentChange({
        id: yield* nextId(ConsentChangeId),
        contactId,
        purpose: "marketing",
        state: marketing,
        source: source ?? "api",
        evidence,
        actor,
        ...runOf(current),
        at: changedAt
      })
      return [change]
    })
  )
  if (entries.length > 0) yield* (yield* ContactHistory).appendConsent(entries.flat())
})

/** Maximum number of consent entries to search for the contact's own consent before a copied opt-out. */
const maxEntries = 1_000

/** The latest consent of the contact itself, without copied opt-outs. */
const loadOwnConsent = Effect.fnUntraced(function* (id: ContactId, now: DateTime.Utc) {
  const entries = yield* (yield* ContactHistory).consents(id, { limit: maxEntries, after: null })
  const own = entries.find(({ source }) => source !== "duplicate" && source !== "not_duplicate")
  return { marketing: own?.state ?? "unknown", source: "not_duplicate", changedAt: now } satisfies Consent
})

/** The latest opt-out among contacts that is not itself a copy. */
const findOriginalOptOut = (others: ReadonlyArray<Contact>): Contact | null =>
  others
    .filter(
      ({ consent }) => consent.marketing === "unsubscribed" && consent.changedAt !== null && !isPropagated(consent)
    )
    .reduce<Contact | null>((latest, each) => {
      const [one, other] = [latest?.consent.changedAt ?? null, each.consent.changedAt]
      return one === null || (other !== null && DateTime.isGreaterThan(other, one)) ? each : latest
    }, null)

const findDuplicatePairs = Effect.fnUntraced(function* (contacts: ReadonlyArray<Contact>) {
  return yield* (yield* Duplicates).pairs(contacts.flatMap(({ identities }) => identities))
})

const propagateTo = Effect.fnUntraced(function* (contact: Contact, others: ReadonlyArray<Contact>, now: DateTime.Utc) {
  const origin = findOriginalOptOut(others)
  const { consent } = contact
  if (origin === null) return isPropagated(consent) ? { consent: yield* loadOwnConsent(contact.id, now), origin } : null
  const shared = applyOptOut(consent, origin.consent.changedAt ?? now, "duplicate")
  return shared === consent ? null : { consent: shared, origin }
})

const saveConsent = Effect.fnUntraced(function* (
  before: Contact,
  consent: Consent,
  origin: Contact | null,
  through: ConsentPath | null,
  now: DateTime.Utc
) {
  const after = new Contact({ ...before, consent, updatedAt: now })
  yield* Effect.orDie((yield* Contacts).saveAll([after]))
  const evidence = origin === null ? null : `contact ${origin.id}`
  yield* recordConsents([{ contactId: before.id, before: before.consent, after: consent, evidence }])
  yield* appendConsentChanged(before.id, before.consent.marketing, consent.marketing, through)
})

/**
 * Copies an opt-out to every possible duplicate, as long as the link between the two is open. A copied opt-out is reverted when
 * no duplicate is left that it came from. Opt-outs are copied to direct duplicates only.
 */
export const propagateOptOuts = Effect.fnUntraced(function* (
  changed: ReadonlyArray<Contact>,
  through: ConsentPath | null = null
) {
  const near = yield* findDuplicatePairs(changed)
  const copies = changed.filter(({ consent }) => isPropagated(consent))
  if (near.length === 0 && copies.length === 0) return
  const contacts = yield* Contacts
  const now = yield* DateTime.now
  const affected = [
    ...new Set([...copies.map(({ id }) => id), ...near.flatMap((pair) => [pair.contactId, pair.otherId])])
  ]
  const locked = yield* contacts.lock(affected)
  const far = yield* findDuplicatePairs(locked)
  const known = new Map(
    (yield* contacts.find([...new Set(far.map(({ otherId }) => otherId))])).map((each) => [each.id, each])
  )
  for (const contact of locked) {
    const others = far.flatMap(({ contactId, otherId }) => (contactId === contact.id ? (known.get(otherId) ?? []) : []))
    const outcome = yield* propagateTo(contact, others, now)
    if (outcome !== null) yield* saveConsent(contact, outcome.consent, outcome.origin, through, now)
  }
})

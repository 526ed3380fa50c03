import { DateTime, Effect } from "effect"
import { CurrentActor, nextId, refer } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { type Consent, ConsentChange, ConsentChangeId } from "../Consent.ts"
import { Contact } from "../Contact.ts"
import { ContactHistory } from "../ContactHistory.ts"
import { Contacts } from "../Contacts.ts"
import { Duplicates } from "../Duplicates.ts"
import type { ContactId } from "../Ids.ts"
import { afterOptOut, isCopy } from "../optOuts.ts"

/** How much of a ledger is looked through for what a contact had said before an opt-out was shared with it. */
const mostEntries = 1_000

/** What the contact itself has said last: the copy of an opt-out was not its own. */
const ownConsent = Effect.fnUntraced(function* (id: ContactId, now: DateTime.Utc) {
  const entries = yield* (yield* ContactHistory).consents(id, { limit: mostEntries, after: null })
  const own = entries.find(({ source }) => source !== "duplicate" && source !== "not_duplicate")
  return { marketing: own?.state ?? "unknown", source: "not_duplicate", changedAt: now } satisfies Consent
})

/** The latest opt-out among contacts that is not itself a copy. */
const originOf = (others: ReadonlyArray<Contact>): Contact | null =>
  others
    .filter(({ consent }) => consent.marketing === "unsubscribed" && consent.changedAt !== null && !isCopy(consent))
    .reduce<Contact | null>((latest, each) => {
      const [one, other] = [latest?.consent.changedAt ?? null, each.consent.changedAt]
      return one === null || (other !== null && DateTime.isGreaterThan(other, one)) ? each : latest
    }, null)

const pairsOf = Effect.fnUntraced(function* (contacts: ReadonlyArray<Contact>) {
  return yield* (yield* Duplicates).pairs(contacts.flatMap(({ identities }) => identities))
})

const share = Effect.fnUntraced(function* (contact: Contact, others: ReadonlyArray<Contact>, now: DateTime.Utc) {
  const origin = originOf(others)
  const { consent } = contact
  if (origin === null) return isCopy(consent) ? { consent: yield* ownConsent(contact.id, now), origin } : null
  const shared = afterOptOut(consent, origin.consent.changedAt ?? now, "duplicate")
  return shared === consent ? null : { consent: shared, origin }
})

const store = Effect.fnUntraced(function* (
  before: Contact,
  consent: Consent,
  origin: Contact | null,
  now: DateTime.Utc
) {
  const after = new Contact({ ...before, consent, updatedAt: now })
  yield* Effect.orDie((yield* Contacts).saveAll([after]))
  const entry = new ConsentChange({
    id: yield* nextId(ConsentChangeId),
    contactId: before.id,
    purpose: "marketing",
    state: consent.marketing,
    source: consent.source ?? "duplicate",
    evidence: origin === null ? null : `contact ${origin.id}`,
    actor: refer(yield* CurrentActor),
    at: consent.changedAt ?? now
  })
  yield* (yield* ContactHistory).appendConsent([entry])
  const [from, to] = [before.consent.marketing, consent.marketing]
  if (from !== to) {
    yield* appendEvent({
      type: "contact.consent_changed",
      contactId: before.id,
      purpose: "marketing",
      from,
      to
    })
  }
})

/**
 * Lets an opt-out count for whoever may be the same person, from when that is found until it is settled. What a contact got
 * that way goes again when nobody is left from whom it came. Opt-outs are shared with direct duplicates only.
 */
export const shareOptOuts = Effect.fnUntraced(function* (changed: ReadonlyArray<Contact>) {
  const near = yield* pairsOf(changed)
  const copies = changed.filter(({ consent }) => isCopy(consent))
  if (near.length === 0 && copies.length === 0) return
  const contacts = yield* Contacts
  const now = yield* DateTime.now
  const concerned = [
    ...new Set([...copies.map(({ id }) => id), ...near.flatMap((pair) => [pair.contactId, pair.otherId])])
  ]
  const taken = yield* contacts.lock(concerned)
  const far = yield* pairsOf(taken)
  const known = new Map(
    (yield* contacts.find([...new Set(far.map(({ otherId }) => otherId))])).map((each) => [each.id, each])
  )
  for (const contact of taken) {
    const others = far.flatMap(({ contactId, otherId }) => (contactId === contact.id ? (known.get(otherId) ?? []) : []))
    const outcome = yield* share(contact, others, now)
    if (outcome !== null) yield* store(contact, outcome.consent, outcome.origin, now)
  }
})

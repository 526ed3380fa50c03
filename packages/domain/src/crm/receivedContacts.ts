import { Effect, Equal } from "effect"
import { hasConsentChanged } from "./Consent.ts"
import type { Contact } from "./Contact.ts"
import { Contacts } from "./Contacts.ts"
import { syncSelfDeclaredOptOuts } from "./Suppressions.ts"
import { type ConsentStep, recordConsents, propagateOptOuts } from "./consentRecords.ts"
import { appendConsentChanged, appendContactChanges } from "./contactEvents.ts"
import { type IdentityPair, recordDuplicates } from "./duplicatePairs.ts"
import { appendEvent, type ConsentPath } from "./events.ts"

/** New and changed contacts after a provider's events, with their changes of consent. */
export interface ReceivedContacts {
  readonly added: ReadonlyArray<Contact>
  /** Locked in this unit of work. */
  readonly altered: ReadonlyArray<{ readonly before: Contact; readonly after: Contact }>
  /** All consent steps, in order. */
  readonly consents: ReadonlyArray<ConsentStep>
  /** Identities of different contacts that the provider reported for one person. */
  readonly identityPairs: ReadonlyArray<IdentityPair>
  /** Whether this is the first read of a store. It reports no current activity. */
  readonly isImport?: boolean
  /** New contacts that are known from the past only. */
  readonly imported?: ReadonlySet<Contact["id"]>
  /** All contacts of these events in their current state. */
  readonly all: ReadonlyArray<Contact>
}

const hasNewConsentOrIdentity = ({ after, before }: ReceivedContacts["altered"][number]) =>
  hasConsentChanged(before.consent, after.consent) || !Equal.equals(before.identities, after.identities)

/** Appends the events of a new contact. Later consent changes are regular changes. */
const appendContactCreated = Effect.fnUntraced(function* (
  { consent, id }: Contact,
  consents: ReadonlyArray<ConsentStep>,
  through: ConsentPath | null
) {
  yield* appendEvent({ type: "contact.created", contactId: id, ...(through === "import" && { imported: true }) })
  const first = consents.find(({ before, contactId }) => contactId === id && before !== null)?.before ?? null
  if (first !== null) yield* appendConsentChanged(id, first.marketing, consent.marketing, through)
})

/**
 * Stores contacts from a provider's events. The contact limit of the plan does not apply, because inbound messages are never refused. A new
 * `lastSeenAt` or `lastInboundAt` alone appends no event.
 */
export const saveReceivedContacts = Effect.fnUntraced(function* ({
  added,
  all,
  altered,
  consents,
  identityPairs,
  imported,
  isImport = false
}: ReceivedContacts) {
  const contacts = yield* Contacts
  const through: ConsentPath | null = isImport ? "import" : null
  if (added.length > 0) yield* contacts.insert(added)
  if (altered.length > 0) yield* contacts.saveAll(altered.map(({ after }) => after))
  yield* recordConsents(consents)
  yield* syncSelfDeclaredOptOuts([...added, ...altered.filter(hasNewConsentOrIdentity).map(({ after }) => after)])
  for (const contact of added) {
    yield* appendContactCreated(contact, consents, imported?.has(contact.id) === true ? "import" : through)
  }
  for (const { after, before } of altered) yield* appendContactChanges(before, after, through)
  yield* recordDuplicates(identityPairs, all, "chat")
  const changed = new Set(
    consents.flatMap(({ after, before, contactId }) => (hasConsentChanged(before, after) ? [contactId] : []))
  )
  yield* propagateOptOuts(
    all.filter(({ id }) => changed.has(id)),
    through
  )
})

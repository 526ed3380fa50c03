import { type DateTime, Effect } from "effect"
import { CurrentActor, nextId, refer } from "../../kernel/index.ts"
import { appendContactChanges } from "../appendContactChanges.ts"
import { appendEvent } from "../appendEvent.ts"
import { type ConsentState, ConsentChange, ConsentChangeId } from "../Consent.ts"
import type { Contact } from "../Contact.ts"
import { ContactHistory } from "../ContactHistory.ts"
import { Contacts } from "../Contacts.ts"
import type { ContactId } from "../Ids.ts"
import { syncSelfDeclared } from "../consent/suppressionList.ts"
import { recordDuplicates, type IdentityPair } from "../duplicates/recordDuplicates.ts"
import { shareOptOuts } from "../consent/shareOptOuts.ts"

/** Consent to marketing that a contact gave or withdrew through a provider. */
export interface ReceivedConsent {
  readonly contactId: ContactId
  readonly state: ConsentState
  readonly source: string
  readonly evidence: string | null
  readonly at: DateTime.Utc
}

/** New and changed contacts after a provider's events, with their changes of consent. */
export interface ReceivedContacts {
  readonly added: ReadonlyArray<Contact>
  /** Locked in this unit of work. */
  readonly altered: ReadonlyArray<{ readonly before: Contact; readonly after: Contact }>
  readonly consents: ReadonlyArray<ReceivedConsent>
  /** Identities of different contacts that the provider gave as those of one person. */
  readonly identityPairs: ReadonlyArray<IdentityPair>
  /** Whether a store is read for the first time: that is nothing that happens now. */
  readonly isImport?: boolean
  /** All contacts of these events, as they are now. */
  readonly all: ReadonlyArray<Contact>
}

const appendConsents = Effect.fnUntraced(function* (consents: ReadonlyArray<ReceivedConsent>) {
  if (consents.length === 0) return
  const actor = refer(yield* CurrentActor)
  const entries = yield* Effect.forEach(
    consents,
    Effect.fnUntraced(function* ({ at, contactId, evidence, source, state }) {
      const id = yield* nextId(ConsentChangeId)
      return new ConsentChange({ id, contactId, purpose: "marketing", state, source, evidence, actor, at })
    })
  )
  yield* (yield* ContactHistory).appendConsent(entries)
})

const hasNewConsentOrIdentity = ({ after, before }: ReceivedContacts["altered"][number]) =>
  after.consent !== before.consent || after.identities !== before.identities

/**
 * Stores contacts from a provider's events. The plan's limit of contacts does not apply, because a message that came in is
 * never refused. A new `lastSeenAt` or `lastInboundAt` alone appends no event.
 */
export const storeReceivedContacts = Effect.fnUntraced(function* ({
  added,
  all,
  altered,
  consents,
  identityPairs,
  isImport = false
}: ReceivedContacts) {
  const contacts = yield* Contacts
  const through = isImport ? "import" : null
  if (added.length > 0) yield* contacts.insert(added)
  if (altered.length > 0) yield* contacts.saveAll(altered.map(({ after }) => after))
  yield* appendConsents(consents)
  yield* syncSelfDeclared([...added, ...altered.filter(hasNewConsentOrIdentity).map(({ after }) => after)])
  for (const { id } of added)
    yield* appendEvent({ type: "contact.created", contactId: id, ...(isImport && { imported: true }) })
  for (const { after, before } of altered) yield* appendContactChanges(before, after, through)
  yield* recordDuplicates(identityPairs, all, "chat")
  const said = new Set(consents.map(({ contactId }) => contactId))
  yield* shareOptOuts(
    all.filter(({ id }) => said.has(id)),
    through
  )
})

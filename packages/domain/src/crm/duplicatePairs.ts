import { DateTime, Effect } from "effect"
import { nextId, type Slice } from "../kernel/index.ts"
import type { Contact } from "./Contact.ts"
import { Contacts } from "./Contacts.ts"
import { type Duplicate, DuplicateId, Duplicates, type DuplicateSource, type OpenDuplicateLink } from "./Duplicates.ts"
import { identityKey, identityLookupKey, type IdentityRef } from "./Identity.ts"
import { propagateOptOuts } from "./consentRecords.ts"
import { appendEvent } from "./events.ts"

/** Two identities that a provider or a file reported for one person. */
export type IdentityPair = readonly [one: IdentityRef, other: IdentityRef]

/** Stores links between identities of different contacts, and appends an event for each new link. The contacts must be as stored. */
export const recordDuplicates = Effect.fnUntraced(function* (
  pairs: ReadonlyArray<IdentityPair>,
  contacts: ReadonlyArray<Contact>,
  source: DuplicateSource
) {
  if (pairs.length === 0) return
  const foundAt = yield* DateTime.now
  const links = yield* Effect.forEach(pairs, ([one, other]) =>
    Effect.map(nextId(DuplicateId), (id) => ({ id, one, other, source, foundAt, dismissedAt: null }))
  )
  const added = new Set(yield* (yield* Duplicates).add(links))
  const owners = new Map(
    contacts.flatMap((contact) => contact.identities.map((each) => [identityLookupKey(each), contact]))
  )
  const duplicates = new Map<string, Contact>()
  for (const { id, one, other } of links) {
    const [first, second] = [owners.get(identityLookupKey(one)), owners.get(identityLookupKey(other))]
    if (first === undefined || second === undefined || first === second || !added.has(id)) continue
    duplicates.set(first.id, first).set(second.id, second)
    yield* appendEvent({ type: "contact.duplicate_found", contactId: first.id, otherId: second.id, source })
  }
  yield* propagateOptOuts([...duplicates.values()], source === "import" ? "import" : null)
})

/** Returns the identity in the contact's notation. */
const toContactSpelling = ({ identities }: Contact, { kind, value: key }: IdentityRef) => ({
  kind,
  value: identities.find((each) => each.kind === kind && identityKey(each) === key)?.value ?? key
})

/** Finds possible duplicates of the contact with their evidence, newest first. */
export const findDuplicates = Effect.fnUntraced(function* (contact: Contact, slice: Slice) {
  const links = yield* (yield* Duplicates).list(contact.id, contact.identities, slice)
  const others = yield* (yield* Contacts).find([...new Set(links.map(({ otherId }) => otherId))])
  const known = new Map(others.map((other) => [other.id, other]))
  return links.flatMap((link: OpenDuplicateLink) => {
    const other = known.get(link.otherId)
    if (other === undefined) return []
    const duplicate: Duplicate = {
      id: link.id,
      contact: other,
      source: link.source,
      identity: toContactSpelling(contact, link.one),
      otherIdentity: toContactSpelling(other, link.other),
      foundAt: link.foundAt
    }
    return [duplicate]
  })
})

const isFromChat = ({ kind }: Contact["identities"][number]) => kind === "chat_user" || kind === "phone"

/**
 * Records that the contacts are two people. Also stores dismissed links between their present identities, for later reports of the chat provider.
 * Returns the number of dismissed existing links.
 */
export const dismissPair = Effect.fnUntraced(function* (one: Contact, other: Contact, now: DateTime.Utc) {
  const duplicates = yield* Duplicates
  const links = yield* Effect.forEach(
    one.identities
      .filter(isFromChat)
      .flatMap((first) =>
        other.identities
          .filter((second) => isFromChat(second) && second.kind !== first.kind)
          .map((second) => [first, second] as const)
      ),
    ([first, second]) =>
      Effect.map(nextId(DuplicateId), (id) => ({
        id,
        one: first,
        other: second,
        source: "chat" as const,
        foundAt: now,
        dismissedAt: now
      }))
  )
  const dismissed = yield* duplicates.dismiss(one.identities, other.identities, now)
  yield* duplicates.add(links)
  return dismissed
})

import { DateTime, Effect } from "effect"
import { CurrentActor, nextId, toActorRef, Uuid } from "../kernel/index.ts"
import { recordAudit } from "../platform/audit/index.ts"
import type { Contact } from "./Contact.ts"
import { ContactHistory, ContactMerge } from "./ContactHistory.ts"
import { ContactDataOwners } from "./ContactDataOwner.ts"
import { Contacts, lockContact } from "./Contacts.ts"
import { DuplicateId, Duplicates } from "./Duplicates.ts"
import { ContactMergeId, identityLookupKey } from "./Identity.ts"
import { propagateOptOuts } from "./consentRecords.ts"
import { checkCompleteness } from "./contactChanges.ts"
import { maxIdentities } from "./contactDrafts.ts"
import { mergeContactData } from "./contactMerging.ts"
import type { IdentityPair } from "./duplicatePairs.ts"
import { appendEvent } from "./events.ts"

/** Merges two locked contacts. Moves all data of the other one to the survivor; the merge can be undone. */
export const mergeLockedContacts = Effect.fnUntraced(function* (before: Contact, merged: Contact) {
  const contacts = yield* Contacts
  const [id, otherId] = [before.id, merged.id]
  const now = yield* DateTime.now
  const actor = toActorRef(yield* CurrentActor)
  const mergeId = yield* nextId(ContactMergeId)
  const survivor = mergeContactData(before, merged, now)
  yield* checkCompleteness(survivor)
  const history = yield* ContactHistory
  yield* contacts.remove([otherId])
  yield* contacts.save(survivor, null)
  yield* contacts.tag([id], merged.tags, now)
  yield* history.merge(
    new ContactMerge({ id: mergeId, survivorId: id, before, merged, actor, at: now, undoneAt: null })
  )
  yield* history.note(id, { kind: "merged", id: yield* nextId(Uuid), at: now, actor, contactId: otherId, mergeId })
  // Ids only: after an erasure, no data of the person can stay in the audit trail of another contact.
  yield* recordAudit("contact.merged", { kind: "contact", id }, { after: { contactId: otherId, mergeId } })
  yield* appendEvent({ type: "contact.merged", contactId: id, mergedId: otherId, mergeId })
  const holdings = yield* ContactDataOwners
  yield* holdings.move({ mergeId, from: otherId, to: id }, now)
  if (survivor.blockedAt !== null) yield* holdings.block(id)
  yield* propagateOptOuts([yield* lockContact(id)], "merge")
  return { contact: yield* lockContact(id), mergeId }
})

const oneRow = { limit: 1, after: null }

/**
 * Returns whether the contact has activity: messages, consent, a block, a merge. Data such as name, tags and attributes is no activity, because a
 * merge keeps all of it.
 */
const hasActivity = Effect.fnUntraced(function* (contact: Contact) {
  const { blockedAt, consent, id, lastInboundAt, lastSeenAt } = contact
  if (blockedAt !== null || consent.changedAt !== null || lastInboundAt !== null || lastSeenAt !== null) return true
  if ((yield* (yield* ContactHistory).timeline(id, oneRow)).length > 0) return true
  return yield* (yield* ContactDataOwners).isActive(id)
})

/** Returns whether the two can be merged without a review. */
const isSafeToMerge = Effect.fnUntraced(function* (one: Contact, other: Contact) {
  const kinds = new Set(one.identities.map(({ kind }) => kind))
  if (other.identities.some(({ kind }) => kinds.has(kind))) return false
  if (one.identities.length + other.identities.length > maxIdentities) return false
  if (yield* (yield* Duplicates).isDismissed(one.identities, other.identities)) return false
  return !(yield* hasActivity(one)) || !(yield* hasActivity(other))
})

const isOlder = (one: Contact, other: Contact) =>
  DateTime.Equivalence(one.createdAt, other.createdAt)
    ? one.id < other.id
    : DateTime.isLessThan(one.createdAt, other.createdAt)

/** Merges contacts that the provider reports as one person, where safe; the older one survives. Returns the remaining contacts. */
export const mergeDuplicates = Effect.fnUntraced(function* (
  contacts: ReadonlyArray<Contact>,
  pairs: ReadonlyArray<IdentityPair>
) {
  const current = new Map(contacts.map((contact) => [contact.id, contact]))
  const owners = new Map(
    contacts.flatMap(({ id, identities }) => identities.map((each) => [identityLookupKey(each), id]))
  )
  const ownerOf = (name: string) => {
    const id = owners.get(name)
    return id === undefined ? undefined : current.get(id)
  }
  for (const [one, other] of pairs) {
    const [first, second] = [ownerOf(identityLookupKey(one)), ownerOf(identityLookupKey(other))]
    if (first === undefined || second === undefined || first.id === second.id) continue
    if (!(yield* isSafeToMerge(first, second))) continue
    const [survivor, merged] = isOlder(first, second) ? [first, second] : [second, first]
    // Shows the evidence of the merge to the member who undoes it.
    const foundAt = yield* DateTime.now
    const id = yield* nextId(DuplicateId)
    yield* (yield* Duplicates).add([{ id, one, other, source: "chat", foundAt, dismissedAt: null }])
    const { contact } = yield* Effect.orDie(mergeLockedContacts(survivor, merged))
    current.delete(merged.id)
    current.set(contact.id, contact)
    for (const each of contact.identities) owners.set(identityLookupKey(each), contact.id)
  }
  return [...current.values()]
})

import { DateTime, Effect } from "effect"
import { nextId } from "../../kernel/index.ts"
import type { Contact } from "../Contact.ts"
import { ContactHoldings } from "../ContactHolding.ts"
import { ContactHistory } from "../ContactHistory.ts"
import { mostIdentities } from "../drafts.ts"
import { DuplicateId } from "../Duplicate.ts"
import { Duplicates } from "../Duplicates.ts"
import { identityName } from "../Identity.ts"
import { mergeLocked } from "../merges/mergeLocked.ts"
import type { IdentityPair } from "./recordDuplicates.ts"

const oneRow = { limit: 1, after: null }

/**
 * Whether anything has happened with the contact: messages, consent, a block, a merge. Its data, such as name, tags and
 * attributes, is no activity, because a merge keeps all of it.
 */
const isActive = Effect.fnUntraced(function* (contact: Contact) {
  const { blockedAt, consent, id, lastInboundAt, lastSeenAt } = contact
  if (blockedAt !== null || consent.changedAt !== null || lastInboundAt !== null || lastSeenAt !== null) return true
  if ((yield* (yield* ContactHistory).timeline(id, oneRow)).length > 0) return true
  return yield* (yield* ContactHoldings).isActive(id)
})

/** Whether the two can be merged without a person reviewing it. */
const isSafe = Effect.fnUntraced(function* (one: Contact, other: Contact) {
  const kinds = new Set(one.identities.map(({ kind }) => kind))
  if (other.identities.some(({ kind }) => kinds.has(kind))) return false
  if (one.identities.length + other.identities.length > mostIdentities) return false
  if (yield* (yield* Duplicates).isDismissed(one.identities, other.identities)) return false
  return !(yield* isActive(one)) || !(yield* isActive(other))
})

const isOlder = (one: Contact, other: Contact) =>
  DateTime.Equivalence(one.createdAt, other.createdAt)
    ? one.id < other.id
    : DateTime.isLessThan(one.createdAt, other.createdAt)

/** Merges contacts that the provider reports as one person, where that is safe; the older one survives. Returns the contacts that are left. */
export const mergeDuplicates = Effect.fnUntraced(function* (
  contacts: ReadonlyArray<Contact>,
  pairs: ReadonlyArray<IdentityPair>
) {
  const current = new Map(contacts.map((contact) => [contact.id, contact]))
  const owners = new Map(contacts.flatMap(({ id, identities }) => identities.map((each) => [identityName(each), id])))
  const ownerOf = (name: string) => {
    const id = owners.get(name)
    return id === undefined ? undefined : current.get(id)
  }
  for (const [one, other] of pairs) {
    const [first, second] = [ownerOf(identityName(one)), ownerOf(identityName(other))]
    if (first === undefined || second === undefined || first.id === second.id) continue
    if (!(yield* isSafe(first, second))) continue
    const [survivor, merged] = isOlder(first, second) ? [first, second] : [second, first]
    // Whoever unmerges them later sees what the merge was based on.
    const foundAt = yield* DateTime.now
    const id = yield* nextId(DuplicateId)
    yield* (yield* Duplicates).add([{ id, one, other, source: "chat", foundAt, dismissedAt: null }])
    const { contact } = yield* Effect.orDie(mergeLocked(survivor, merged))
    current.delete(merged.id)
    current.set(contact.id, contact)
    for (const each of contact.identities) owners.set(identityName(each), contact.id)
  }
  return [...current.values()]
})

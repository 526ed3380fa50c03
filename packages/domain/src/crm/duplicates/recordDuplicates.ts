import { DateTime, Effect } from "effect"
import { nextId } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import type { Contact } from "../Contact.ts"
import { DuplicateId, type DuplicateSource } from "../Duplicate.ts"
import { Duplicates } from "../Duplicates.ts"
import { identityName, type IdentityRef } from "../Identity.ts"
import { shareOptOuts } from "../consent/shareOptOuts.ts"

/** Two identities that a provider or a file gave as those of one person. */
export type IdentityPair = readonly [one: IdentityRef, other: IdentityRef]

/** Stores links between identities of different contacts, and appends an event for each new one. The contacts are as stored. */
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
  const owners = new Map(contacts.flatMap((contact) => contact.identities.map((each) => [identityName(each), contact])))
  const duplicates = new Map<string, Contact>()
  for (const { id, one, other } of links) {
    const [first, second] = [owners.get(identityName(one)), owners.get(identityName(other))]
    if (first === undefined || second === undefined || first === second || !added.has(id)) continue
    duplicates.set(first.id, first).set(second.id, second)
    yield* appendEvent({ type: "contact.duplicate_found", contactId: first.id, otherId: second.id, source })
  }
  yield* shareOptOuts([...duplicates.values()], source === "import" ? "import" : null)
})

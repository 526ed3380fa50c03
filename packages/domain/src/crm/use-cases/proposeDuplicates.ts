import { DateTime, Effect } from "effect"
import { nextId } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import type { Contact } from "../Contact.ts"
import { DuplicateId, type DuplicateSource } from "../Duplicate.ts"
import { Duplicates } from "../Duplicates.ts"
import { identityName, type IdentityRef } from "../Identity.ts"
import { shareOptOuts } from "./shareOptOuts.ts"

/** Two identities that were told as those of one person. */
export type ToldTogether = readonly [one: IdentityRef, other: IdentityRef]

/** Keeps that identities of different contacts were told together, and tells so the first time. The contacts are as they are stored. */
export const proposeDuplicates = Effect.fnUntraced(function* (
  told: ReadonlyArray<ToldTogether>,
  contacts: ReadonlyArray<Contact>,
  source: DuplicateSource
) {
  if (told.length === 0) return
  const foundAt = yield* DateTime.now
  const links = yield* Effect.forEach(told, ([one, other]) =>
    Effect.map(nextId(DuplicateId), (id) => ({ id, one, other, source, foundAt, dismissedAt: null }))
  )
  const added = new Set(yield* (yield* Duplicates).add(links))
  const owners = new Map(contacts.flatMap((contact) => contact.identities.map((each) => [identityName(each), contact])))
  const concerned = new Map<string, Contact>()
  for (const { id, one, other } of links) {
    const [first, second] = [owners.get(identityName(one)), owners.get(identityName(other))]
    if (first === undefined || second === undefined || first === second || !added.has(id)) continue
    concerned.set(first.id, first).set(second.id, second)
    yield* appendEvent({ type: "contact.duplicate_found", contactId: first.id, otherId: second.id, source })
  }
  yield* shareOptOuts([...concerned.values()])
})

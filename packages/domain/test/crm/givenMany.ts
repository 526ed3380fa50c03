import { Ids, transact } from "@parley/domain/kernel"
import { Contact, ContactId, Contacts } from "@parley/domain/crm"
import { asOperatorOf, givenContact, type Of } from "@parley/testkit"
import { DateTime, Effect } from "effect"

/** A number of equal new contacts. */
export const givenMany = Effect.fnUntraced(function* (organization: Of, count: number, input: Partial<Contact>) {
  const now = yield* DateTime.now
  const ids = yield* Ids
  const one = yield* givenContact(organization)
  const rows = yield* Effect.replicateEffect(
    Effect.map(ids.next, (id) => new Contact({ ...one, createdAt: now, ...input, id: ContactId.make(id) })),
    count
  )
  yield* transact(Effect.flatMap(Contacts, (contacts) => contacts.insert(rows))).pipe(
    asOperatorOf(organization),
    Effect.orDie
  )
  return rows
})

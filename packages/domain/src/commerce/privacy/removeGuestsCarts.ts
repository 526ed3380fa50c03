import { Effect } from "effect"
import { CommerceOfContacts } from "../commerce/CommerceOfContacts.ts"
import { guestKnownBy } from "../joining/identitiesOf.ts"
import type { AskedPerson } from "../PrivacyRequest.ts"
import { StoreCarts } from "../StoreCarts.ts"
import type { StoreConnection } from "../StoreConnection.ts"

const most = 200

/** Removes the carts that somebody has left without an account, by the number or the address in them; says how many. */
export const removeGuestsCarts = Effect.fnUntraced(function* (connection: StoreConnection, asked: AskedPerson) {
  const carts = yield* StoreCarts
  const namesOf = (person: { readonly phone: string | null; readonly email: string | null }) => {
    const { emails, phones } = guestKnownBy({ email: person.email, phones: [person.phone] }, connection)
    return [...emails, ...phones].map(({ value }) => value)
  }
  const names = new Set(namesOf(asked))
  const words = new Set([...names, ...[asked.email, asked.phone].filter((word) => word !== null)])
  const found = yield* Effect.forEach(words, (q) =>
    carts.list(
      { storeConnectionId: connection.id, contactId: null, updatedSince: null, state: null, q },
      { limit: most, after: null }
    )
  )
  const theirs = found.flat().filter(({ record }) => namesOf(record).some((name) => names.has(name)))
  const ids = [...new Set(theirs.map(({ id }) => id))]
  yield* (yield* CommerceOfContacts).removeCarts(ids)
  return ids.length
})

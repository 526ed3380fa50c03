import { Effect } from "effect"
import type { Slice } from "../../kernel/index.ts"
import type { Contact } from "../Contact.ts"
import { Contacts } from "../Contacts.ts"
import type { Duplicate } from "../Duplicate.ts"
import { Duplicates, type OpenLink } from "../Duplicates.ts"
import { identityKey, type IdentityRef } from "../Identity.ts"

/** The identity as the contact has it. */
const spelled = ({ identities }: Contact, { kind, value: key }: IdentityRef) => ({
  kind,
  value: identities.find((each) => each.kind === kind && identityKey(each) === key)?.value ?? key
})

/** The contacts who may be the same person, with the evidence for it, newest first. */
export const duplicatesOf = Effect.fnUntraced(function* (contact: Contact, slice: Slice) {
  const links = yield* (yield* Duplicates).list(contact.id, contact.identities, slice)
  const others = yield* (yield* Contacts).find([...new Set(links.map(({ otherId }) => otherId))])
  const known = new Map(others.map((other) => [other.id, other]))
  return links.flatMap((link: OpenLink) => {
    const other = known.get(link.otherId)
    if (other === undefined) return []
    const duplicate: Duplicate = {
      id: link.id,
      contact: other,
      source: link.source,
      identity: spelled(contact, link.one),
      otherIdentity: spelled(other, link.other),
      foundAt: link.foundAt
    }
    return [duplicate]
  })
})

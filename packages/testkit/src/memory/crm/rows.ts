import { Contact, type ContactId, ContactExists, identityKey, type IdentityRef, type TagId } from "@parley/domain/crm"
import { HashMap } from "effect"
import { rowAt, type Tenant } from "../store/State.ts"
import { refuse, type Refused } from "../store/Store.ts"

type Rows = Pick<Tenant, "contacts" | "contactIdentities">

/** Returns the index key of an identity. */
export const placeOf = (identity: IdentityRef): string => `${identity.kind}\t${identityKey(identity)}`

/** The contacts without these. */
export const withoutContacts = (rows: Rows, ids: ReadonlyArray<ContactId>): Rows =>
  ids.reduce<Rows>((left, id) => {
    const contact = rowAt(left.contacts, id)
    if (contact === null) return left
    return {
      contacts: HashMap.remove(left.contacts, id),
      contactIdentities: contact.identities.reduce(
        (index, identity) => HashMap.remove(index, placeOf(identity)),
        left.contactIdentities
      )
    }
  }, rows)

/** The contacts with these, or the clash of an identity. */
export const withContacts = (rows: Rows, added: ReadonlyArray<Contact>): Rows | Refused<ContactExists> => {
  let { contactIdentities, contacts } = rows
  for (const contact of added) {
    for (const identity of contact.identities) {
      const holder = rowAt(contactIdentities, placeOf(identity))
      if (holder !== null && holder !== contact.id) {
        return refuse(new ContactExists({ contactId: holder, kind: identity.kind }))
      }
      contactIdentities = HashMap.set(contactIdentities, placeOf(identity), contact.id)
    }
    contacts = HashMap.set(contacts, contact.id, contact)
  }
  return { contacts, contactIdentities }
}

/** The contact with its tags in order. It was checked when it was made. */
export const withTags = (contact: Contact, tags: Iterable<TagId>): Contact =>
  new Contact({ ...contact, tags: [...new Set(tags)].toSorted() }, { disableChecks: true })

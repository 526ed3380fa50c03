import type { Contact } from "./Contact.ts"

/** What the audit trail stores of a contact. It is erased with the contact. */
export const auditedContact = ({
  attributes,
  blockedAt,
  consent,
  email,
  identities,
  locale,
  name,
  phone,
  timezone
}: Contact) => ({
  name,
  phone,
  email,
  identities: identities.map(({ kind, value }) => ({ kind, value })),
  locale,
  timezone,
  attributes: { ...attributes },
  marketing: consent.marketing,
  blocked: blockedAt !== null
})

/** Which fields of a contact differ. */
export const changedFields = (before: Contact, after: Contact): ReadonlyArray<string> => {
  const [one, other] = [auditedContact(before), auditedContact(after)]
  return (Object.keys(one) as ReadonlyArray<keyof typeof one>).filter(
    (field) => JSON.stringify(one[field]) !== JSON.stringify(other[field])
  )
}

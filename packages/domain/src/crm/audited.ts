import type { Contact } from "./Contact.ts"

/** What the audit trail keeps of a contact. It is forgotten when the contact is erased. */
export const audited = ({
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
  const [one, other] = [audited(before), audited(after)]
  return (Object.keys(one) as ReadonlyArray<keyof typeof one>).filter(
    (field) => JSON.stringify(one[field]) !== JSON.stringify(other[field])
  )
}

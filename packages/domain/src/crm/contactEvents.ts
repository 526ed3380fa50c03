import { Effect } from "effect"
import type { ConsentState } from "./Consent.ts"
import type { Contact } from "./Contact.ts"
import type { ContactId } from "./Identity.ts"
import { appendEvent, type ConsentPath } from "./events.ts"

/** What the audit trail stores of a contact. It is erased with the contact. */
export const contactAuditFields = ({
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

/** Returns the names of the fields that differ. */
const changedFields = (before: Contact, after: Contact): ReadonlyArray<string> => {
  const [one, other] = [contactAuditFields(before), contactAuditFields(after)]
  return (Object.keys(one) as ReadonlyArray<keyof typeof one>).filter(
    (field) => JSON.stringify(one[field]) !== JSON.stringify(other[field])
  )
}

/** Returns the keys of the contact fields with different values. */
const changedAttributes = ({ attributes: one }: Contact, { attributes: other }: Contact): ReadonlyArray<string> =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .filter((key) => JSON.stringify(one[key]) !== JSON.stringify(other[key]))
    .toSorted()

/** Appends the consent event if the state has changed. */
export const appendConsentChanged = Effect.fnUntraced(function* (
  contactId: ContactId,
  from: ConsentState,
  to: ConsentState,
  through: ConsentPath | null
) {
  if (from === to) return
  yield* appendEvent({
    type: "contact.consent_changed",
    contactId,
    purpose: "marketing",
    from,
    to,
    ...(through !== null && { through })
  })
})

/** Appends the events of a changed contact. */
export const appendContactChanges = Effect.fnUntraced(function* (
  before: Contact,
  after: Contact,
  through: ConsentPath | null = null
) {
  const fields = changedFields(before, after).filter((field) => field !== "marketing")
  if (fields.length > 0) {
    const attributes = changedAttributes(before, after)
    yield* appendEvent({
      type: "contact.updated",
      contactId: after.id,
      fields,
      ...(attributes.length > 0 && { attributes }),
      ...(through === "import" && { imported: true })
    })
  }
  yield* appendConsentChanged(after.id, before.consent.marketing, after.consent.marketing, through)
})

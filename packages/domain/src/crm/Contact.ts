import { Effect, Schema } from "effect"
import { Timestamp, objectShownWith } from "../kernel/index.ts"
import { EmailAddress, EmailAddressInput, Locale, SingleLineText, Timezone } from "../platform/identity/index.ts"
import { Attributes, AttributesInput } from "./Attributes.ts"
import { Consent, NewConsent } from "./Consent.ts"
import { ContactId, ContactIdentity, OtherIdentity, TagId } from "./Identity.ts"
import { PhoneNumber, PhoneNumberInput } from "./PhoneNumber.ts"
import { Tag } from "./Tags.ts"
import { FilterInput } from "./filter/Filter.ts"

/** A person that the organization writes to or sells to: a set of identities and the data about them. */
export class Contact extends Schema.Class<Contact>("Contact")(
  {
    id: ContactId,
    name: Schema.NullOr(SingleLineText),
    phone: Schema.NullOr(PhoneNumber),
    email: Schema.NullOr(EmailAddress),
    /** Username at the chat provider, without a leading `@`. It can change, so it is no identity. */
    username: Schema.NullOr(Schema.String).pipe(Schema.withConstructorDefault(Effect.succeed(null))),
    identities: Schema.Array(ContactIdentity),
    locale: Schema.NullOr(Locale),
    timezone: Schema.NullOr(Timezone),
    attributes: Attributes,
    tags: Schema.Array(TagId),
    consent: Consent,
    blockedAt: Schema.NullOr(Timestamp),
    lastSeenAt: Schema.NullOr(Timestamp),
    lastInboundAt: Schema.NullOr(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    version: Schema.Int
  },
  objectShownWith("contacts.read")
) {}

const OtherIdentities = Schema.Array(OtherIdentity).check(
  Schema.isMaxLength(20, { message: "Expected at most 20 identities" })
)

const OtherIdentityRef = Schema.Union([
  OtherIdentity,
  Schema.Struct({ kind: Schema.Literal("phone"), value: PhoneNumberInput }),
  Schema.Struct({ kind: Schema.Literal("email"), value: EmailAddressInput })
])

const Identities = Schema.Array(OtherIdentityRef).check(
  Schema.isMaxLength(20, { message: "Expected at most 20 identities" })
)

/** Number of contacts in a list. */
export const ContactCount = Schema.Struct({ count: Schema.Int }).annotate({ identifier: "ContactCount" })
export type ContactCount = typeof ContactCount.Type

/** Tags without duplicates. */
export const TagIds = Schema.Array(TagId).check(
  Schema.isMaxLength(50, { message: "Expected at most 50 tags" }),
  Schema.isUnique({ message: "Expected each tag once" })
)

/** Input for a new contact. It needs a name or an identity. */
export const NewContact = Schema.Struct({
  name: Schema.optionalKey(Schema.NullOr(SingleLineText)),
  phone: Schema.optionalKey(Schema.NullOr(PhoneNumberInput)),
  email: Schema.optionalKey(Schema.NullOr(EmailAddressInput)),
  identities: Schema.optionalKey(OtherIdentities),
  locale: Schema.optionalKey(Schema.NullOr(Locale)),
  timezone: Schema.optionalKey(Schema.NullOr(Timezone)),
  attributes: Schema.optionalKey(AttributesInput),
  tags: Schema.optionalKey(TagIds),
  marketing: Schema.optionalKey(NewConsent)
}).annotate({ identifier: "NewContact" })
export type NewContact = typeof NewContact.Type

/** Changes of a contact: an absent field stays, `null` clears a field. Attributes that the patch does not name stay. */
export const ContactPatch = Schema.Struct({
  name: Schema.optionalKey(Schema.NullOr(SingleLineText)),
  phone: Schema.optionalKey(Schema.NullOr(PhoneNumberInput)),
  email: Schema.optionalKey(Schema.NullOr(EmailAddressInput)),
  addIdentities: Schema.optionalKey(Identities),
  removeIdentities: Schema.optionalKey(Identities),
  locale: Schema.optionalKey(Schema.NullOr(Locale)),
  timezone: Schema.optionalKey(Schema.NullOr(Timezone)),
  attributes: Schema.optionalKey(AttributesInput),
  marketing: Schema.optionalKey(NewConsent),
  blocked: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "ContactPatch" })
export type ContactPatch = typeof ContactPatch.Type

/** Data of the contact with this phone number, for a new or an existing contact. */
export const ContactByPhone = Schema.Struct({
  name: Schema.optionalKey(Schema.NullOr(SingleLineText)),
  email: Schema.optionalKey(Schema.NullOr(EmailAddressInput)),
  locale: Schema.optionalKey(Schema.NullOr(Locale)),
  timezone: Schema.optionalKey(Schema.NullOr(Timezone)),
  attributes: Schema.optionalKey(AttributesInput),
  tags: Schema.optionalKey(TagIds).annotateKey({ description: "Tags to add; existing tags stay." }),
  marketing: Schema.optionalKey(NewConsent)
}).annotate({ identifier: "ContactByPhone" })
export type ContactByPhone = typeof ContactByPhone.Type

/** Related resources that an answer can include. */
export const ContactExpansion = Schema.Literals(["tags"])
export type ContactExpansion = typeof ContactExpansion.Type

/** Contact with the requested related resources. */
export const ExpandedContact = Schema.Struct({
  ...Contact.fields,
  expanded: Schema.optionalKey(
    Schema.Struct({
      tags: Schema.optionalKey(Schema.Array(Tag)).annotateKey({ description: "Tags in the order of their ids." })
    })
  ).annotateKey({ description: "Resources requested with `expand`." })
}).annotate({ identifier: "ExpandedContact", ...objectShownWith("contacts.read") })
export type ExpandedContact = typeof ExpandedContact.Type

/** Actions of a bulk change. */
export const BulkAction = Schema.Literals(["tag", "untag", "consent", "delete"])
export type BulkAction = typeof BulkAction.Type

const action = <const Action extends BulkAction, F extends Schema.Struct.Fields>(action: Action, fields: F) =>
  Schema.Struct({ action: Schema.Literal(action), ...fields })

const NonEmptyTagIds = TagIds.check(Schema.isMinLength(1, { message: "Expected at least one tag" }))

export const BulkChange = Schema.Union([
  action("tag", { tags: NonEmptyTagIds }),
  action("untag", { tags: NonEmptyTagIds }),
  action("consent", { marketing: NewConsent }),
  action("delete", {})
]).annotate({ identifier: "BulkChange" })
export type BulkChange = typeof BulkChange.Type

/** Target contacts: the named ones, or all that match a filter when the change starts. */
export const BulkTarget = Schema.Struct({
  ids: Schema.optionalKey(
    Schema.Array(ContactId).check(
      Schema.isBetweenLength(1, 1_000, { message: "Expected 1 to 1000 ids" }),
      Schema.isUnique({ message: "Expected each id once" })
    )
  ),
  filter: Schema.optionalKey(FilterInput)
}).annotate({ identifier: "BulkTarget" })
export type BulkTarget = typeof BulkTarget.Type

/** Bulk change with its target contacts. */
export const BulkRequest = Schema.Struct({ change: BulkChange, target: BulkTarget }).annotate({
  identifier: "BulkRequest"
})
export type BulkRequest = typeof BulkRequest.Type

/** Result of a bulk change: number of contacts, number of changed contacts, and unknown ids. */
export const BulkResult = Schema.Struct({
  matched: Schema.Int,
  changed: Schema.Int,
  missing: Schema.Array(ContactId)
}).annotate({ identifier: "BulkResult" })
export type BulkResult = typeof BulkResult.Type

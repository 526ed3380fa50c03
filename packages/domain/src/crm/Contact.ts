import { Schema } from "effect"
import { Timestamp, objectShownWith } from "../kernel/index.ts"
import { EmailAddress, EmailAddressInput, Locale, SingleLineText, Timezone } from "../platform/identity/index.ts"
import { Attributes, AttributesInput } from "./Attributes.ts"
import { Consent, NewConsent } from "./Consent.ts"
import { ContactId, ContactIdentity, OtherIdentity, TagId } from "./Identity.ts"
import { PhoneNumber, PhoneNumberInput } from "./PhoneNumber.ts"
import { Tag } from "./Tags.ts"
import { FilterInput } from "./filter/Filter.ts"

/** Somebody whom the organization writes with, or sells to: a set of identities and what is known of them. */
export class Contact extends Schema.Class<Contact>("Contact")(
  {
    id: ContactId,
    name: Schema.NullOr(SingleLineText),
    phone: Schema.NullOr(PhoneNumber),
    email: Schema.NullOr(EmailAddress),
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

/** How many contacts a list has. */
export const ContactCount = Schema.Struct({ count: Schema.Int }).annotate({ identifier: "ContactCount" })
export type ContactCount = typeof ContactCount.Type

/** Some tags, each once. */
export const TagIds = Schema.Array(TagId).check(
  Schema.isMaxLength(50, { message: "Expected at most 50 tags" }),
  Schema.isUnique({ message: "Expected each tag once" })
)

/** What is said of a new contact: at least a name or something it is known by. */
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

/** What may be changed of a contact: an absent field stays, `null` clears; attributes that are not named stay. */
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

/** What is said of the contact with this phone number, whether it is new or known. */
export const ContactByPhone = Schema.Struct({
  name: Schema.optionalKey(Schema.NullOr(SingleLineText)),
  email: Schema.optionalKey(Schema.NullOr(EmailAddressInput)),
  locale: Schema.optionalKey(Schema.NullOr(Locale)),
  timezone: Schema.optionalKey(Schema.NullOr(Timezone)),
  attributes: Schema.optionalKey(AttributesInput),
  tags: Schema.optionalKey(TagIds).annotateKey({ description: "Tags to add; those it has stay." }),
  marketing: Schema.optionalKey(NewConsent)
}).annotate({ identifier: "ContactByPhone" })
export type ContactByPhone = typeof ContactByPhone.Type

/** What a contact names by ids that an answer can have beside them. */
export const ContactExpansion = Schema.Literals(["tags"])
export type ContactExpansion = typeof ContactExpansion.Type

/** A contact, with what was asked for of what it names. */
export const ExpandedContact = Schema.Struct({
  ...Contact.fields,
  expanded: Schema.optionalKey(
    Schema.Struct({
      tags: Schema.optionalKey(Schema.Array(Tag)).annotateKey({ description: "The tags, in the order of their ids." })
    })
  ).annotateKey({ description: "What `expand` asked for." })
}).annotate({ identifier: "ExpandedContact", ...objectShownWith("contacts.read") })
export type ExpandedContact = typeof ExpandedContact.Type

/** What can be done to many contacts at once. */
export const BulkAction = Schema.Literals(["tag", "untag", "consent", "delete"])
export type BulkAction = typeof BulkAction.Type

const action = <const Action extends BulkAction, F extends Schema.Struct.Fields>(action: Action, fields: F) =>
  Schema.Struct({ action: Schema.Literal(action), ...fields })

const NonEmptyTagIds = TagIds.check(Schema.isMinLength(1, { message: "Expected at least one tag" }))

/** A change of many contacts. */
export const BulkChange = Schema.Union([
  action("tag", { tags: NonEmptyTagIds }),
  action("untag", { tags: NonEmptyTagIds }),
  action("consent", { marketing: NewConsent }),
  action("delete", {})
]).annotate({ identifier: "BulkChange" })
export type BulkChange = typeof BulkChange.Type

/** Which contacts: these, or all that a filter matches when the change begins. */
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

/** A change of many contacts, and which ones. */
export const BulkRequest = Schema.Struct({ change: BulkChange, target: BulkTarget }).annotate({
  identifier: "BulkRequest"
})
export type BulkRequest = typeof BulkRequest.Type

/** What was done at once: how many contacts there were, how many were changed, and which of the ids are nobody's. */
export const BulkResult = Schema.Struct({
  matched: Schema.Int,
  changed: Schema.Int,
  missing: Schema.Array(ContactId)
}).annotate({ identifier: "BulkResult" })
export type BulkResult = typeof BulkResult.Type

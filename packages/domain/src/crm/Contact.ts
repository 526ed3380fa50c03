import { Schema } from "effect"
import { Email, EmailInput, Locale, Name, Timezone } from "../platform/identity/index.ts"
import { Timestamp, wholeShownWith } from "../kernel/index.ts"
import { Attributes, AttributesInput } from "./Attributes.ts"
import { Consent, NewConsent } from "./Consent.ts"
import { ContactId, TagId } from "./Ids.ts"
import { ContactIdentity, OtherIdentity } from "./Identity.ts"
import { PhoneNumber, PhoneNumberInput } from "./PhoneNumber.ts"

/** Somebody whom the organization writes with, or sells to: a set of identities and what is known of them. */
export class Contact extends Schema.Class<Contact>("Contact")(
  {
    id: ContactId,
    name: Schema.NullOr(Name),
    phone: Schema.NullOr(PhoneNumber),
    email: Schema.NullOr(Email),
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
  wholeShownWith("contacts.read")
) {}

const OtherIdentities = Schema.Array(OtherIdentity).check(
  Schema.isMaxLength(20, { message: "Expected at most 20 identities" })
)

const OtherIdentityRef = Schema.Union([
  OtherIdentity,
  Schema.Struct({ kind: Schema.Literal("phone"), value: PhoneNumberInput }),
  Schema.Struct({ kind: Schema.Literal("email"), value: EmailInput })
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
  name: Schema.optionalKey(Schema.NullOr(Name)),
  phone: Schema.optionalKey(Schema.NullOr(PhoneNumberInput)),
  email: Schema.optionalKey(Schema.NullOr(EmailInput)),
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
  name: Schema.optionalKey(Schema.NullOr(Name)),
  phone: Schema.optionalKey(Schema.NullOr(PhoneNumberInput)),
  email: Schema.optionalKey(Schema.NullOr(EmailInput)),
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
  name: Schema.optionalKey(Schema.NullOr(Name)),
  email: Schema.optionalKey(Schema.NullOr(EmailInput)),
  locale: Schema.optionalKey(Schema.NullOr(Locale)),
  timezone: Schema.optionalKey(Schema.NullOr(Timezone)),
  attributes: Schema.optionalKey(AttributesInput),
  tags: Schema.optionalKey(TagIds).annotateKey({ description: "Tags to add; those it has stay." }),
  marketing: Schema.optionalKey(NewConsent)
}).annotate({ identifier: "ContactByPhone" })
export type ContactByPhone = typeof ContactByPhone.Type

import { Schema } from "effect"
import { isWellFormed, textPatterns, Timestamp, Uuid } from "../kernel/index.ts"
import { phoneSearchKey } from "./PhoneNumber.ts"

export const ContactId = Uuid.pipe(Schema.brand("ContactId"))
export type ContactId = typeof ContactId.Type

export const TagId = Uuid.pipe(Schema.brand("TagId"))
export type TagId = typeof TagId.Type

export const ContactFieldId = Uuid.pipe(Schema.brand("ContactFieldId"))
export type ContactFieldId = typeof ContactFieldId.Type

export const SegmentId = Uuid.pipe(Schema.brand("SegmentId"))
export type SegmentId = typeof SegmentId.Type

export const ContactMergeId = Uuid.pipe(Schema.brand("ContactMergeId"))
export type ContactMergeId = typeof ContactMergeId.Type

/** Kinds of identities. A chat user without a phone number has only the provider's id. */
export const IdentityKind = Schema.Literals(["phone", "email", "chat_user", "store_customer", "external"])
export type IdentityKind = typeof IdentityKind.Type

export const IdentitySource = Schema.Literals(["api", "import", "chat", "store"])
export type IdentitySource = typeof IdentitySource.Type

/** Normalized identity of a contact. */
export const ContactIdentity = Schema.Struct({
  kind: IdentityKind,
  value: Schema.String,
  source: IdentitySource,
  addedAt: Timestamp,
  formerSince: Schema.optionalKey(Timestamp).annotateKey({
    description: "Start of the use by another person, as reported by the chat provider. The identity gets no messages."
  })
}).annotate({ identifier: "ContactIdentity" })
export type ContactIdentity = typeof ContactIdentity.Type

/** Kind and normalized value, enough to find a contact. */
export type IdentityRef = Pick<ContactIdentity, "kind" | "value">

/** Identity with the start of the use by another person, as stored or decoded. */
export interface PersonIdentity extends IdentityRef {
  readonly formerSince?: ContactIdentity["formerSince"] | string
}

/** Id in another system, unchanged. Phone numbers and email addresses have separate fields. */
export const OtherIdentity = Schema.Struct({
  kind: Schema.Literals(["chat_user", "store_customer", "external"]),
  value: Schema.String.check(
    isWellFormed,
    Schema.isPattern(textPatterns.oneLine, {
      message: "Expected one line of text without spaces at its ends"
    }),
    Schema.isMaxCodePoints(200, { message: "Expected at most 200 characters" })
  )
}).annotate({ identifier: "OtherIdentity" })
export type OtherIdentity = typeof OtherIdentity.Type

/** Returns the unique key in an organization. Two identities with one key are the same subscriber. */
export const identityKey = ({ kind, value }: IdentityRef): string => (kind === "phone" ? phoneSearchKey(value) : value)

/** Returns one text for lookups; identities of the same subscriber share it. */
export const identityLookupKey = (identity: IdentityRef): string => `${identity.kind} ${identityKey(identity)}`

/** Returns whether two identities belong to the same subscriber. */
export const isSameIdentity = (one: IdentityRef, other: IdentityRef): boolean =>
  one.kind === other.kind && (one.value === other.value || identityKey(one) === identityKey(other))

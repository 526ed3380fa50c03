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

/** What a contact is known by. A chat user may have no phone number, only the provider's id. */
export const IdentityKind = Schema.Literals(["phone", "email", "chat_user", "store_customer", "external"])
export type IdentityKind = typeof IdentityKind.Type

/** Where an identity came from. */
export const IdentitySource = Schema.Literals(["api", "import", "chat", "store"])
export type IdentitySource = typeof IdentitySource.Type

/** One thing that a contact is known by, normalized. */
export const ContactIdentity = Schema.Struct({
  kind: IdentityKind,
  value: Schema.String,
  source: IdentitySource,
  addedAt: Timestamp
}).annotate({ identifier: "ContactIdentity" })
export type ContactIdentity = typeof ContactIdentity.Type

/** A kind and a normalized value: enough to find a contact by. */
export type IdentityRef = Pick<ContactIdentity, "kind" | "value">

/** An id in another system, as it is; phones and e-mail addresses have fields of their own. */
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

/** What is unique in an organization: two identities with one key are the same subscriber. */
export const identityKey = ({ kind, value }: IdentityRef): string => (kind === "phone" ? phoneSearchKey(value) : value)

/** An identity in one word, for looking it up: two that are of the same subscriber share it. */
export const identityLookupKey = (identity: IdentityRef): string => `${identity.kind} ${identityKey(identity)}`

/** Whether two identities are of the same subscriber. */
export const isSameIdentity = (one: IdentityRef, other: IdentityRef): boolean =>
  one.kind === other.kind && identityKey(one) === identityKey(other)

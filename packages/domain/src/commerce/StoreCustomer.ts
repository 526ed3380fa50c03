import { Schema } from "effect"
import { ConsentState, ContactId, PhoneNumber } from "../crm/index.ts"
import { Email, Locale } from "../platform/identity/index.ts"
import { shownWith, Timestamp } from "../kernel/index.ts"
import { StoreConnectionId, StoreCustomerId } from "./Ids.ts"

/** By what a customer was found to be a contact: `made` where the contact was made of it, `manual` where somebody has said so. */
export const LinkedBy = Schema.Literals(["identity", "phone", "email", "made", "manual"])
export type LinkedBy = typeof LinkedBy.Type

/** A customer of a store. */
export class StoreCustomer extends Schema.Class<StoreCustomer>("StoreCustomer")({
  id: StoreCustomerId,
  storeConnectionId: StoreConnectionId,
  externalId: Schema.String,
  name: Schema.NullOr(Schema.String).pipe(shownWith("commerce.read")),
  phone: Schema.NullOr(PhoneNumber).pipe(shownWith("commerce.read")),
  email: Schema.NullOr(Email).pipe(shownWith("commerce.read")),
  locale: Schema.NullOr(Locale).pipe(shownWith("commerce.read")),
  tags: Schema.Array(Schema.String).pipe(shownWith("commerce.read")),
  smsConsent: ConsentState,
  emailConsent: ConsentState,
  contactId: Schema.NullOr(ContactId),
  linkedBy: Schema.NullOr(LinkedBy),
  /** Another contact who may be the same person: the two had to be merged to be one. */
  conflictContactId: Schema.NullOr(ContactId),
  createdAt: Timestamp,
  updatedAt: Timestamp
}) {}

/** A customer as it is kept: with what decides whether a record is newer. */
export interface KeptCustomer {
  readonly customer: StoreCustomer
  /** When the shop has changed it last. */
  readonly changedAt: Timestamp
  /** When it was said in the shop; `null` where that is not known. */
  readonly smsConsentAt: Timestamp | null
  /** It is gone at the shop, or the person was erased: nothing that a shop says brings it back. */
  readonly closedAt: Timestamp | null
}

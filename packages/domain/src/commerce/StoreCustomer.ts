import { Context, type Effect, Schema } from "effect"
import { ConsentState, ContactId, PhoneNumber } from "../crm/index.ts"
import {
  type NotFound,
  shownWith,
  type Slice,
  type TenantScoped,
  Timestamp,
  type Transaction
} from "../kernel/index.ts"
import { EmailAddress, Locale } from "../platform/identity/index.ts"
import { type CommerceQuery, type ExternalRef, type KnownRef, StoreConnectionId, StoreCustomerId } from "./Ids.ts"

/** How a customer was matched to a contact. `made`: the contact was created from it. `manual`: a member linked it. */
export const LinkedBy = Schema.Literals(["identity", "phone", "email", "made", "manual"])
export type LinkedBy = typeof LinkedBy.Type

export class StoreCustomer extends Schema.Class<StoreCustomer>("StoreCustomer")({
  id: StoreCustomerId,
  storeConnectionId: StoreConnectionId,
  externalId: Schema.String,
  name: Schema.NullOr(Schema.String).pipe(shownWith("commerce.read")),
  phone: Schema.NullOr(PhoneNumber).pipe(shownWith("commerce.read")),
  email: Schema.NullOr(EmailAddress).pipe(shownWith("commerce.read")),
  locale: Schema.NullOr(Locale).pipe(shownWith("commerce.read")),
  tags: Schema.Array(Schema.String).pipe(shownWith("commerce.read")),
  smsConsent: ConsentState,
  chatConsent: ConsentState.annotate({
    description:
      "Consent to marketing in the chat. `unknown`: the shop reports none, and `smsConsent` counts. An SMS opt-out that is later than the opt-in to the chat wins."
  }),
  emailConsent: ConsentState,
  contactId: Schema.NullOr(ContactId),
  linkedBy: Schema.NullOr(LinkedBy),
  /** Another contact that can be the same person. The two contacts are merge candidates. */
  conflictContactId: Schema.NullOr(ContactId),
  createdAt: Timestamp,
  updatedAt: Timestamp
}) {}

/** A customer as stored, with the times that decide which record is newer. */
export interface StoredCustomer {
  readonly customer: StoreCustomer
  /** When the shop last changed it. */
  readonly changedAt: Timestamp
  /** When the person gave the consent in the shop; `null` if unknown. */
  readonly smsConsentAt: Timestamp | null
  readonly chatConsentAt: Timestamp | null
  /** When the shop deleted the customer or the person was erased. No later report of the shop reopens it. */
  readonly closedAt: Timestamp | null
}

/** The customers of the organization's stores. Only the `lock` method returns closed customers. */
export class StoreCustomers extends Context.Service<
  StoreCustomers,
  TenantScoped<{
    readonly get: (id: StoreCustomerId) => Effect.Effect<StoredCustomer, NotFound>
    /** Newest first. The key of a row is its id. */
    readonly list: (query: CommerceQuery, slice: Slice) => Effect.Effect<ReadonlyArray<StoredCustomer>>
    /** Existing customers of these references, unordered. */
    readonly idsOf: (refs: ReadonlyArray<ExternalRef>) => Effect.Effect<ReadonlyArray<KnownRef<StoreCustomerId>>>
    /** Locks these customers of a store for a change, until the unit of work ends. Unordered. */
    readonly lock: (
      storeConnectionId: StoreConnectionId,
      externalIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<StoredCustomer>, never, Transaction>
    /** Stores new and changed customers. Their orders and carts move to the same contacts. */
    readonly put: (customers: ReadonlyArray<StoredCustomer>) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/commerce/StoreCustomers") {}

/** The contact of a customer, the way it was matched, and a possible other contact. */
export interface CustomerMatch {
  readonly contactId: ContactId | null
  readonly linkedBy: LinkedBy | null
  readonly conflictContactId: ContactId | null
}

/** Contacts with the identities of a customer; `null` if no contact has the identity. */
export interface IdentityOwners {
  readonly identity: ContactId | null
  readonly phone: ContactId | null
  readonly email: ContactId | null
}

/** A customer without a contact. */
export const noCustomerMatch: CustomerMatch = { contactId: null, linkedBy: null, conflictContactId: null }

const findOtherOwner = (holders: ReadonlyArray<ContactId | null>, contactId: ContactId): ContactId | null =>
  holders.find((holder) => holder !== null && holder !== contactId) ?? null

/**
 * Decides the contact of a customer. The contact with the identity of the customer wins, even after the phone or address changes. Otherwise the
 * contact with the phone wins, then the contact with the address. If phone and address belong to two contacts, the second one is stored as a conflict
 * and not merged. A manual link stays, also a link to no contact.
 */
export const matchCustomer = (before: CustomerMatch, { email, identity, phone }: IdentityOwners): CustomerMatch => {
  if (identity !== null) {
    const linkedBy = before.contactId === identity && before.linkedBy !== null ? before.linkedBy : "identity"
    return {
      contactId: identity,
      linkedBy,
      conflictContactId: linkedBy === "manual" ? null : findOtherOwner([phone, email], identity)
    }
  }
  if (before.linkedBy === "manual") return before
  if (phone !== null) return { contactId: phone, linkedBy: "phone", conflictContactId: findOtherOwner([email], phone) }
  if (email !== null) return { contactId: email, linkedBy: "email", conflictContactId: null }
  return noCustomerMatch
}

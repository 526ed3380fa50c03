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
  email: Schema.NullOr(EmailAddress).pipe(shownWith("commerce.read")),
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
export interface StoredCustomer {
  readonly customer: StoreCustomer
  /** When the shop has changed it last. */
  readonly changedAt: Timestamp
  /** When it was said in the shop; `null` where that is not known. */
  readonly smsConsentAt: Timestamp | null
  /** It is gone at the shop, or the person was erased: nothing that a shop says brings it back. */
  readonly closedAt: Timestamp | null
}

/** The customers of the organization's stores. Those that are closed are found by `lock` only. */
export class StoreCustomers extends Context.Service<
  StoreCustomers,
  TenantScoped<{
    readonly get: (id: StoreCustomerId) => Effect.Effect<StoredCustomer, NotFound>
    /** Newest first; the key of a row is its id. */
    readonly list: (query: CommerceQuery, slice: Slice) => Effect.Effect<ReadonlyArray<StoredCustomer>>
    /** Which of these there are, in no order. */
    readonly idsOf: (refs: ReadonlyArray<ExternalRef>) => Effect.Effect<ReadonlyArray<KnownRef<StoreCustomerId>>>
    /** Reads these customers of a store to change them: others who do wait until this unit of work ends. In no order. */
    readonly lock: (
      storeConnectionId: StoreConnectionId,
      externalIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<StoredCustomer>, never, Transaction>
    /** Stores new and changed customers. Their orders and carts follow them to their contacts. */
    readonly put: (customers: ReadonlyArray<StoredCustomer>) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/commerce/StoreCustomers") {}

/** Which contact a customer is, and by what; which other one it may be. */
export interface CustomerMatch {
  readonly contactId: ContactId | null
  readonly linkedBy: LinkedBy | null
  readonly conflictContactId: ContactId | null
}

/** Which contacts are known by what a customer is known by; `null` where there is none. */
export interface IdentityOwners {
  readonly identity: ContactId | null
  readonly phone: ContactId | null
  readonly email: ContactId | null
}

/** Nobody. */
export const noCustomerMatch: CustomerMatch = { contactId: null, linkedBy: null, conflictContactId: null }

const findOtherOwner = (holders: ReadonlyArray<ContactId | null>, contactId: ContactId): ContactId | null =>
  holders.find((holder) => holder !== null && holder !== contactId) ?? null

/**
 * Which contact a customer is. Whoever holds the identity of the customer is: no later phone or address moves that. Else whoever has the
 * phone, then whoever has the address; where those are two, the phone wins and the other one is kept as a conflict: nobody is merged by it. What somebody has said
 * stays, also that it is nobody.
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

import { Context, type DateTime, type Effect, Schema } from "effect"
import { ContactId } from "../crm/index.ts"
import { type NotFound, type Slice, type TenantScoped, Timestamp, type Transaction } from "../kernel/index.ts"
import type { InboundDeliveryId } from "../platform/deliveries/index.ts"
import { PrivacyRequestId, StoreConnectionId } from "./Ids.ts"

/** Kind of a privacy request: the data of a customer, or the erasure of a customer or of the whole shop. */
export const PrivacyRequestKind = Schema.Literals(["data_request", "redact_customer", "redact_shop"])
export type PrivacyRequestKind = typeof PrivacyRequestKind.Type

/** `ready`: the export can be handed over. `ignored`: the shop was connected again before the erasure. */
export const PrivacyState = Schema.Literals(["open", "ready", "done", "ignored"])
export type PrivacyState = typeof PrivacyState.Type

export class PrivacyRequest extends Schema.Class<PrivacyRequest>("PrivacyRequest")({
  id: PrivacyRequestId,
  storeConnectionId: StoreConnectionId,
  kind: PrivacyRequestKind,
  contactId: Schema.NullOr(ContactId),
  state: PrivacyState,
  receivedAt: Timestamp,
  dueAt: Timestamp,
  doneAt: Schema.NullOr(Timestamp),
  /** Reason why nothing was done. */
  reason: Schema.NullOr(Schema.String),
  /** Numbers of found or erased records, by name. */
  counts: Schema.Record(Schema.String, Schema.Int),
  createdAt: Timestamp,
  updatedAt: Timestamp
}) {}

/** The person of a request, as the shop reports it. */
export const DataSubject = Schema.Struct({
  externalCustomerId: Schema.NullOr(Schema.String),
  phone: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  externalOrderIds: Schema.Array(Schema.String)
})
export type DataSubject = typeof DataSubject.Type

/** A request without a person. */
export const noSubject: DataSubject = { externalCustomerId: null, phone: null, email: null, externalOrderIds: [] }

/** A request as stored. */
export interface StoredPrivacyRequest {
  readonly request: PrivacyRequest
  /** Delivery of the request. The same delivery creates no second request. */
  readonly deliveryId: InboundDeliveryId
  /** Stored until the request is done. */
  readonly asked: DataSubject | null
  /** When the notice of the due date was published. */
  readonly toldDueAt: DateTime.Utc | null
}

export class PrivacyRequests extends Context.Service<
  PrivacyRequests,
  TenantScoped<{
    readonly get: (id: PrivacyRequestId) => Effect.Effect<StoredPrivacyRequest, NotFound>
    /** Newest first. The key of a row is its id. */
    readonly list: (state: PrivacyState | null, slice: Slice) => Effect.Effect<ReadonlyArray<StoredPrivacyRequest>>
    /** Requests in this state without a change since then, at most `limit`. */
    readonly resting: (
      state: PrivacyState,
      before: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StoredPrivacyRequest>>
    /** Unfinished requests that are due by then and have had no notice, at most `limit`. */
    readonly due: (by: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<StoredPrivacyRequest>>
    /** Locks a request for a change, until the unit of work ends. `null` if it does not exist. */
    readonly lock: (id: PrivacyRequestId) => Effect.Effect<StoredPrivacyRequest | null, never, Transaction>
    /** Stores a new request. Returns false if its delivery has already created one. */
    readonly insert: (kept: StoredPrivacyRequest) => Effect.Effect<boolean, never, Transaction>
    readonly save: (kept: StoredPrivacyRequest) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/commerce/PrivacyRequests") {}

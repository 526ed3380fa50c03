import { Context, type DateTime, type Effect, Schema } from "effect"
import { ContactId } from "../crm/index.ts"
import { type NotFound, type Slice, type TenantScoped, Timestamp, type Transaction } from "../kernel/index.ts"
import type { InboundDeliveryId } from "../platform/deliveries/index.ts"
import { PrivacyRequestId, StoreConnectionId } from "./Ids.ts"

/** What a shop asks for in the name of a person: what is known of a customer, to forget a customer, or to forget all of the shop. */
export const PrivacyRequestKind = Schema.Literals(["data_request", "redact_customer", "redact_shop"])
export type PrivacyRequestKind = typeof PrivacyRequestKind.Type

/** `ready`: the export can be handed over. `ignored`: the shop was connected again before anything was forgotten. */
export const PrivacyState = Schema.Literals(["open", "ready", "done", "ignored"])
export type PrivacyState = typeof PrivacyState.Type

/** A request of a shop about personal data. */
export class PrivacyRequest extends Schema.Class<PrivacyRequest>("PrivacyRequest")({
  id: PrivacyRequestId,
  storeConnectionId: StoreConnectionId,
  kind: PrivacyRequestKind,
  contactId: Schema.NullOr(ContactId),
  state: PrivacyState,
  receivedAt: Timestamp,
  dueAt: Timestamp,
  doneAt: Schema.NullOr(Timestamp),
  /** Why nothing was done. */
  reason: Schema.NullOr(Schema.String),
  /** What was found or forgotten, by name. */
  counts: Schema.Record(Schema.String, Schema.Int),
  createdAt: Timestamp,
  updatedAt: Timestamp
}) {}

/** Whom a request is about, as the shop writes it. */
export const DataSubject = Schema.Struct({
  externalCustomerId: Schema.NullOr(Schema.String),
  phone: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  externalOrderIds: Schema.Array(Schema.String)
})
export type DataSubject = typeof DataSubject.Type

/** Nobody in particular. */
export const noSubject: DataSubject = { externalCustomerId: null, phone: null, email: null, externalOrderIds: [] }

/** A request as it is kept. */
export interface StoredPrivacyRequest {
  readonly request: PrivacyRequest
  /** What it came with: that delivery makes no second request. */
  readonly deliveryId: InboundDeliveryId
  /** Kept until it is done. */
  readonly asked: DataSubject | null
  /** When it was told that it is due soon. */
  readonly toldDueAt: DateTime.Utc | null
}

/** What shops have asked about personal data. */
export class PrivacyRequests extends Context.Service<
  PrivacyRequests,
  TenantScoped<{
    readonly get: (id: PrivacyRequestId) => Effect.Effect<StoredPrivacyRequest, NotFound>
    /** Newest first; the key of a row is its id. */
    readonly list: (state: PrivacyState | null, slice: Slice) => Effect.Effect<ReadonlyArray<StoredPrivacyRequest>>
    /** Those in this state that nothing has happened to since then, at most `limit`. */
    readonly resting: (
      state: PrivacyState,
      before: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StoredPrivacyRequest>>
    /** Those that are not done, are due by then, and were not told to be, at most `limit`. */
    readonly due: (by: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<StoredPrivacyRequest>>
    /** Reads one to change it: others who do wait until this unit of work ends. `null` if there is none. */
    readonly lock: (id: PrivacyRequestId) => Effect.Effect<StoredPrivacyRequest | null, never, Transaction>
    /** Stores a new one, unless its delivery has made one already; says whether it did. */
    readonly insert: (kept: StoredPrivacyRequest) => Effect.Effect<boolean, never, Transaction>
    readonly save: (kept: StoredPrivacyRequest) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/commerce/PrivacyRequests") {}

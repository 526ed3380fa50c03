import { Context, DateTime, Effect, Redacted, Schema } from "effect"
import { Base64 } from "effect/encoding"
import {
  nextId,
  type NotFound,
  type OrganizationId,
  type Slice,
  type TenantScoped,
  Timestamp,
  type Transaction,
  Uuid,
  Vault
} from "../../kernel/index.ts"
import type { Lane, LaneLease, LeaseLost, TaskName } from "../background/index.ts"

export const InboundDeliveryId = Uuid.pipe(Schema.brand("DeliveryId"))
export type InboundDeliveryId = typeof InboundDeliveryId.Type

/** `waiting` before processing, `applied`, or `parked` after repeated failures (dead letter). */
export const InboundDeliveryState = Schema.Literals(["waiting", "applied", "parked"])
export type InboundDeliveryState = typeof InboundDeliveryState.Type

/** Request of a provider with events for an organization, and its processing state. */
export class InboundDelivery extends Schema.Class<InboundDelivery>("Delivery")({
  id: InboundDeliveryId,
  /** The receiving area and the provider. */
  source: Schema.String,
  provider: Schema.String,
  state: InboundDeliveryState,
  receivedAt: Timestamp,
  appliedAt: Schema.NullOr(Timestamp),
  attempts: Schema.Int,
  /** Reason of the failure. */
  reason: Schema.NullOr(Schema.String),
  /** Number of events, and number of unknown events among them. */
  events: Schema.NullOr(Schema.Int),
  unknown: Schema.NullOr(Schema.Int)
}) {}

/** Name of the background task that processes waiting deliveries. */
export const inboundDeliveriesTaskName: TaskName = "deliveries"

/** Default lane of an organization. */
export const sharedLane = "all"

/** Returns a lane of an organization. Deliveries in a lane are processed in order; lanes do not block each other. */
export const inboundDeliveryLane = (organizationId: OrganizationId, key: string = sharedLane): Lane => ({
  task: inboundDeliveriesTaskName,
  organizationId,
  key
})

/** New delivery for one organization. */
export interface NewInboundDelivery {
  readonly organizationId: OrganizationId
  /** Key of the organization's lane that processes it. */
  readonly lane: string
  readonly id: InboundDeliveryId
  readonly source: string
  readonly provider: string
  /** Digest of the body, for the deduplication of repeated deliveries. */
  readonly digest: string
  readonly body: Uint8Array
  readonly receivedAt: DateTime.Utc
}

/** Inbound deliveries of one organization. */
export class InboundDeliveries extends Context.Service<
  InboundDeliveries,
  TenantScoped<{
    readonly get: (
      id: InboundDeliveryId
    ) => Effect.Effect<{ readonly delivery: InboundDelivery; readonly body: Uint8Array }, NotFound>
    /** Newest first; the key of a row is its id. */
    readonly list: (state: InboundDeliveryState | null, slice: Slice) => Effect.Effect<ReadonlyArray<InboundDelivery>>
    /** Schedules an applied or parked delivery again and opens its lane, or parks a waiting one. */
    readonly move: (
      id: InboundDeliveryId,
      to: "waiting" | "parked",
      reason: string | null,
      now: DateTime.Utc
    ) => Effect.Effect<InboundDelivery, NotFound, Transaction>
    /** Deletes the bodies of applied deliveries of this source up to this time. The digests stay for deduplication. */
    readonly forget: (source: string, until: DateTime.Utc) => Effect.Effect<void, never, Transaction>
    /** Deletes deliveries applied before this time, or parked ones received before it, up to the limit. Returns the count. */
    readonly sweep: (state: "applied" | "parked", before: DateTime.Utc, limit: number) => Effect.Effect<number>
  }>
>()("@parley/domain/platform/deliveries/InboundDeliveries") {}

/** Delivery that waits for processing. */
export interface WaitingInboundDelivery {
  readonly id: InboundDeliveryId
  readonly source: string
  readonly provider: string
  readonly body: Uint8Array
  readonly receivedAt: DateTime.Utc
  readonly attempts: number
}

/** Stores deliveries and gives them to the lane owners. Not tenant-scoped. */
export class InboundDeliveryQueue extends Context.Service<
  InboundDeliveryQueue,
  {
    /**
     * Stores deliveries durably and opens their lanes, in a dedicated commit that many callers may share. Deduplication: a delivery with a known
     * digest is skipped.
     */
    readonly store: (deliveries: ReadonlyArray<NewInboundDelivery>) => Effect.Effect<void>
    /**
     * The oldest due deliveries of the lane for one unit of work. All have the source and the provider of the oldest one. At most `limit`; fewer if
     * they are large.
     */
    readonly next: (
      lane: LaneLease,
      limit: number,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<WaitingInboundDelivery>, never, Transaction>
    /** Due time of the next delivery of the lane, in the past if it is already due; `null` when none waits. */
    readonly nextDue: (lane: LaneLease) => Effect.Effect<DateTime.Utc | null>
    /** Marks these deliveries as applied, possibly none, and holds the lane. Call it last in the unit of work. */
    readonly applied: (
      lane: LaneLease,
      done: ReadonlyArray<{ readonly id: InboundDeliveryId; readonly events: number; readonly unknown: number }>,
      now: DateTime.Utc
    ) => Effect.Effect<void, LeaseLost, Transaction>
    /** Records a failure and the retry time; `null` parks the delivery. It also holds the lane. */
    readonly failed: (
      lane: LaneLease,
      id: InboundDeliveryId,
      reason: string,
      again: DateTime.Utc | null
    ) => Effect.Effect<void, LeaseLost, Transaction>
  }
>()("@parley/domain/platform/deliveries/InboundDeliveryQueue") {}

/** Delivery with its organization. */
export interface AddressedDelivery {
  readonly organizationId: OrganizationId
  readonly body: Uint8Array
  /** Deduplication key from the provider. Default: the bytes of the delivery. */
  readonly sameAs?: string | null
  /** Key within the organization, for deliveries that must not wait for others. */
  readonly lane?: string
}

/** Stores authenticated deliveries durably. Duplicates are skipped. */
export const saveInboundDeliveries = Effect.fnUntraced(function* (
  source: string,
  provider: string,
  found: ReadonlyArray<AddressedDelivery>
) {
  if (found.length === 0) return
  const vault = yield* Vault
  const receivedAt = yield* DateTime.now
  const arrived = yield* Effect.forEach(
    found,
    Effect.fnUntraced(function* ({ body, lane = sharedLane, organizationId, sameAs }) {
      const digest = yield* vault.digest(Redacted.make(sameAs ?? Base64.encode(body)))
      const id = yield* nextId(InboundDeliveryId)
      return { organizationId, lane, id, source, provider, digest, body, receivedAt } satisfies NewInboundDelivery
    })
  )
  yield* (yield* InboundDeliveryQueue).store(arrived)
})

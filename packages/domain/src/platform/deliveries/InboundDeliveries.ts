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

/** `waiting` to be worked through, `applied`, or `parked` after it could not be. */
export const InboundDeliveryState = Schema.Literals(["waiting", "applied", "parked"])
export type InboundDeliveryState = typeof InboundDeliveryState.Type

/** What a provider has told an organization, and what became of it. */
export class InboundDelivery extends Schema.Class<InboundDelivery>("Delivery")({
  id: InboundDeliveryId,
  /** The area that it came to, and the provider whose words it is in. */
  source: Schema.String,
  provider: Schema.String,
  state: InboundDeliveryState,
  receivedAt: Timestamp,
  appliedAt: Schema.NullOr(Timestamp),
  attempts: Schema.Int,
  /** Why it could not be worked through. */
  reason: Schema.NullOr(Schema.String),
  /** How many things it told, and how many of them nobody here understands. */
  events: Schema.NullOr(Schema.Int),
  unknown: Schema.NullOr(Schema.Int)
}) {}

/** What deliveries that wait to be worked through are called among the works. */
export const inboundDeliveriesTaskName: TaskName = "deliveries"

/** The lane of an organization where nothing more is said. */
export const sharedLane = "all"

/** What was delivered to a lane of an organization is worked through in its order; one lane does not wait for another. */
export const inboundDeliveryLane = (organizationId: OrganizationId, key: string = sharedLane): Lane => ({
  work: inboundDeliveriesTaskName,
  organizationId,
  key
})

/** A delivery that came, for one organization. */
export interface NewInboundDelivery {
  readonly organizationId: OrganizationId
  /** Names the lane of the organization that it is worked through in. */
  readonly lane: string
  readonly id: InboundDeliveryId
  readonly source: string
  readonly provider: string
  /** A digest of the body: seen again, it is not taken again. */
  readonly digest: string
  readonly body: Uint8Array
  readonly receivedAt: DateTime.Utc
}

/** The deliveries to one organization. */
export class InboundDeliveries extends Context.Service<
  InboundDeliveries,
  TenantScoped<{
    readonly get: (
      id: InboundDeliveryId
    ) => Effect.Effect<{ readonly delivery: InboundDelivery; readonly body: Uint8Array }, NotFound>
    /** Newest first; the key of a row is its id. */
    readonly list: (state: InboundDeliveryState | null, slice: Slice) => Effect.Effect<ReadonlyArray<InboundDelivery>>
    /** Has a delivery that is not waiting worked through again, and opens the lane for it; or parks one that waits. */
    readonly move: (
      id: InboundDeliveryId,
      to: "waiting" | "parked",
      reason: string | null,
      now: DateTime.Utc
    ) => Effect.Effect<InboundDelivery, NotFound, Transaction>
    /** Forgets the bodies of what came from this source until then and was applied. It stays known, so that it is not taken again. */
    readonly forget: (source: string, until: DateTime.Utc) => Effect.Effect<void, never, Transaction>
    /** Deletes what was applied before then, or what is parked and came before then, at most so many; says how many it was. */
    readonly sweep: (state: "applied" | "parked", before: DateTime.Utc, limit: number) => Effect.Effect<number>
  }>
>()("@parley/domain/platform/deliveries/InboundDeliveries") {}

/** A delivery that waits to be worked through. */
export interface WaitingInboundDelivery {
  readonly id: InboundDeliveryId
  readonly source: string
  readonly provider: string
  readonly body: Uint8Array
  readonly receivedAt: DateTime.Utc
  readonly attempts: number
}

/** Takes deliveries in and hands them to whoever owns their lane. It stands above tenants. */
export class InboundDeliveryQueue extends Context.Service<
  InboundDeliveryQueue,
  {
    /**
     * Stores them for good and opens their lanes, in one commit of its own that many callers may share;
     * what was seen before is left out.
     */
    readonly store: (deliveries: ReadonlyArray<NewInboundDelivery>) => Effect.Effect<void>
    /**
     * The oldest of the lane that wait and whose time has come, all of the source and the provider of the very oldest, at most `limit` and
     * fewer of large ones, to work through them in this unit of work.
     */
    readonly next: (
      lane: LaneLease,
      limit: number,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<WaitingInboundDelivery>, never, Transaction>
    /** When the next one of the lane can be worked through, any time that is past if one can now; `null` when none waits. */
    readonly nextDue: (lane: LaneLease) => Effect.Effect<DateTime.Utc | null>
    /** Stores that these were worked through, and holds the lane: call it last in the unit of work. */
    readonly applied: (
      lane: LaneLease,
      done: ReadonlyArray<{ readonly id: InboundDeliveryId; readonly events: number; readonly unknown: number }>,
      now: DateTime.Utc
    ) => Effect.Effect<void, LeaseLost, Transaction>
    /** Stores that one could not be, and when it is tried again; `null`: it is parked. It holds the lane, too. */
    readonly failed: (
      lane: LaneLease,
      id: InboundDeliveryId,
      reason: string,
      again: DateTime.Utc | null
    ) => Effect.Effect<void, LeaseLost, Transaction>
  }
>()("@parley/domain/platform/deliveries/InboundDeliveryQueue") {}

/** What was delivered, and whose it is. */
export interface AddressedDelivery {
  readonly organizationId: OrganizationId
  readonly body: Uint8Array
  /** What a repetition shares with it, if the provider says that; otherwise its bytes. */
  readonly sameAs?: string | null
  /** What it belongs to within the organization, if that must not wait for anything else there. */
  readonly lane?: string
}

/** Stores for good what was delivered, once it is known to come from the provider. What was seen before is left out. */
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

import { Context, type DateTime, type Effect } from "effect"
import type { NotFound, OrganizationId, Slice, TenantScoped, Transaction } from "../kernel/index.ts"
import type { Delivery, DeliveryId, DeliveryState } from "./Delivery.ts"

/** A delivery that came, for one organization. */
export interface ArrivedDelivery {
  readonly organizationId: OrganizationId
  readonly id: DeliveryId
  readonly source: string
  readonly provider: string
  /** A digest of the body: seen again, it is not taken again. */
  readonly digest: string
  readonly body: Uint8Array
  readonly receivedAt: DateTime.Utc
}

/** The deliveries to one organization. */
export class Deliveries extends Context.Service<
  Deliveries,
  TenantScoped<{
    readonly get: (
      id: DeliveryId
    ) => Effect.Effect<{ readonly delivery: Delivery; readonly body: Uint8Array }, NotFound>
    /** Newest first; the key of a row is its id. */
    readonly list: (state: DeliveryState | null, slice: Slice) => Effect.Effect<ReadonlyArray<Delivery>>
    /** Has a delivery that is not waiting worked through again, or parks one that waits. */
    readonly move: (
      id: DeliveryId,
      to: "waiting" | "parked",
      reason: string | null,
      now: DateTime.Utc
    ) => Effect.Effect<Delivery, NotFound, Transaction>
  }>
>()("@parley/domain/deliveries/Deliveries") {}

/** A delivery that waits to be worked through. */
export interface WaitingDelivery {
  readonly id: DeliveryId
  readonly source: string
  readonly provider: string
  readonly body: Uint8Array
  readonly receivedAt: DateTime.Utc
  readonly attempts: number
}

/** The right to work through an organization's deliveries, in their order, until someone else claims it. */
export interface DeliveryLease {
  readonly organizationId: OrganizationId
  readonly worker: string
}

/** Takes deliveries in and hands them to those who work through them. It stands above tenants. */
export class DeliveryInbox extends Context.Service<
  DeliveryInbox,
  {
    /** Stores them for good, in one commit of its own that many callers may share; what was seen before is left out. */
    readonly store: (deliveries: ReadonlyArray<ArrivedDelivery>) => Effect.Effect<void>
    /** Claims an organization that has deliveries waiting whose time has come; `null` when there is none. */
    readonly claim: (claim: {
      readonly worker: string
      readonly now: DateTime.Utc
      readonly until: DateTime.Utc
    }) => Effect.Effect<DeliveryLease | null>
    /**
     * The oldest that wait and whose time has come, all of the source and the provider of the very oldest, at most `limit` and
     * fewer of large ones, to work through them in this unit of work; `null` when the lease is lost.
     */
    readonly next: (
      lease: DeliveryLease,
      limit: number,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<WaitingDelivery> | null, never, Transaction>
    /** Keeps that these were worked through. */
    readonly applied: (
      lease: DeliveryLease,
      done: ReadonlyArray<{ readonly id: DeliveryId; readonly events: number; readonly unknown: number }>,
      now: DateTime.Utc
    ) => Effect.Effect<void, never, Transaction>
    /** Keeps that one could not be, and when it is tried again; `null`: it is parked. */
    readonly failed: (
      lease: DeliveryLease,
      id: DeliveryId,
      reason: string,
      again: DateTime.Utc | null
    ) => Effect.Effect<void, never, Transaction>
    readonly release: (lease: DeliveryLease) => Effect.Effect<void>
    /** Deletes what was applied before then, or what is parked and came before then, at most so many; says how many it was. */
    readonly sweep: (state: "applied" | "parked", before: DateTime.Utc, limit: number) => Effect.Effect<number>
    /** Answers when a delivery may have come, on this node or on another; it may answer for nothing. */
    readonly awaitNews: Effect.Effect<void>
  }
>()("@parley/domain/deliveries/DeliveryInbox") {}

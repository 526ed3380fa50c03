import { Context, type DateTime, type Effect, Schema } from "effect"
import type { OrganizationId } from "./CurrentActor.ts"
import type { Outbox } from "./Outbox.ts"
import type { Locks, Transaction, UnitOfWork } from "./UnitOfWork.ts"

/** The key was used before, for another request. */
export class IdempotencyKeyReused extends Schema.TaggedError<IdempotencyKeyReused>()("IdempotencyKeyReused", {}) {
  override get message() {
    return "This Idempotency-Key was used for another request. Take a new key for a new request."
  }
}

/** The first request with this key is still at work. */
export class IdempotencyKeyInProgress extends Schema.TaggedError<IdempotencyKeyInProgress>()(
  "IdempotencyKeyInProgress",
  {}
) {
  override get message() {
    return "A request with this Idempotency-Key is still at work. Repeat the call in a moment to get its answer."
  }
}

/** Owner of a key. Equal keys of two owners never collide. */
export interface IdempotencyKeyOwner {
  /** The nil UUID for callers without an organization. */
  readonly organizationId: OrganizationId
  readonly actor: string
  readonly key: string
}

/** The answer that a key replays, sealed: it may hold a secret that was shown once. */
export interface StoredResponse {
  readonly fingerprint: string
  readonly sealedAnswer: string
}

/** Keeps the answer of a request in the transaction of its effect. */
export class IdempotencyKeys extends Context.Service<
  IdempotencyKeys,
  {
    /** Claims the key until the unit of work ends, and gives the answer stored for it, if there is one. */
    readonly claim: (
      owner: IdempotencyKeyOwner
    ) => Effect.Effect<StoredResponse | null, IdempotencyKeyInProgress, Transaction>
    /** Keeps the answer for 24 hours. */
    readonly store: (owner: IdempotencyKeyOwner, answer: StoredResponse) => Effect.Effect<void, never, Transaction>
    /** Deletes the organization's answers that are older than that; says how many. */
    readonly sweep: (organizationId: OrganizationId) => Effect.Effect<number>
  }
>()("@parley/domain/kernel/IdempotencyKeys") {}

/** How many units a bucket gives out in one window. */
export interface Quota {
  readonly limit: number
  readonly windowMillis: number
}

/** What a bucket gave. `granted` may be less than asked for; `0` means the window is used up until `resetsAt`. */
export interface RateLimitGrant {
  readonly granted: number
  readonly remaining: number
  readonly resetsAt: DateTime.Utc
}

/** Counts in fixed windows, shared by every process of the service. */
export class RateLimits extends Context.Service<
  RateLimits,
  {
    /** Spends units of the window that runs, as many as it has left. */
    readonly spend: (bucket: string, quota: Quota, units: number) => Effect.Effect<RateLimitGrant>
    /** Gives units back, so that a success does not count as a failure. */
    readonly refund: (bucket: string, quota: Quota, units: number) => Effect.Effect<void>
    /** Deletes windows that are over; says how many. */
    readonly sweep: Effect.Effect<number>
  }
>()("@parley/domain/kernel/RateLimits") {}

/** What a storage adapter provides of this area. */
export type KernelStorage = IdempotencyKeys | Locks | Outbox | RateLimits | UnitOfWork

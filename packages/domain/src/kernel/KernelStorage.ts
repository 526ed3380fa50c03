import { Context, type DateTime, type Effect, Schema } from "effect"
import type { OrganizationId } from "./CurrentActor.ts"
import type { Outbox } from "./Outbox.ts"
import type { Locks, Transaction, UnitOfWork } from "./UnitOfWork.ts"

/** The key was used before for another request. */
export class IdempotencyKeyReused extends Schema.TaggedError<IdempotencyKeyReused>()("IdempotencyKeyReused", {}) {
  override get message() {
    return "This Idempotency-Key was used for another request. Use a new key for a new request."
  }
}

/** The first request with this key is still running. */
export class IdempotencyKeyInProgress extends Schema.TaggedError<IdempotencyKeyInProgress>()(
  "IdempotencyKeyInProgress",
  {}
) {
  override get message() {
    return "A request with this Idempotency-Key is still in progress. Repeat the call later to get its answer."
  }
}

/** Owner of a key. Equal keys of two owners never collide. */
export interface IdempotencyKeyOwner {
  /** The nil UUID for callers without an organization. */
  readonly organizationId: OrganizationId
  readonly actor: string
  readonly key: string
}

/** Stored response of a key. It is sealed, because it may contain a secret that was shown once. */
export interface StoredResponse {
  readonly fingerprint: string
  readonly sealedAnswer: string
}

/** Stores the response of a request in the transaction of its effect. */
export class IdempotencyKeys extends Context.Service<
  IdempotencyKeys,
  {
    /** Claims the key until the unit of work ends, and returns its stored response, if any. */
    readonly claim: (
      owner: IdempotencyKeyOwner
    ) => Effect.Effect<StoredResponse | null, IdempotencyKeyInProgress, Transaction>
    /** Stores the response for 24 hours. */
    readonly store: (owner: IdempotencyKeyOwner, answer: StoredResponse) => Effect.Effect<void, never, Transaction>
    /** Deletes the organization's expired responses and returns the count. */
    readonly sweep: (organizationId: OrganizationId) => Effect.Effect<number>
  }
>()("@parley/domain/kernel/IdempotencyKeys") {}

/** Units of a bucket per window. */
export interface Quota {
  readonly limit: number
  readonly windowMillis: number
}

/** Granted units. `granted` may be less than requested; `0` means the window is used up until `resetsAt`. */
export interface RateLimitGrant {
  readonly granted: number
  readonly remaining: number
  readonly resetsAt: DateTime.Utc
}

/** Rate limits with fixed windows, shared by every process of the service. */
export class RateLimits extends Context.Service<
  RateLimits,
  {
    /** Spends units of the current window, up to the remaining ones. */
    readonly spend: (bucket: string, quota: Quota, units: number) => Effect.Effect<RateLimitGrant>
    /** Refunds units, because a success must not count as a failure. */
    readonly refund: (bucket: string, quota: Quota, units: number) => Effect.Effect<void>
    /** Deletes expired windows and returns the count. */
    readonly sweep: Effect.Effect<number>
  }
>()("@parley/domain/kernel/RateLimits") {}

/** Ports that a storage adapter provides for the kernel. */
export type KernelStorage = IdempotencyKeys | Locks | Outbox | RateLimits | UnitOfWork

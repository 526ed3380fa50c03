import { Context, type DateTime, type Effect, Schema } from "effect"
import type { OrganizationId } from "./CurrentActor.ts"
import type { Outbox } from "./Outbox.ts"
import { Permission } from "./Permission.ts"
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

/** Answer of a handled request that its caller can no longer read. The request is not executed again. */
export class IdempotencyAnswerWithdrawn extends Schema.TaggedError<IdempotencyAnswerWithdrawn>()(
  "IdempotencyAnswerWithdrawn",
  {
    reason: Schema.Literals(["permission_lost", "contact_erased"]),
    /** Permissions that the caller had at the first request and lacks now. */
    missing: Schema.Array(Permission)
  }
) {
  override get message() {
    const fact =
      this.reason === "contact_erased"
        ? "A contact was erased since, so its answer is no longer available."
        : `Its answer needs permissions that you no longer hold: ${this.missing.join(", ")}.`
    return `The request with this Idempotency-Key was handled and is not executed again. ${fact} Read the resource to see its state.`
  }
}

/** Owner of a key. Equal keys of two owners never collide. */
export interface IdempotencyKeyOwner {
  /** The nil UUID for callers without an organization. */
  readonly organizationId: OrganizationId
  readonly actor: string
  readonly key: string
}

/** Response to store for a key. It is sealed, because it may contain a secret that was shown once. */
export interface NewResponse {
  readonly fingerprint: string
  readonly sealedAnswer: string
  /** Whether the response may contain data of contacts. Erasures withdraw such responses. */
  readonly mayHoldContactData: boolean
}

/** Stored response of a key. */
export interface StoredResponse {
  readonly fingerprint: string
  /** `null` after an erasure. */
  readonly sealedAnswer: string | null
}

/** Claimed key with its stored response, if any. */
export interface KeyClaim {
  readonly stored: StoredResponse | null
  /** Erasures that the request sees. All others withdraw its response. The adapter defines the format. */
  readonly seenErasures: string
}

/** Stores the response of a request in the transaction of its effect. */
export class IdempotencyKeys extends Context.Service<
  IdempotencyKeys,
  {
    /** Claims the key until the unit of work ends. Requests claim their key before they read anything. */
    readonly claim: (owner: IdempotencyKeyOwner) => Effect.Effect<KeyClaim, IdempotencyKeyInProgress, Transaction>
    /** Stores the response for 24 hours. */
    readonly store: (
      owner: IdempotencyKeyOwner,
      claim: KeyClaim,
      response: NewResponse
    ) => Effect.Effect<void, never, Transaction>
    /**
     * Withdraws the responses of the organization that may contain data of contacts, also for running requests. The
     * keys stay, so no effect is repeated.
     */
    readonly withdraw: (organizationId: OrganizationId) => Effect.Effect<void, never, Transaction>
    /** Deletes the organization's withdrawn and expired responses and returns the count. */
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

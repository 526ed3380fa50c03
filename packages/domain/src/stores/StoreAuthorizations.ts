import { Context, type DateTime, type Effect } from "effect"
import type { ActorRef, OrganizationId, TenantScoped, Transaction } from "../kernel/index.ts"
import type { StoreConnectionId } from "./Ids.ts"
import type { ShopDomain } from "./ShopDomain.ts"

/** A journey to a shop, as its starter began it. */
export interface StoreAuthorization {
  readonly storeConnectionId: StoreConnectionId
  readonly provider: string
  readonly shopDomain: ShopDomain
  /** The starter. No other actor finishes the journey. */
  readonly actor: ActorRef
  /** PKCE S256 of the verifier, which the starter keeps. */
  readonly codeChallenge: string
  readonly returnTo: string | null
}

/** The code of a shop, parked until the starter finishes the journey. */
export interface ParkedStoreCode extends Omit<StoreAuthorization, "returnTo"> {
  /** The code of the shop, sealed by the vault for this store connection. */
  readonly sealedCode: string
}

/** The claim to a parked code. Each field must match. */
export interface ParkedCodeClaim extends Pick<ParkedStoreCode, "actor" | "codeChallenge" | "storeConnectionId"> {
  /** The digest of the one-time code. */
  readonly digest: string
}

/** Journeys to shops. A state and a one-time code are stored as digests only. */
export class StoreAuthorizations extends Context.Service<
  StoreAuthorizations,
  TenantScoped<{
    readonly insert: (
      digest: string,
      authorization: StoreAuthorization,
      expiresAt: DateTime.Utc
    ) => Effect.Effect<void, never, Transaction>
    /** Parks the code of a shop under the digest of a one-time code. */
    readonly park: (
      digest: string,
      parked: ParkedStoreCode,
      expiresAt: DateTime.Utc
    ) => Effect.Effect<void, never, Transaction>
    /**
     * Takes a parked code out. `null` if it is spent, expired or unknown, or if any field of the claim differs: that changes nothing. A second
     * concurrent call waits for the first to commit. If the first rolls back, the second takes the code.
     */
    readonly takeParked: (
      claim: ParkedCodeClaim,
      now: DateTime.Utc
    ) => Effect.Effect<ParkedStoreCode | null, never, Transaction>
    /** Deletes states that expired more than a day ago, and expired parked codes. Returns the number of deleted rows. */
    readonly sweep: () => Effect.Effect<number>
  }>
>()("@parley/domain/stores/StoreAuthorizations") {}

/** Spends states, from callers who have no tenant yet. */
export class StoreAuthorizationRedemption extends Context.Service<
  StoreAuthorizationRedemption,
  {
    /** Spends the state and returns its journey; `null` if it is spent, expired or unknown. Only one of several concurrent calls succeeds. */
    readonly redeem: (
      digest: string,
      now: DateTime.Utc
    ) => Effect.Effect<(StoreAuthorization & { readonly organizationId: OrganizationId }) | null, never, Transaction>
  }
>()("@parley/domain/stores/StoreAuthorizationRedemption") {}

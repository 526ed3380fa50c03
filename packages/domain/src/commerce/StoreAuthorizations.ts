import { Context, type DateTime, Duration, type Effect, Schema } from "effect"
import type { ActorRef, OrganizationId, TenantScoped, Transaction } from "../kernel/index.ts"
import type { StoreConnectionId } from "./Ids.ts"
import type { ShopDomain } from "./Shop.ts"

/** A started journey to a shop. */
export interface StoreAuthorization {
  readonly storeConnectionId: StoreConnectionId
  readonly provider: string
  readonly shopDomain: ShopDomain
  /** The starter. Other actors cannot complete the journey. */
  readonly actor: ActorRef
  /** PKCE S256 challenge. The starter stores the verifier. */
  readonly codeChallenge: string
  readonly returnTo: string | null
}

/** The code of a shop, parked until the starter completes the journey. */
export interface ParkedStoreCode extends Omit<StoreAuthorization, "returnTo"> {
  /** The code of the shop, sealed for this store connection. */
  readonly sealedCode: string
}

/** A parked code that is reserved for one exchange. */
export interface ReservedStoreCode extends ParkedStoreCode {
  readonly digest: string
  /** End of the reservation. It also identifies the reservation. */
  readonly reservedUntil: DateTime.Utc
}

/** Result of a reservation. `unknown`: the code is spent, expired or unknown, or a field of the claim differs. */
export type StoreCodeReservation =
  | { readonly kind: "reserved"; readonly code: ReservedStoreCode }
  | { readonly kind: "in_progress" }
  | { readonly kind: "unknown" }

/** The claim to a parked code. All fields must match. */
export interface ParkedCodeClaim extends Pick<ParkedStoreCode, "actor" | "codeChallenge" | "storeConnectionId"> {
  readonly digest: string
}

/** Journeys to shops. Stores states and one-time codes as digests only. */
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
    /** Reserves a parked code for one exchange, unless a code of the same shop is reserved in any organization. */
    readonly reserve: (
      claim: ParkedCodeClaim,
      now: DateTime.Utc,
      until: DateTime.Utc
    ) => Effect.Effect<StoreCodeReservation, never, Transaction>
    /** Ends the reservation without a use of the code. Has no effect after another reservation of the code. */
    readonly release: (reserved: ReservedStoreCode) => Effect.Effect<void, never, Transaction>
    /** Removes a reserved code. Returns `false` after another reservation of the code, or if it does not exist. */
    readonly spend: (reserved: ReservedStoreCode) => Effect.Effect<boolean, never, Transaction>
    /**
     * Deletes states that expired more than a day ago, and expired parked codes without a reservation. Returns the number of deleted rows.
     */
    readonly sweep: () => Effect.Effect<number>
  }>
>()("@parley/domain/commerce/StoreAuthorizations") {}

/** Spends states, from callers who have no tenant yet. */
export class StoreAuthorizationRedemption extends Context.Service<
  StoreAuthorizationRedemption,
  {
    /** Spends the state and returns its journey; `null` for a spent, expired or unknown state. Exactly one of several concurrent calls succeeds. */
    readonly redeem: (
      digest: string,
      now: DateTime.Utc
    ) => Effect.Effect<(StoreAuthorization & { readonly organizationId: OrganizationId }) | null, never, Transaction>
  }
>()("@parley/domain/commerce/StoreAuthorizationRedemption") {}

/** Random bytes of a state and of a one-time code. */
export const secretBytes = 32

/** Maximum duration of each half of a journey: to the shop and back, and from the callback to the completing call. */
export const authorizationTimeout = Duration.minutes(10)

/** PKCE with S256 (RFC 7636): the SHA-256 of the verifier, in base64url. */
export const CodeChallenge = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9_-]{43}$/u, {
    message: "Expected the S256 code challenge of your verifier: 43 characters of base64url (RFC 7636)"
  })
)

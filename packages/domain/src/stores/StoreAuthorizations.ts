import { Context, type DateTime, type Effect } from "effect"
import type { ActorRef, OrganizationId, Permission, TenantScoped, Transaction } from "../kernel/index.ts"
import type { StoreConnectionId } from "./Ids.ts"
import type { ShopDomain } from "./ShopDomain.ts"

/** Somebody who was sent to a shop to agree there, and where to go on after that. */
export interface StoreAuthorization {
  readonly storeConnectionId: StoreConnectionId
  readonly provider: string
  readonly shopDomain: ShopDomain
  readonly actor: ActorRef
  /** Those that were held when the person was sent. */
  readonly permissions: ReadonlyArray<Permission>
  readonly returnTo: string | null
}

/** Who was sent to shops to agree there; each is known by the digest of a state only. */
export class StoreAuthorizations extends Context.Service<
  StoreAuthorizations,
  TenantScoped<{
    readonly insert: (
      digest: string,
      authorization: StoreAuthorization,
      expiresAt: DateTime.Utc
    ) => Effect.Effect<void, never, Transaction>
    /** Deletes what expired more than a day ago; says how many. */
    readonly sweep: () => Effect.Effect<number>
  }>
>()("@parley/domain/stores/StoreAuthorizations") {}

/** Spends states, from callers who have no tenant yet. */
export class StoreAuthorizationRedemption extends Context.Service<
  StoreAuthorizationRedemption,
  {
    /** Spends the state and says whose it was; `null` when it is spent, expired or unknown. Of many at once, one succeeds. */
    readonly redeem: (
      digest: string,
      now: DateTime.Utc
    ) => Effect.Effect<(StoreAuthorization & { readonly organizationId: OrganizationId }) | null, never, Transaction>
  }
>()("@parley/domain/stores/StoreAuthorizationRedemption") {}

import { Context, type DateTime, type Effect } from "effect"
import type { OrganizationId, TenantScoped, Transaction, UserId } from "../kernel/index.ts"

/** Whom a code was made for. */
export interface DocsCodeOwner {
  readonly organizationId: OrganizationId
  readonly userId: UserId
}

/** Makes one-time codes for the current organization; a code is known by its digest only. */
export class DocsCodes extends Context.Service<
  DocsCodes,
  TenantScoped<{
    readonly insert: (
      digest: string,
      userId: UserId,
      expiresAt: DateTime.Utc
    ) => Effect.Effect<void, never, Transaction>
    /** Deletes codes that expired more than a day ago; says how many. */
    readonly sweep: () => Effect.Effect<number>
  }>
>()("@parley/domain/docs-handoff/DocsCodes") {}

/** Redeems codes, from callers who have no tenant yet. */
export class DocsCodeRedemption extends Context.Service<
  DocsCodeRedemption,
  {
    /** Spends the code and says whose it was; `null` when it is spent, expired or unknown. Of many at once, one succeeds. */
    readonly redeem: (digest: string, now: DateTime.Utc) => Effect.Effect<DocsCodeOwner | null, never, Transaction>
  }
>()("@parley/domain/docs-handoff/DocsCodeRedemption") {}

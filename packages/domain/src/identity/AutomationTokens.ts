import { Context, type DateTime, type Effect } from "effect"
import type { AutomationTokenId, NotFound, Slice, TenantScoped, Transaction } from "../kernel/index.ts"
import type { AutomationToken } from "./AutomationToken.ts"

/** The automation tokens of the organization. */
export class AutomationTokens extends Context.Service<
  AutomationTokens,
  TenantScoped<{
    /** Newest first; the key of a row is its id. */
    readonly list: (slice: Slice) => Effect.Effect<ReadonlyArray<AutomationToken>>
    readonly insert: (token: AutomationToken) => Effect.Effect<void, never, Transaction>
    /** Revokes it; again is no fault. */
    readonly revoke: (id: AutomationTokenId, now: DateTime.Utc) => Effect.Effect<AutomationToken, NotFound, Transaction>
    /** Notes that it was used; notes of one token within a minute may be one. */
    readonly touch: (id: AutomationTokenId, now: DateTime.Utc) => Effect.Effect<void>
  }>
>()("@parley/domain/identity/AutomationTokens") {}

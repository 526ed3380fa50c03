import { Context, type DateTime, type Effect } from "effect"
import type { AutomationTokenId, NotFound, Slice, TenantScoped, Transaction, UserId } from "../../kernel/index.ts"
import type { AutomationToken } from "./AutomationToken.ts"
import type { Responsible } from "./tokenRights.ts"

/** An automation token, and the current status and role of the person responsible for it. */
export interface AnsweredToken {
  readonly token: AutomationToken
  readonly responsible: Responsible
}

/** The automation tokens of the organization. */
export class AutomationTokens extends Context.Service<
  AutomationTokens,
  TenantScoped<{
    /** Newest first; the key of a row is its id. */
    readonly list: (slice: Slice) => Effect.Effect<ReadonlyArray<AnsweredToken>>
    /** `null` if it does not exist. */
    readonly find: (id: AutomationTokenId) => Effect.Effect<AnsweredToken | null>
    readonly insert: (token: AutomationToken) => Effect.Effect<void, never, Transaction>
    /** As it is, and stays until this unit of work ends. */
    readonly lock: (id: AutomationTokenId) => Effect.Effect<AutomationToken, NotFound, Transaction>
    /** Makes the person the one who answers for it. */
    readonly adopt: (
      id: AutomationTokenId,
      userId: UserId,
      now: DateTime.Utc
    ) => Effect.Effect<AutomationToken, NotFound, Transaction>
    /** Revokes it; again is no fault. */
    readonly revoke: (id: AutomationTokenId, now: DateTime.Utc) => Effect.Effect<AutomationToken, NotFound, Transaction>
    /** Notes that it was used; notes of one token within a minute may be one. */
    readonly touch: (id: AutomationTokenId, now: DateTime.Utc) => Effect.Effect<void>
  }>
>()("@parley/domain/platform/identity/AutomationTokens") {}

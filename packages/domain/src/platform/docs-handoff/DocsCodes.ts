import { Context, type DateTime, type Effect, Schema } from "effect"
import type { SessionId, TenantScoped, Transaction, UserId } from "../../kernel/index.ts"
import type { DocsReader } from "../identity/index.ts"

/** One-time code for the documentation site, stored as a digest until a reader spends it. */
export interface DocsCode {
  readonly owner: DocsReader
  readonly expiresAt: DateTime.Utc
}

/** Creates one-time codes for the current organization. The store has only the digest of a code. */
export class DocsCodes extends Context.Service<
  DocsCodes,
  TenantScoped<{
    /** The session is the parent of the code. The code ends with the session. */
    readonly insert: (
      digest: string,
      parent: { readonly userId: UserId; readonly sessionId: SessionId },
      expiresAt: DateTime.Utc
    ) => Effect.Effect<void, never, Transaction>
    /** Deletes codes that expired more than a day ago, and returns the count. */
    readonly sweep: () => Effect.Effect<number>
  }>
>()("@parley/domain/platform/docs-handoff/DocsCodes") {}

/** Redeems codes for callers without a tenant. */
export class DocsCodeRedemption extends Context.Service<
  DocsCodeRedemption,
  {
    /** Spends the code and returns its reader; null for a spent, expired or unknown code. Exactly one of several concurrent calls succeeds. */
    readonly redeem: (digest: string, now: DateTime.Utc) => Effect.Effect<DocsReader | null, never, Transaction>
  }
>()("@parley/domain/platform/docs-handoff/DocsCodeRedemption") {}

/** The code is used, expired, unknown or malformed. The response does not reveal which. */
export class DocsCodeInvalid extends Schema.TaggedError<DocsCodeInvalid>()("DocsCodeInvalid", {}) {
  override get message() {
    return "The code is not valid, or has expired. Request a new one."
  }
}

import { Context, type DateTime, type Effect } from "effect"
import type { Transaction } from "../../kernel/index.ts"

/**
 * One-time links to a new password. A link is known by the digest of its token only, and belongs to a mailbox, whether
 * there is a user with that address or not: who asks for one learns nothing from how long that takes.
 */
export class PasswordResets extends Context.Service<
  PasswordResets,
  {
    /** Links that were made before stay good. */
    readonly insert: (digest: string, email: string, expiresAt: DateTime.Utc) => Effect.Effect<void, never, Transaction>
    /** The mailbox of a link that is good; `null` when it is spent, expired or unknown. */
    readonly find: (digest: string, now: DateTime.Utc) => Effect.Effect<string | null>
    /** As `find`, and it spends every link of the mailbox. Of many at once, also with several links, one succeeds. */
    readonly spend: (digest: string, now: DateTime.Utc) => Effect.Effect<string | null, never, Transaction>
    /** Makes every link of the mailbox worthless. */
    readonly withdraw: (email: string) => Effect.Effect<void, never, Transaction>
    /** Deletes links that have expired; says how many. */
    readonly sweep: Effect.Effect<number>
  }
>()("@parley/domain/platform/identity/PasswordResets") {}

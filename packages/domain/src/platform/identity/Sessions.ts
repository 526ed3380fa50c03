import { Context, type DateTime, type Effect } from "effect"
import type { SessionId, Transaction, UserId } from "../../kernel/index.ts"
import type { Session } from "./Session.ts"

/** What became of a refresh token. */
export type Rotation =
  | { readonly _tag: "Rotated"; readonly session: Session }
  | { readonly _tag: "Unknown" }
  | { readonly _tag: "Expired" }
  | { readonly _tag: "Revoked" }
  | { readonly _tag: "Spent"; readonly session: Session; readonly spentAt: DateTime.Utc }

/** Logins. Refresh tokens are known by their digest only. */
export class Sessions extends Context.Service<
  Sessions,
  {
    readonly insert: (session: Session, refreshDigest: string) => Effect.Effect<void, never, Transaction>
    /**
     * Exchanges one refresh digest for the next, if it is the current one of a live session: of many at once, one does.
     * Of a session that was revoked, or else has expired, it says that, whatever became of the digest.
     */
    readonly rotate: (
      refreshDigest: string,
      nextDigest: string,
      now: DateTime.Utc
    ) => Effect.Effect<Rotation, never, Transaction>
    readonly revoke: (id: SessionId, now: DateTime.Utc) => Effect.Effect<void, never, Transaction>
    /** Revokes every session of the user but one. */
    readonly revokeAllOf: (
      userId: UserId,
      except: SessionId | null,
      now: DateTime.Utc
    ) => Effect.Effect<void, never, Transaction>
    /** Deletes sessions that expired more than a day ago, and their tokens; says how many. */
    readonly sweep: Effect.Effect<number>
  }
>()("@parley/domain/platform/identity/Sessions") {}

import { Context, DateTime, Duration, Effect, type Redacted, Schema } from "effect"
import { Ids, nextId, SessionId, Timestamp, type Transaction, UserId, Vault } from "../../kernel/index.ts"
import { TokenSigner } from "./TokenSigner.ts"

/** How long an access token is good for. */
export const accessTokenLifetime = Duration.minutes(15)

/** How long a session can be refreshed without a new login. */
export const sessionLifetime = Duration.days(30)

/** How long after its exchange a refresh token may come again, from a call that lost the race, without alarm. */
export const refreshGracePeriod = Duration.seconds(10)

/** A login, which lives from refresh to refresh until it ends, expires or is revoked. */
export class Session extends Schema.Class<Session>("Session")({
  id: SessionId,
  userId: UserId,
  createdAt: Timestamp,
  expiresAt: Timestamp
}) {}

/** What became of a refresh token. */
export type RefreshRotation =
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
    ) => Effect.Effect<RefreshRotation, never, Transaction>
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

/** The tokens of a session: a short one to call with, and one to exchange for the next pair. */
export interface TokenPair {
  readonly accessToken: Redacted.Redacted
  readonly refreshToken: Redacted.Redacted
  readonly expiresIn: number
  readonly expiresAt: DateTime.Utc
}

/** Makes the tokens of a session around a refresh token. */
export const signTokenPair = Effect.fnUntraced(function* (
  userId: UserId,
  sessionId: SessionId,
  refreshToken: Redacted.Redacted
) {
  const signer = yield* TokenSigner
  const expiresAt = DateTime.addDuration(yield* DateTime.now, accessTokenLifetime)
  const accessToken = yield* signer.sign({ use: "session", userId, sessionId }, expiresAt)
  return { accessToken, refreshToken, expiresIn: Duration.toSeconds(accessTokenLifetime), expiresAt }
})

/** Opens a session for a user who has proved who they are. */
export const issueSession = Effect.fnUntraced(function* (userId: UserId) {
  const ids = yield* Ids
  const sessions = yield* Sessions
  const vault = yield* Vault
  const now = yield* DateTime.now
  const refreshToken = yield* ids.secret(32)
  const session = new Session({
    id: yield* nextId(SessionId),
    userId,
    createdAt: now,
    expiresAt: DateTime.addDuration(now, sessionLifetime)
  })
  yield* sessions.insert(session, yield* vault.digest(refreshToken))
  return { sessionId: session.id, tokens: yield* signTokenPair(userId, session.id, refreshToken) }
})

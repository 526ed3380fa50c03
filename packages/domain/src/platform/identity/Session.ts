import { Context, DateTime, Duration, Effect, type Redacted, Schema } from "effect"
import { Ids, nextId, SessionId, Timestamp, type Transaction, UserId, Vault } from "../../kernel/index.ts"
import { TokenSigner } from "./TokenSigner.ts"

export const accessTokenLifetime = Duration.minutes(15)

/** Maximum lifetime of a session without a new login. */
export const sessionLifetime = Duration.days(30)

/** A concurrent call can reuse an exchanged refresh token for this time without an alarm. */
export const refreshGracePeriod = Duration.seconds(10)

/** Login that lasts until its end, expiry or revocation. Refreshes keep it open. */
export class Session extends Schema.Class<Session>("Session")({
  id: SessionId,
  userId: UserId,
  createdAt: Timestamp,
  expiresAt: Timestamp
}) {}

/** Result of the exchange of a refresh token. */
export type RefreshRotation =
  | { readonly _tag: "Rotated"; readonly session: Session }
  | { readonly _tag: "Unknown" }
  | { readonly _tag: "Expired" }
  | { readonly _tag: "Revoked" }
  | { readonly _tag: "Spent"; readonly session: Session; readonly spentAt: DateTime.Utc }

/** Logins. The store has only digests of refresh tokens. */
export class Sessions extends Context.Service<
  Sessions,
  {
    readonly insert: (session: Session, refreshDigest: string) => Effect.Effect<void, never, Transaction>
    /**
     * Exchanges one refresh digest for the next, if it is current in an active session. Of several concurrent calls, one succeeds. A revoked or
     * expired session returns that state, regardless of the digest.
     */
    readonly rotate: (
      refreshDigest: string,
      nextDigest: string,
      now: DateTime.Utc
    ) => Effect.Effect<RefreshRotation, never, Transaction>
    readonly revoke: (id: SessionId, now: DateTime.Utc) => Effect.Effect<void, never, Transaction>
    /** Revokes every session of the user except one. */
    readonly revokeAllOf: (
      userId: UserId,
      except: SessionId | null,
      now: DateTime.Utc
    ) => Effect.Effect<void, never, Transaction>
    /** Deletes sessions that expired more than a day ago, and their tokens. Returns the count. */
    readonly sweep: Effect.Effect<number>
  }
>()("@parley/domain/platform/identity/Sessions") {}

/** Tokens of a session: a short-lived access token, and a refresh token for the next pair. */
export interface TokenPair {
  readonly accessToken: Redacted.Redacted
  readonly refreshToken: Redacted.Redacted
  readonly expiresIn: number
  readonly expiresAt: DateTime.Utc
}

/** Signs the tokens of a session for a refresh token. */
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

/** Opens a session for an authenticated user. */
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

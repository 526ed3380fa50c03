import { DateTime, Duration, Effect, type Redacted } from "effect"
import { Ids, nextId, SessionId, type UserId, Vault } from "../../../kernel/index.ts"
import { accessTokenLife, Session, sessionLife } from "../Session.ts"
import { Sessions } from "../Sessions.ts"
import { TokenSigner } from "../TokenSigner.ts"

/** The tokens of a session: a short one to call with, and one to exchange for the next pair. */
export interface TokenPair {
  readonly accessToken: Redacted.Redacted
  readonly refreshToken: Redacted.Redacted
  readonly expiresIn: number
  readonly expiresAt: DateTime.Utc
}

/** Makes the tokens of a session around a refresh token. */
export const signPair = Effect.fnUntraced(function* (
  userId: UserId,
  sessionId: SessionId,
  refreshToken: Redacted.Redacted
) {
  const signer = yield* TokenSigner
  const expiresAt = DateTime.addDuration(yield* DateTime.now, accessTokenLife)
  const accessToken = yield* signer.sign({ use: "session", userId, sessionId }, expiresAt)
  return { accessToken, refreshToken, expiresIn: Duration.toSeconds(accessTokenLife), expiresAt }
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
    expiresAt: DateTime.addDuration(now, sessionLife)
  })
  yield* sessions.insert(session, yield* vault.digest(refreshToken))
  return { sessionId: session.id, tokens: yield* signPair(userId, session.id, refreshToken) }
})

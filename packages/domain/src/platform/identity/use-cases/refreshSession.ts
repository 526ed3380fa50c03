import { DateTime, Duration, Effect, type Redacted } from "effect"
import { Ids, transact, useCase, Vault } from "../../../kernel/index.ts"
import { RefreshSuperseded, SessionReuseDetected, TokenExpired, TokenInvalid, TokenRevoked } from "../Errors.ts"
import { refreshGrace } from "../Session.ts"
import { Sessions } from "../Sessions.ts"
import { signPair } from "../logins/issueSession.ts"
import { recordForUser } from "../userAudit.ts"

const isWithinGrace = (spentAt: DateTime.Utc, now: DateTime.Utc) =>
  DateTime.toEpochMillis(now) - DateTime.toEpochMillis(spentAt) <= Duration.toMillis(refreshGrace)

/** Exchanges a refresh token for the next pair. A token that was exchanged before ends the session. */
export const refreshSession = useCase(
  "identity.refreshSession",
  { access: "public" },
  Effect.fnUntraced(function* (refreshToken: Redacted.Redacted) {
    const sessions = yield* Sessions
    const vault = yield* Vault
    const next = yield* (yield* Ids).secret(32)
    const now = yield* DateTime.now
    const digest = yield* vault.digest(refreshToken)
    const nextDigest = yield* vault.digest(next)
    const rotation = yield* transact(
      Effect.gen(function* () {
        const rotation = yield* sessions.rotate(digest, nextDigest, now)
        if (rotation._tag === "Spent" && !isWithinGrace(rotation.spentAt, now)) {
          yield* sessions.revoke(rotation.session.id, now)
          yield* recordForUser(rotation.session.userId, rotation.session.id, "session.reuse_detected")
        }
        return rotation
      })
    )
    switch (rotation._tag) {
      case "Unknown":
        return yield* new TokenInvalid()
      case "Expired":
        return yield* new TokenExpired()
      case "Revoked":
        return yield* new TokenRevoked()
      case "Spent":
        return isWithinGrace(rotation.spentAt, now) ? yield* new RefreshSuperseded() : yield* new SessionReuseDetected()
      case "Rotated":
        return yield* signPair(rotation.session.userId, rotation.session.id, next)
    }
  })
)

import { DateTime, Duration, Effect, type Redacted } from "effect"
import { Ids, type OrganizationId, transact, useCase, Vault } from "../../../kernel/index.ts"
import { Accounts } from "../Accounts.ts"
import { isValidDeviceToken, makeDeviceToken, rememberAddress } from "../KnownAddresses.ts"
import { issueSession, refreshGracePeriod, Sessions, signTokenPair } from "../Session.ts"
import { TokenSigner } from "../TokenSigner.ts"
import { currentUserActor, Users } from "../User.ts"
import { recordAuditAsUser, recordPlatformAudit, recordUserAudit } from "../authorization.ts"
import {
  InvalidCredentials,
  OrganizationForbidden,
  RefreshSuperseded,
  SessionReuseDetected,
  TokenExpired,
  TokenInvalid,
  TokenRevoked
} from "../errors.ts"
import { startLoginAttempt } from "../loginThrottle.ts"
import { isCommonPassword, lockVerified, PasswordHasher } from "../passwords/PasswordHasher.ts"

/** Credentials of a login, with the client address. */
export interface LoginAttempt {
  readonly email: string
  readonly password: Redacted.Redacted
  readonly organizationId: OrganizationId | null
  readonly address: string
  /** Device token from an earlier login on this device. */
  readonly deviceToken?: Redacted.Redacted | null
}

/** A better hash can wait until the next login, because the current login must not wait for it. */
const rehash = (password: Redacted.Redacted) =>
  Effect.flatMap(PasswordHasher, (hasher) => hasher.rehash(password)).pipe(
    Effect.catchTag("LoginOverloaded", () => Effect.succeed(null))
  )

/**
 * Logs a user in. A wrong address and a wrong password return the same answer in the same time. A common password opens a session that can only
 * change it.
 */
export const login = useCase(
  { name: "identity.login", access: "public", audit: "session.opened" },
  Effect.fnUntraced(function* (attempt: LoginAttempt) {
    const users = yield* Users
    const hasher = yield* PasswordHasher
    const { address, deviceToken = null, email } = attempt
    const credentials = yield* users.credentialsByEmail(email)
    const isKnownDevice = yield* isValidDeviceToken(deviceToken, email, credentials?.passwordHash ?? null)
    const attempted = yield* startLoginAttempt(email, address, isKnownDevice)
    // Runs concurrently with the hash, for every address, because a difference in time would reveal the result.
    const [verdict, isCommon] = yield* Effect.all(
      [
        attempted.check(hasher.verify(attempt.password, credentials?.passwordHash ?? null)),
        isCommonPassword(attempt.password)
      ],
      { concurrency: 2 }
    )
    if (credentials === null || !verdict.fits || credentials.user.status !== "active") {
      return yield* new InvalidCredentials()
    }
    yield* attempted.succeeded
    const { user } = credentials
    const affiliations = yield* (yield* Accounts).affiliations(user.id)
    const wanted = attempt.organizationId
    if (wanted !== null && affiliations.every(({ organization }) => organization.id !== wanted)) {
      return yield* new OrganizationForbidden()
    }
    const newHash = verdict.outdated ? yield* rehash(attempt.password) : null
    const opened = yield* transact(
      Effect.gen(function* () {
        const { mustChangePassword, passwordHash } = yield* lockVerified(credentials, attempt.password)
        if (isCommon && !mustChangePassword) yield* users.requirePasswordChange(user.id)
        if (newHash !== null) yield* users.setPasswordHash(user.id, newHash)
        yield* rememberAddress(email, address)
        const session = yield* issueSession(user.id)
        yield* recordAuditAsUser(user.id, session.sessionId, "session.opened")
        return { ...session.tokens, deviceToken: yield* makeDeviceToken(email, newHash ?? passwordHash) }
      })
    )
    return { ...opened, user, affiliations }
  })
)

const isWithinGrace = (spentAt: DateTime.Utc, now: DateTime.Utc) =>
  DateTime.toEpochMillis(now) - DateTime.toEpochMillis(spentAt) <= Duration.toMillis(refreshGracePeriod)

/** Exchanges a refresh token for the next pair. A reused refresh token ends the session. */
export const refreshSession = useCase(
  { name: "identity.refreshSession", access: "public" },
  Effect.fnUntraced(function* ({ refreshToken }: { readonly refreshToken: Redacted.Redacted }) {
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
          yield* recordAuditAsUser(rotation.session.userId, rotation.session.id, "session.reuse_detected")
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
        return yield* signTokenPair(rotation.session.userId, rotation.session.id, next)
    }
  })
)

/** Ends the session of the request. */
export const logout = useCase(
  { name: "identity.logout", access: "user", audit: "session.closed" },
  Effect.fnUntraced(function* () {
    const sessions = yield* Sessions
    const actor = yield* currentUserActor
    yield* sessions.revoke(actor.sessionId, yield* DateTime.now)
    yield* recordUserAudit(actor.userId, "session.closed")
  }, transact)
)

/** Signs new tokens with a new key. No session ends. */
export const rotateSigningKey = useCase(
  { name: "identity.rotateSigningKey", access: "operator", audit: "signing_key.rotated" },
  Effect.fnUntraced(function* () {
    const key = yield* (yield* TokenSigner).rotate
    yield* recordPlatformAudit("signing_key.rotated", { kind: "signing_key", id: key.kid })
    return key
  }, transact)
)

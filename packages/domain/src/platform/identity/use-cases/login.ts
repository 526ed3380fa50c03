import { Effect, type Redacted } from "effect"
import { type OrganizationId, transact, useCase } from "../../../kernel/index.ts"
import { Accounts } from "../Accounts.ts"
import { InvalidCredentials, OrganizationForbidden } from "../Errors.ts"
import { isCommonPassword } from "../passwords/CheckedPassword.ts"
import { PasswordHasher } from "../PasswordHasher.ts"
import { Users } from "../Users.ts"
import { issueSession } from "../logins/issueSession.ts"
import { isDeviceOf, makeDeviceToken, noteAddress } from "../logins/knownOrigins.ts"
import { beginLoginTry } from "../logins/loginThrottle.ts"
import { recordForUser } from "../userAudit.ts"
import { lockProved } from "../logins/provedCredentials.ts"

/** What a person sends to log in, and from where. */
export interface LoginAttempt {
  readonly email: string
  readonly password: Redacted.Redacted
  readonly organizationId: OrganizationId | null
  readonly address: string
  /** What an earlier login gave to this device. */
  readonly deviceToken?: Redacted.Redacted | null
}

/** A better hash can wait for the next login; the person who is logging in now need not. */
const rehash = (password: Redacted.Redacted) =>
  Effect.flatMap(PasswordHasher, (hasher) => hasher.rehash(password)).pipe(
    Effect.catchTag("LoginBusy", () => Effect.succeed(null))
  )

/**
 * Logs a user in. A wrong address and a wrong password return the same answer in the same time. A common password opens a session that can only
 * change it.
 */
export const login = useCase(
  "identity.login",
  { access: "public" },
  Effect.fnUntraced(function* (attempt: LoginAttempt) {
    const users = yield* Users
    const hasher = yield* PasswordHasher
    const { address, deviceToken = null, email } = attempt
    const credentials = yield* users.credentialsByEmail(email)
    const isKnownDevice = yield* isDeviceOf(deviceToken, email, credentials?.passwordHash ?? null)
    const attempted = yield* beginLoginTry(email, address, isKnownDevice)
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
        const { mustChangePassword, passwordHash } = yield* lockProved(credentials, attempt.password)
        if (isCommon && !mustChangePassword) yield* users.requirePasswordChange(user.id)
        if (newHash !== null) yield* users.setPasswordHash(user.id, newHash)
        yield* noteAddress(email, address)
        const session = yield* issueSession(user.id)
        yield* recordForUser(user.id, session.sessionId, "session.opened")
        return { ...session.tokens, deviceToken: yield* makeDeviceToken(email, newHash ?? passwordHash) }
      })
    )
    return { ...opened, user, affiliations }
  })
)

import { DateTime, Effect, type Redacted } from "effect"
import { invalid, transact, useCase } from "../../../kernel/index.ts"
import { InvalidCredentials } from "../Errors.ts"
import { checkPassword } from "../passwords/CheckedPassword.ts"
import { organizationsOf } from "../passwords/organizationsOf.ts"
import { PasswordHasher } from "../PasswordHasher.ts"
import { PasswordResets } from "../PasswordResets.ts"
import { Sessions } from "../Sessions.ts"
import { Users } from "../Users.ts"
import { currentUserActor } from "../currentUser.ts"
import { noteOnly } from "../logins/knownOrigins.ts"
import { beginLoginTry } from "../logins/loginThrottle.ts"
import { recordOnUser } from "../userAudit.ts"
import { lockProved } from "../logins/provedCredentials.ts"

/** The old password proves that the user is the one who asks. */
export interface PasswordChange {
  readonly currentPassword: Redacted.Redacted
  readonly newPassword: Redacted.Redacted
  readonly address: string
}

/** Changes the password of the signed-in user, and ends every other session. */
export const changePassword = useCase(
  "identity.changePassword",
  { access: "user" },
  Effect.fnUntraced(function* (change: PasswordChange) {
    const users = yield* Users
    const sessions = yield* Sessions
    const hasher = yield* PasswordHasher
    const actor = yield* currentUserActor
    const credentials = yield* users.credentialsById(actor.userId)
    const email = credentials?.user.email ?? actor.userId
    const checked = yield* checkPassword({
      password: change.newPassword,
      pointer: "/newPassword",
      email,
      name: credentials?.user.name ?? null,
      organizations: yield* organizationsOf(actor.userId)
    })
    // A session is a device that is known: strangers who try to log in do not keep its owner from a new password.
    const attempted = yield* beginLoginTry(email, change.address, true)
    const verdict = yield* attempted.check(hasher.verify(change.currentPassword, credentials?.passwordHash ?? null))
    if (credentials === null || !verdict.fits) return yield* new InvalidCredentials()
    if (credentials.mustChangePassword && (yield* hasher.verify(checked, credentials.passwordHash)).fits) {
      return yield* invalid("/newPassword", "Expected another password than the current one")
    }
    const hash = yield* hasher.hash(checked)
    yield* transact(
      Effect.gen(function* () {
        yield* lockProved(credentials, change.currentPassword)
        yield* users.setPassword(actor.userId, { hash, mustChange: false })
        yield* (yield* PasswordResets).withdraw(credentials.user.email)
        yield* noteOnly(email, change.address)
        yield* sessions.revokeAllOf(actor.userId, actor.sessionId, yield* DateTime.now)
        yield* recordOnUser(actor.userId, "user.password_changed")
      })
    )
    yield* attempted.succeeded
  })
)

import { DateTime, Effect, type Redacted } from "effect"
import { transact, useCase, type UserId } from "../../../kernel/index.ts"
import { checkPassword } from "../passwords/CheckedPassword.ts"
import { organizationsOf } from "../passwords/organizationsOf.ts"
import { PasswordHasher } from "../PasswordHasher.ts"
import { Users } from "../Users.ts"
import { userOf } from "../currentUser.ts"
import { renewPassword } from "../logins/renewPassword.ts"

export interface OperatorPassword {
  readonly password: Redacted.Redacted
  /** Whether the user must replace it first. Default: true. False for a password that the user has chosen. */
  readonly isTemporary?: boolean
}

/** Sets a user's password and ends all sessions. The operator verifies the identity of the user. */
export const resetPassword = useCase(
  "identity.resetPassword",
  { access: "operator" },
  Effect.fnUntraced(function* (id: UserId, { isTemporary = true, password }: OperatorPassword) {
    const user = yield* userOf(id)
    const { email, name } = user
    const organizations = yield* organizationsOf(id)
    const checked = yield* checkPassword({ password, pointer: "/password", email, name, organizations })
    const hash = yield* (yield* PasswordHasher).hash(checked)
    yield* transact(renewPassword(user, { hash, mustChange: isTemporary }, yield* DateTime.now))
    return (yield* (yield* Users).find(id)) ?? user
  })
)

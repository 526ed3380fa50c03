import { DateTime, Effect, type Redacted } from "effect"
import { transact, useCase, type UserId } from "../../kernel/index.ts"
import { PasswordHasher } from "../PasswordHasher.ts"
import { Users } from "../Users.ts"
import { userOf } from "../currentUser.ts"
import { renewPassword } from "../logins/renewPassword.ts"

/** Sets a person's password and ends every session. The operator, who hands it over, vouches for the person. */
export const resetPassword = useCase(
  "identity.resetPassword",
  { access: "operator" },
  Effect.fnUntraced(function* (id: UserId, password: Redacted.Redacted) {
    const user = yield* userOf(id)
    const hash = yield* (yield* PasswordHasher).hash(password)
    yield* transact(renewPassword(user, hash, yield* DateTime.now))
    return (yield* (yield* Users).find(id)) ?? user
  })
)

import { DateTime, Effect, type Redacted } from "effect"
import { transact, useCase, type UserId } from "../../kernel/index.ts"
import { PasswordHasher } from "../PasswordHasher.ts"
import { Sessions } from "../Sessions.ts"
import { Users } from "../Users.ts"
import { userOf } from "./currentUser.ts"
import { recordOnUser } from "./recordForUser.ts"

/** Sets a person's password and ends every session. */
export const resetPassword = useCase(
  "identity.resetPassword",
  { access: "operator" },
  Effect.fnUntraced(function* (id: UserId, password: Redacted.Redacted) {
    const user = yield* userOf(id)
    const hash = yield* (yield* PasswordHasher).hash(password)
    yield* transact(
      Effect.gen(function* () {
        yield* (yield* Users).setPasswordHash(id, hash)
        yield* (yield* Sessions).revokeAllOf(id, null, yield* DateTime.now)
        yield* recordOnUser(id, "user.password_reset")
      })
    )
    return user
  })
)

import { Effect, type Redacted } from "effect"
import { InvalidCredentials } from "../Errors.ts"
import { PasswordHasher } from "../PasswordHasher.ts"
import { type Credentials, Users } from "../Users.ts"

/**
 * The credentials that a password was found to fit, held until this unit of work ends. Checking takes long: by now the
 * owner of the mailbox may have taken the account back, and ended every session. If only the hash was made anew, it fits.
 */
export const lockProved = Effect.fnUntraced(function* (proved: Credentials, password: Redacted.Redacted) {
  const current = yield* (yield* Users).lockCredentials(proved.user.id)
  if (current === null) return yield* new InvalidCredentials()
  if (current.passwordHash === proved.passwordHash) return current
  const { fits } = yield* (yield* PasswordHasher).verify(password, current.passwordHash)
  return fits ? current : yield* new InvalidCredentials()
})

import { DateTime, Effect } from "effect"
import { nextId, transact, useCase, UserId } from "../../../kernel/index.ts"
import { checkPassword } from "../passwords/CheckedPassword.ts"
import { PasswordHasher } from "../PasswordHasher.ts"
import { User } from "../User.ts"
import { Users } from "../Users.ts"
import type { OperatorPassword } from "./resetPassword.ts"
import { recordOnUser } from "../userAudit.ts"

/** Whom an operator creates. */
export interface NewUser extends OperatorPassword {
  readonly email: string
  readonly name: string
}

/** Creates a user. The user must replace the password at the first login, unless it is their own. */
export const createUser = useCase(
  "identity.createUser",
  { access: "operator" },
  Effect.fnUntraced(function* (input: NewUser) {
    const users = yield* Users
    const { email, isTemporary = true, name, password } = input
    const checked = yield* checkPassword({ password, pointer: "/password", email, name, organizations: [] })
    const hash = yield* (yield* PasswordHasher).hash(checked)
    const now = yield* DateTime.now
    const user = new User({
      id: yield* nextId(UserId),
      email,
      name,
      avatarUrl: null,
      status: "active",
      // The operator vouches for the person.
      emailVerifiedAt: now,
      createdAt: now
    })
    yield* transact(
      Effect.andThen(
        users.insert(user, { hash, mustChange: isTemporary }),
        recordOnUser(user.id, "user.created", { after: { email: user.email, name: user.name } })
      )
    )
    return user
  })
)

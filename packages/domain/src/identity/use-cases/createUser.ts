import { DateTime, Effect, type Redacted } from "effect"
import { nextId, transact, useCase, UserId } from "../../kernel/index.ts"
import { PasswordHasher } from "../PasswordHasher.ts"
import { User } from "../User.ts"
import { Users } from "../Users.ts"
import { recordOnUser } from "../userAudit.ts"

/** Whom an operator creates. */
export interface NewUser {
  readonly email: string
  readonly name: string
  readonly password: Redacted.Redacted
}

/** Creates a person who can log in. */
export const createUser = useCase(
  "identity.createUser",
  { access: "operator" },
  Effect.fnUntraced(function* (input: NewUser) {
    const users = yield* Users
    const hash = yield* (yield* PasswordHasher).hash(input.password)
    const now = yield* DateTime.now
    const user = new User({
      id: yield* nextId(UserId),
      email: input.email,
      name: input.name,
      avatarUrl: null,
      status: "active",
      // The operator vouches for the person.
      emailVerifiedAt: now,
      createdAt: now
    })
    yield* transact(
      Effect.andThen(
        users.insert(user, hash),
        recordOnUser(user.id, "user.created", { after: { email: user.email, name: user.name } })
      )
    )
    return user
  })
)

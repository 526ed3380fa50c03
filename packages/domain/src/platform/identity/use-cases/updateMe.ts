import { Effect } from "effect"
import { transact, useCase } from "../../../kernel/index.ts"
import { User } from "../User.ts"
import { Users } from "../Users.ts"
import { currentUserActor, userOf } from "../currentUser.ts"
import { recordOnUser } from "../userAudit.ts"

/** Changes the name of the signed-in user. */
export const updateMe = useCase(
  "identity.updateMe",
  { access: "user" },
  Effect.fnUntraced(function* (patch: { readonly name?: string }) {
    const users = yield* Users
    const actor = yield* currentUserActor
    const user = yield* userOf(actor.userId)
    const { name = user.name } = patch
    if (name === user.name) return user
    yield* users.rename(user.id, name)
    yield* recordOnUser(user.id, "user.renamed", { before: { name: user.name }, after: { name } })
    return new User({ ...user, name })
  }, transact)
)

import { Effect } from "effect"
import { transact, useCase, type UserId } from "../../../kernel/index.ts"
import { userOf } from "../currentUser.ts"
import { recordOnUser } from "../userAudit.ts"
import { makeResetLink } from "../logins/makeResetLink.ts"

/** Makes a one-time link to a new password, for an operator who hands it to the person. */
export const linkPasswordReset = useCase(
  "identity.linkPasswordReset",
  { access: "operator" },
  Effect.fnUntraced(function* (id: UserId) {
    const user = yield* userOf(id)
    const link = yield* makeResetLink(user.email)
    yield* recordOnUser(id, "user.password_reset_linked")
    return { user, link }
  }, transact)
)

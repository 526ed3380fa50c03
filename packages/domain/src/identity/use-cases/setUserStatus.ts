import { DateTime, Effect } from "effect"
import { transact, useCase, type UserId } from "../../kernel/index.ts"
import { Sessions } from "../Sessions.ts"
import { User, type UserStatus } from "../User.ts"
import { Users } from "../Users.ts"
import { userOf } from "./currentUser.ts"
import { recordOnUser } from "./recordForUser.ts"

/** Disables a person, which ends every session, or lets them in again. */
export const setUserStatus = useCase(
  "identity.setUserStatus",
  { access: "operator" },
  Effect.fnUntraced(function* (id: UserId, status: UserStatus) {
    const user = yield* userOf(id)
    yield* (yield* Users).setStatus(id, status)
    if (status === "disabled") yield* (yield* Sessions).revokeAllOf(id, null, yield* DateTime.now)
    yield* recordOnUser(id, "user.status_changed", { before: { status: user.status }, after: { status } })
    return new User({ ...user, status })
  }, transact)
)

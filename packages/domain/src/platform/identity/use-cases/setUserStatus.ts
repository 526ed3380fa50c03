import { DateTime, Effect } from "effect"
import { transact, useCase, type UserId } from "../../../kernel/index.ts"
import { Sessions } from "../Sessions.ts"
import { User, type UserStatus } from "../User.ts"
import { Users } from "../Users.ts"
import { userOf } from "../currentUser.ts"
import { recordOnUser } from "../userAudit.ts"

/** Disables a person, which ends every session, or lets them in again. */
export const setUserStatus = useCase(
  "identity.setUserStatus",
  { access: "operator" },
  Effect.fnUntraced(function* (id: UserId, status: UserStatus) {
    const user = yield* userOf(id)
    if (user.status === status) return user
    yield* (yield* Users).setStatus(id, status)
    // Letting in again revokes too: a login may have come between the check of the status and its change.
    yield* (yield* Sessions).revokeAllOf(id, null, yield* DateTime.now)
    yield* recordOnUser(id, "user.status_changed", { before: { status: user.status }, after: { status } })
    return new User({ ...user, status })
  }, transact)
)

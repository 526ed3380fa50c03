import { DateTime, Effect } from "effect"
import { transact, useCase } from "../../../kernel/index.ts"
import { Sessions } from "../Sessions.ts"
import { currentUserActor } from "../currentUser.ts"
import { recordOnUser } from "../userAudit.ts"

/** Ends the session that the call was made with. */
export const logout = useCase(
  "identity.logout",
  { access: "user" },
  Effect.fnUntraced(function* () {
    const sessions = yield* Sessions
    const actor = yield* currentUserActor
    yield* sessions.revoke(actor.sessionId, yield* DateTime.now)
    yield* recordOnUser(actor.userId, "session.closed")
  }, transact)
)

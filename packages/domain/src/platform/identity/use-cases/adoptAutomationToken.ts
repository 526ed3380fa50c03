import { DateTime, Effect } from "effect"
import { record } from "../../audit/index.ts"
import { type AutomationTokenId, transact, useCase } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { AutomationTokens } from "../AutomationTokens.ts"
import { AutomationTokenEnded } from "../Errors.ts"
import { listedToken } from "../tokenRights.ts"
import { currentUserActor } from "../currentUser.ts"

/** Makes the owner who asks the one who answers for a token: it goes on though its issuer may not, or is gone. */
export const adoptAutomationToken = useCase(
  "identity.adoptAutomationToken",
  { access: { permission: "owners.manage" } },
  Effect.fnUntraced(function* (id: AutomationTokenId) {
    const tokens = yield* AutomationTokens
    const actor = yield* currentUserActor
    const now = yield* DateTime.now
    const before = yield* tokens.lock(id)
    const responsible = { status: "active", role: actor.role } as const
    const { status } = listedToken(before, responsible, now)
    if (status === "revoked" || status === "expired") return yield* new AutomationTokenEnded()
    if (before.responsibleUserId === actor.userId) return listedToken(before, responsible, now)
    const after = yield* tokens.adopt(id, actor.userId, now)
    yield* record(
      "automation_token.adopted",
      { kind: "automation_token", id },
      {
        before: { responsibleUserId: before.responsibleUserId },
        after: { responsibleUserId: after.responsibleUserId }
      }
    )
    yield* appendEvent({ type: "automation_token.adopted", automationTokenId: id })
    return listedToken(after, responsible, now)
  }, transact)
)

import { DateTime, Effect, Equal } from "effect"
import { record } from "../../audit/index.ts"
import { type AutomationTokenId, transact, useCase } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { AutomationTokens } from "../AutomationTokens.ts"

/** Revokes an automation token on every node at once. */
export const revokeAutomationToken = useCase(
  "identity.revokeAutomationToken",
  { access: { permission: "tokens.manage" } },
  Effect.fnUntraced(function* (id: AutomationTokenId) {
    const now = yield* DateTime.now
    const token = yield* (yield* AutomationTokens).revoke(id, now)
    if (!Equal.equals(token.revokedAt, now)) return
    yield* record("automation_token.revoked", { kind: "automation_token", id }, { before: { name: token.name } })
    yield* appendEvent({ type: "automation_token.revoked", automationTokenId: id })
  }, transact)
)

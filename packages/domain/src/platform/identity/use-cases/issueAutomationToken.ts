import { DateTime, Effect } from "effect"
import { record } from "../../audit/index.ts"
import {
  AutomationTokenId,
  CurrentOrganization,
  holds,
  invalid,
  nextId,
  PermissionDenied,
  transact,
  useCase
} from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { AutomationToken, longestTokenLife, type NewAutomationToken } from "../AutomationToken.ts"
import { AutomationTokens } from "../AutomationTokens.ts"
import { listedToken } from "../tokenRights.ts"
import { TokenSigner } from "../TokenSigner.ts"
import { currentUserActor } from "../currentUser.ts"

const requireSaneExpiry = Effect.fnUntraced(function* (expiresAt: DateTime.Utc, now: DateTime.Utc) {
  if (DateTime.isLessThanOrEqualTo(expiresAt, now)) {
    return yield* invalid("/expiresAt", "Expected a time in the future")
  }
  if (DateTime.isGreaterThan(expiresAt, DateTime.addDuration(now, longestTokenLife))) {
    return yield* invalid("/expiresAt", "Expected a time within 366 days from now")
  }
})

/** Issues an automation token with permissions that its maker holds. The token is shown now and never again. */
export const issueAutomationToken = useCase(
  "identity.issueAutomationToken",
  { access: { permission: "tokens.manage" } },
  Effect.fnUntraced(function* (input: NewAutomationToken) {
    const tokens = yield* AutomationTokens
    const actor = yield* currentUserActor
    const now = yield* DateTime.now
    yield* requireSaneExpiry(input.expiresAt, now)
    const missing = input.permissions.find((permission) => !holds(actor, permission))
    if (missing !== undefined) return yield* new PermissionDenied({ permission: missing })
    const automationToken = new AutomationToken({
      id: yield* nextId(AutomationTokenId),
      name: input.name,
      permissions: Array.from(new Set(input.permissions)),
      createdBy: actor.userId,
      responsibleUserId: actor.userId,
      createdAt: now,
      adoptedAt: null,
      expiresAt: input.expiresAt,
      lastUsedAt: null,
      revokedAt: null
    })
    const organization = yield* CurrentOrganization
    const token = yield* (yield* TokenSigner).sign(
      { use: "automation", tokenId: automationToken.id, organizationId: organization.id },
      input.expiresAt
    )
    yield* tokens.insert(automationToken)
    yield* record(
      "automation_token.issued",
      { kind: "automation_token", id: automationToken.id },
      {
        after: { name: automationToken.name, permissions: automationToken.permissions }
      }
    )
    yield* appendEvent({ type: "automation_token.issued", automationTokenId: automationToken.id })
    return { automationToken: listedToken(automationToken, { status: "active", role: actor.role }, now), token }
  }, transact)
)

import { DateTime, Effect, Equal } from "effect"
import {
  AutomationTokenId,
  CurrentOrganization,
  hasPermission,
  invalid,
  nextId,
  paged,
  type PageRequest,
  PermissionDenied,
  transact,
  useCase
} from "../../../kernel/index.ts"
import { recordAudit } from "../../audit/index.ts"
import {
  AutomationToken,
  AutomationTokens,
  toListedToken,
  maxTokenLifetime,
  type NewAutomationToken
} from "../AutomationToken.ts"
import { TokenSigner } from "../TokenSigner.ts"
import { currentUserActor } from "../User.ts"
import { AutomationTokenInactive } from "../errors.ts"
import { appendEvent } from "../events.ts"

const requireValidExpiry = Effect.fnUntraced(function* (expiresAt: DateTime.Utc, now: DateTime.Utc) {
  if (DateTime.isLessThanOrEqualTo(expiresAt, now)) {
    return yield* invalid("/expiresAt", "Expected a time in the future")
  }
  if (DateTime.isGreaterThan(expiresAt, DateTime.addDuration(now, maxTokenLifetime))) {
    return yield* invalid("/expiresAt", "Expected a time within 366 days from now")
  }
})

/** Issues an automation token with permissions that its issuer holds. The token is shown once. */
export const issueAutomationToken = useCase(
  {
    name: "identity.issueAutomationToken",
    access: { permission: "tokens.manage" },
    audit: "automation_token.issued",
    emits: ["automation_token.issued"]
  },
  Effect.fnUntraced(function* (input: NewAutomationToken) {
    const tokens = yield* AutomationTokens
    const actor = yield* currentUserActor
    const now = yield* DateTime.now
    yield* requireValidExpiry(input.expiresAt, now)
    const missing = input.permissions.find((permission) => !hasPermission(actor, permission))
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
    yield* recordAudit(
      "automation_token.issued",
      { kind: "automation_token", id: automationToken.id },
      {
        after: { name: automationToken.name, permissions: automationToken.permissions }
      }
    )
    yield* appendEvent({ type: "automation_token.issued", automationTokenId: automationToken.id })
    return { automationToken: toListedToken(automationToken, { status: "active", role: actor.role }, now), token }
  }, transact)
)

/** Makes the current owner responsible for a token. The token then works independently of its issuer. */
export const adoptAutomationToken = useCase(
  {
    name: "identity.adoptAutomationToken",
    access: { permission: "owners.manage" },
    audit: "automation_token.adopted",
    emits: ["automation_token.adopted"]
  },
  Effect.fnUntraced(function* ({ id }: { readonly id: AutomationTokenId }) {
    const tokens = yield* AutomationTokens
    const actor = yield* currentUserActor
    const now = yield* DateTime.now
    const before = yield* tokens.lock(id)
    const responsible = { status: "active", role: actor.role } as const
    const { status } = toListedToken(before, responsible, now)
    if (status === "revoked" || status === "expired") return yield* new AutomationTokenInactive()
    if (before.responsibleUserId === actor.userId) return toListedToken(before, responsible, now)
    const after = yield* tokens.adopt(id, actor.userId, now)
    yield* recordAudit(
      "automation_token.adopted",
      { kind: "automation_token", id },
      {
        before: { responsibleUserId: before.responsibleUserId },
        after: { responsibleUserId: after.responsibleUserId }
      }
    )
    yield* appendEvent({ type: "automation_token.adopted", automationTokenId: id })
    return toListedToken(after, responsible, now)
  }, transact)
)

/** Lists the automation tokens, newest first, without the secrets: the responsible person and the status of each. */
export const listAutomationTokens = useCase(
  { name: "identity.listAutomationTokens", access: { permission: "tokens.manage" } },
  Effect.fnUntraced(function* ({ page }: { readonly page: PageRequest }) {
    const tokens = yield* AutomationTokens
    const now = yield* DateTime.now
    return yield* paged(
      "automation_tokens",
      page,
      (slice) =>
        Effect.map(tokens.list(slice), (rows) =>
          rows.map(({ responsible, token }) => toListedToken(token, responsible, now))
        ),
      (token) => [token.id]
    )
  })
)

/** Revokes an automation token on every node immediately. */
export const revokeAutomationToken = useCase(
  {
    name: "identity.revokeAutomationToken",
    access: { permission: "tokens.manage" },
    audit: "automation_token.revoked",
    emits: ["automation_token.revoked"]
  },
  Effect.fnUntraced(function* ({ id }: { readonly id: AutomationTokenId }) {
    const now = yield* DateTime.now
    const token = yield* (yield* AutomationTokens).revoke(id, now)
    if (!Equal.equals(token.revokedAt, now)) return
    yield* recordAudit("automation_token.revoked", { kind: "automation_token", id }, { before: { name: token.name } })
    yield* appendEvent({ type: "automation_token.revoked", automationTokenId: id })
  }, transact)
)

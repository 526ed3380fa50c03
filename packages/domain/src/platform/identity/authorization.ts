import { DateTime, Effect, type Schema } from "effect"
import {
  type Actor,
  CurrentActor,
  CurrentOrganization,
  FeatureNotInPlan,
  OrganizationId,
  permissionsOf,
  type SessionId,
  type UserId
} from "../../kernel/index.ts"
import { type AuditTarget, recordAudit } from "../audit/index.ts"
import { plans, plansWith } from "../entitlements/index.ts"
import {
  Accounts,
  type PersonTokenAccess,
  type PluginTokenAccess,
  type SessionAccess,
  type TokenAccess
} from "./Accounts.ts"
import { effectivePermissions, findTokenSuspension } from "./AutomationToken.ts"
import { isAddressAllowed, isOperatorTokenLive, isUseUnrecorded, OperatorTokens } from "./OperatorToken.ts"
import type { Claims } from "./TokenSigner.ts"
import { Users } from "./User.ts"
import {
  AddressNotAllowed,
  OrganizationForbidden,
  OrganizationHeaderMissing,
  OrganizationSuspended,
  PasswordChangeRequired,
  TokenInvalid,
  TokenRevoked
} from "./errors.ts"
import { permissionsOfRole } from "./memberRoles.ts"

/** Actor and organization; `null` where the call needs none and names none. */
export interface AuthorizedCaller {
  readonly actor: Actor
  readonly organizationId: OrganizationId | null
}

type SessionClaims = Extract<Claims, { readonly use: "session" }>
type TokenClaims = Extract<Claims, { readonly use: "automation" }>

/** Signed-in user outside of any organization, without permissions. */
export const userActor = (userId: UserId, sessionId: SessionId): Extract<Actor, { readonly kind: "user" }> => ({
  kind: "user",
  userId,
  sessionId,
  role: null,
  permissions: new Set()
})

/** `password-change`: also admits a session that must change the password first. */
export type AuthorizationPurpose = "anything" | "password-change"

const authorizeSession = (
  claims: SessionClaims,
  organizationId: OrganizationId | null,
  access: SessionAccess | null,
  purpose: AuthorizationPurpose
): Effect.Effect<
  AuthorizedCaller,
  OrganizationForbidden | OrganizationSuspended | PasswordChangeRequired | TokenInvalid | TokenRevoked
> => {
  if (access === null || access.userId !== claims.userId) return Effect.fail(new TokenInvalid())
  if (!access.live || access.userStatus !== "active") return Effect.fail(new TokenRevoked())
  if (access.mustChangePassword && purpose !== "password-change") return Effect.fail(new PasswordChangeRequired())
  const { sessionId, userId } = claims
  if (organizationId === null) {
    return Effect.succeed<AuthorizedCaller>({ actor: userActor(userId, sessionId), organizationId: null })
  }
  if (access.membership === null) return Effect.fail(new OrganizationForbidden())
  if (access.membership.organizationStatus === "suspended") return Effect.fail(new OrganizationSuspended())
  const { role } = access.membership
  return Effect.succeed<AuthorizedCaller>({
    actor: { kind: "user", userId, sessionId, role, permissions: permissionsOfRole(role) },
    organizationId
  })
}

/** Rejects a token outside of its organization, and every token of a suspended organization. */
const requireOrganizationAccess = (organizationId: OrganizationId | null, access: TokenAccess) => {
  if (organizationId !== null && organizationId !== access.organizationId) {
    return Effect.fail(new OrganizationForbidden())
  }
  return access.organizationStatus === "suspended" ? Effect.fail(new OrganizationSuspended()) : Effect.void
}

const authorizePersonToken = Effect.fnUntraced(function* (
  { tokenId }: TokenClaims,
  organizationId: OrganizationId | null,
  access: PersonTokenAccess
) {
  const suspension = findTokenSuspension(access.permissions, access.responsible)
  // A token whose person has lost its permissions is accepted: each refusal names the missing permission.
  if (suspension !== null && suspension !== "permissions_lost") {
    return yield* new TokenRevoked({ reason: suspension })
  }
  yield* requireOrganizationAccess(organizationId, access)
  const actor: Actor = {
    kind: "token",
    tokenId,
    responsibleUserId: access.responsibleUserId,
    permissions: new Set(effectivePermissions(access.permissions, access.responsible))
  }
  return { actor, organizationId } satisfies AuthorizedCaller
})

/** Rejects all calls of a plugin, including reads, while the plan excludes plugins. */
const authorizePluginToken = Effect.fnUntraced(function* (
  { tokenId }: TokenClaims,
  organizationId: OrganizationId | null,
  { permissions, plan, pluginId, ...access }: PluginTokenAccess
) {
  yield* requireOrganizationAccess(organizationId, { permissions, plan, pluginId, ...access })
  if (!plans[plan].features.includes("plugins")) {
    return yield* new FeatureNotInPlan({ feature: "plugins", plan, availableIn: plansWith("plugins") })
  }
  const actor: Actor = { kind: "plugin", pluginId, tokenId, permissions: new Set(permissions) }
  return { actor, organizationId } satisfies AuthorizedCaller
})

const authorizeToken = Effect.fnUntraced(function* (
  claims: TokenClaims,
  organizationId: OrganizationId | null,
  access: TokenAccess | null
) {
  if (access === null || access.organizationId !== claims.organizationId) return yield* new TokenInvalid()
  if (!access.live) return yield* new TokenRevoked()
  return access.heldBy === "person"
    ? yield* authorizePersonToken(claims, organizationId, access)
    : yield* authorizePluginToken(claims, organizationId, access)
})

/** Finds the actor of a verified token, and checks its current access to the organization. */
export const authorize = Effect.fnUntraced(function* (
  claims: SessionClaims | TokenClaims,
  organizationId: OrganizationId | null,
  purpose: AuthorizationPurpose = "anything"
) {
  const accounts = yield* Accounts
  const now = yield* DateTime.now
  return claims.use === "session"
    ? yield* authorizeSession(
        claims,
        organizationId,
        yield* accounts.sessionAccess(claims.sessionId, organizationId, now),
        purpose
      )
    : yield* authorizeToken(claims, organizationId, yield* accounts.tokenAccess(claims.tokenId, now))
})

type OperatorClaims = Extract<Claims, { readonly use: "operator" }>

/**
 * Finds the actor of a verified operator token, and checks the token as it is stored now. `address`: caller of the request, or `null` if it is unknown.
 */
export const authorizeOperator = Effect.fnUntraced(function* ({ tokenId }: OperatorClaims, address: string | null) {
  const tokens = yield* OperatorTokens
  const now = yield* DateTime.now
  const token = yield* tokens.find(tokenId)
  if (token === null) return yield* new TokenInvalid()
  if (!isOperatorTokenLive(token, now)) return yield* new TokenRevoked()
  if (!isAddressAllowed(token, address)) return yield* new AddressNotAllowed()
  if (isUseUnrecorded(token, now)) yield* tokens.touch(tokenId, now)
  const actor: Extract<Actor, { readonly kind: "operator_token" }> = {
    kind: "operator_token",
    tokenId,
    scopes: new Set(token.scopes)
  }
  return actor
})

const toClaims = (actor: Actor, organizationId: OrganizationId): SessionClaims | TokenClaims | null => {
  if (actor.kind === "user") return { use: "session", userId: actor.userId, sessionId: actor.sessionId }
  return actor.kind === "token" || actor.kind === "plugin"
    ? { use: "automation", tokenId: actor.tokenId, organizationId }
    : null
}

const haveSamePermissions = (one: Actor, other: Actor) => {
  const [held, now] = [permissionsOf(one), permissionsOf(other)]
  return held.size === now.size && held.isSubsetOf(now)
}

/**
 * Whether the actor would be admitted now with the same permissions. Long-running requests check this periodically. Always true for operators and the
 * service itself.
 */
export const isStillAuthorized = Effect.gen(function* () {
  const actor = yield* CurrentActor
  const { id } = yield* CurrentOrganization
  const claims = toClaims(actor, id)
  if (claims === null) return true
  return yield* Effect.match(authorize(claims, id), {
    onFailure: () => false,
    onSuccess: (admission) => haveSamePermissions(actor, admission.actor)
  })
})

/** Returns the organization of a caller; fails without one. */
export const requireOrganization = (admission: AuthorizedCaller) =>
  admission.organizationId === null
    ? Effect.fail(new OrganizationHeaderMissing())
    : Effect.succeed(admission.organizationId)

/** Reader of the documentation, with its parent session. */
export interface DocsReader {
  readonly organizationId: OrganizationId
  readonly sessionId: SessionId
  readonly userId: UserId
}

/** User and organization of a docs session. Both its parent session and the membership must be active. */
export const authorizeDocsReader = Effect.fnUntraced(function* ({ organizationId, sessionId, userId }: DocsReader) {
  const accounts = yield* Accounts
  const access = yield* accounts.sessionAccess(sessionId, organizationId, yield* DateTime.now)
  yield* authorizeSession({ use: "session", userId, sessionId }, organizationId, access, "anything").pipe(
    Effect.catchTags({
      TokenInvalid: () => Effect.fail(new TokenRevoked()),
      OrganizationSuspended: () => Effect.fail(new OrganizationForbidden())
    })
  )
  const user = yield* (yield* Users).find(userId)
  if (user === null || user.status !== "active") return yield* new TokenRevoked()
  const affiliations = yield* accounts.affiliations(userId)
  const affiliation = affiliations.find(({ organization }) => organization.id === organizationId)
  if (affiliation === undefined) return yield* new OrganizationForbidden()
  return { user, organization: affiliation.organization }
})

/** Represents the service as a whole, for audit entries without an organization. */
export const platformOrganizationId = OrganizationId.make("00000000-0000-0000-0000-000000000000")

type Change = { readonly before?: Record<string, Schema.Json>; readonly after?: Record<string, Schema.Json> }

/** Records a change of the installation. Its entries belong to no organization. */
export const recordPlatformAudit = (action: string, target: AuditTarget, change: Change = {}) =>
  recordAudit(action, target, change).pipe(Effect.provideService(CurrentOrganization, { id: platformOrganizationId }))

/** Records a change of the user's own data in every organization of the user. */
export const recordUserAudit = Effect.fnUntraced(function* (userId: UserId, action: string, change: Change = {}) {
  const affiliations = yield* (yield* Accounts).affiliations(userId)
  const places =
    affiliations.length === 0 ? [platformOrganizationId] : affiliations.map(({ organization }) => organization.id)
  yield* Effect.forEach(
    places,
    (id) =>
      recordAudit(action, { kind: "user", id: userId }, change).pipe(
        Effect.provideService(CurrentOrganization, { id })
      ),
    { discard: true }
  )
})

/** Does the same with the user as the actor, in a request without an authenticated actor: a login, a refresh. */
export const recordAuditAsUser = (userId: UserId, sessionId: SessionId, action: string) =>
  recordUserAudit(userId, action).pipe(Effect.provideService(CurrentActor, userActor(userId, sessionId)))

import { DateTime, Effect } from "effect"
import {
  type Actor,
  CurrentActor,
  CurrentOrganization,
  type OrganizationId,
  permissionsOf,
  type SessionId,
  type UserId
} from "../kernel/index.ts"
import { Accounts, type SessionStanding, type TokenStanding } from "./Accounts.ts"
import {
  OrganizationForbidden,
  OrganizationHeaderMissing,
  OrganizationSuspended,
  TokenInvalid,
  TokenRevoked
} from "./Errors.ts"
import { permissionsOfRole } from "./Roles.ts"
import type { Claims } from "./TokenSigner.ts"
import { effectivePermissions, suspensionOf } from "./tokenRights.ts"
import { Users } from "./Users.ts"

/** An actor and the organization it acts in; `null` where the call needs none and none was named. */
export interface Admission {
  readonly actor: Actor
  readonly organizationId: OrganizationId | null
}

type SessionClaims = Extract<Claims, { readonly use: "session" }>
type TokenClaims = Extract<Claims, { readonly use: "automation" }>

/** A signed-in user outside of any organization, where there is nothing to be allowed. */
export const userActor = (userId: UserId, sessionId: SessionId): Extract<Actor, { readonly kind: "user" }> => ({
  kind: "user",
  userId,
  sessionId,
  role: null,
  permissions: new Set()
})

const admitSession = (
  claims: SessionClaims,
  organizationId: OrganizationId | null,
  standing: SessionStanding | null
) => {
  if (standing === null || standing.userId !== claims.userId) return Effect.fail(new TokenInvalid())
  if (!standing.live || standing.userStatus !== "active") return Effect.fail(new TokenRevoked())
  const { sessionId, userId } = claims
  if (organizationId === null) {
    return Effect.succeed<Admission>({ actor: userActor(userId, sessionId), organizationId: null })
  }
  if (standing.membership === null) return Effect.fail(new OrganizationForbidden())
  if (standing.membership.organizationStatus === "suspended") return Effect.fail(new OrganizationSuspended())
  const { role } = standing.membership
  return Effect.succeed<Admission>({
    actor: { kind: "user", userId, sessionId, role, permissions: permissionsOfRole(role) },
    organizationId
  })
}

const admitToken = (claims: TokenClaims, organizationId: OrganizationId | null, standing: TokenStanding | null) => {
  if (standing === null || standing.organizationId !== claims.organizationId) return Effect.fail(new TokenInvalid())
  if (!standing.live) return Effect.fail(new TokenRevoked())
  const suspension = suspensionOf(standing.permissions, standing.responsible)
  // A token whose person has lost its permissions is let in: each refusal names the permission that is missing.
  if (suspension !== null && suspension !== "permissions_lost") {
    return Effect.fail(new TokenRevoked({ reason: suspension }))
  }
  if (organizationId !== null && organizationId !== claims.organizationId)
    return Effect.fail(new OrganizationForbidden())
  if (standing.organizationStatus === "suspended") return Effect.fail(new OrganizationSuspended())
  return Effect.succeed<Admission>({
    actor: {
      kind: "token",
      tokenId: claims.tokenId,
      responsibleUserId: standing.responsibleUserId,
      permissions: new Set(effectivePermissions(standing.permissions, standing.responsible))
    },
    organizationId
  })
}

/** Tells who a verified token acts for, and whether it may act in that organization right now. */
export const admit = Effect.fnUntraced(function* (
  claims: SessionClaims | TokenClaims,
  organizationId: OrganizationId | null
) {
  const accounts = yield* Accounts
  const now = yield* DateTime.now
  return claims.use === "session"
    ? yield* admitSession(
        claims,
        organizationId,
        yield* accounts.sessionStanding(claims.sessionId, organizationId, now)
      )
    : yield* admitToken(claims, organizationId, yield* accounts.tokenStanding(claims.tokenId, now))
})

const claimsOf = (actor: Actor, organizationId: OrganizationId): SessionClaims | TokenClaims | null => {
  if (actor.kind === "user") return { use: "session", userId: actor.userId, sessionId: actor.sessionId }
  return actor.kind === "token" ? { use: "automation", tokenId: actor.tokenId, organizationId } : null
}

const holdTheSame = (one: Actor, other: Actor) => {
  const [held, now] = [permissionsOf(one), permissionsOf(other)]
  return held.size === now.size && held.isSubsetOf(now)
}

/**
 * Whether the actor would be admitted right now, and with the same permissions: what runs for long asks this from time
 * to time. Nobody can take anything from an operator or from the service itself.
 */
export const standsAsAdmitted = Effect.gen(function* () {
  const actor = yield* CurrentActor
  const { id } = yield* CurrentOrganization
  const claims = claimsOf(actor, id)
  if (claims === null) return true
  return yield* Effect.match(admit(claims, id), {
    onFailure: () => false,
    onSuccess: (admission) => holdTheSame(actor, admission.actor)
  })
})

/** The organization of an admission that must have one. */
export const requireOrganization = (admission: Admission) =>
  admission.organizationId === null
    ? Effect.fail(new OrganizationHeaderMissing())
    : Effect.succeed(admission.organizationId)

/** The user and the organization of a docs session, while the user is a member there. */
export const admitToDocs = Effect.fnUntraced(function* (userId: UserId, organizationId: OrganizationId) {
  const user = yield* (yield* Users).find(userId)
  if (user === null || user.status !== "active") return yield* new TokenRevoked()
  const affiliations = yield* (yield* Accounts).affiliations(userId)
  const affiliation = affiliations.find(({ organization }) => organization.id === organizationId)
  if (affiliation === undefined) return yield* new OrganizationForbidden()
  return { user, organization: affiliation.organization }
})

import type { AutomationTokenId, OrganizationId, UserId } from "@parley/domain/kernel"
import {
  Accounts,
  type Affiliation,
  type OpenInvitation,
  type Organization,
  type TokenAccess
} from "@parley/domain/platform"
import { DateTime, Effect, HashMap, Layer, Order } from "effect"
import { rowAt, type State, type Tenant, tenantOf } from "../../store/State.ts"
import { responsibleFor } from "./responsibleFor.ts"
import { Store } from "../../store/Store.ts"

const most = 100

const byName: Order.Order<Affiliation> = Order.combine(
  Order.mapInput(Order.String, ({ organization }) => organization.name),
  Order.mapInput(Order.String, ({ organization }) => organization.id)
)

const membershipOf = (state: State, userId: UserId, organizationId: OrganizationId): Affiliation | null => {
  const organization = rowAt(state.organizations, organizationId)
  const row = HashMap.toValues(tenantOf(state, organizationId).members).find(({ member }) => member.userId === userId)
  return organization === null || row === undefined || row.member.status !== "active"
    ? null
    : { organization, role: row.member.role }
}

const affiliations = (state: State, userId: UserId): ReadonlyArray<Affiliation> =>
  Array.from(HashMap.keys(state.organizations))
    .map((id) => membershipOf(state, userId, id))
    .filter((affiliation) => affiliation !== null)
    .filter(({ organization }) => organization.status === "active")
    .toSorted(byName)
    .slice(0, most)

const openInvitation = (state: State, digest: string, now: DateTime.Utc): OpenInvitation | null => {
  for (const [organizationId, tenant] of state.tenants) {
    if (rowAt(state.organizations, organizationId)?.status !== "active") continue
    for (const { invitation, member } of HashMap.values(tenant.members)) {
      if (invitation?.digest === digest && DateTime.isGreaterThan(invitation.expiresAt, now)) {
        const { delivery, invitedBy } = invitation
        return { organizationId, memberId: member.id, email: member.email, delivery, invitedBy }
      }
    }
  }
  return null
}

const pluginAccess = (
  { pluginTokens, plugins }: Tenant,
  { id, plan, status }: Organization,
  tokenId: AutomationTokenId,
  now: DateTime.Utc
): TokenAccess | null => {
  const token = rowAt(pluginTokens, tokenId)
  const plugin = token === null ? null : rowAt(plugins, token.pluginId)
  if (token === null || plugin === null) return null
  return {
    heldBy: "plugin",
    pluginId: plugin.id,
    organizationId: id,
    organizationStatus: status,
    plan,
    permissions: plugin.manifest.permissions,
    live: DateTime.isGreaterThan(token.expiresAt, now)
  }
}

export const layer = Layer.effect(
  Accounts,
  Effect.map(Store, (store) =>
    Accounts.of({
      affiliations: (userId) => store.read((state) => affiliations(state, userId)),
      sessionAccess: (sessionId, organizationId, now) =>
        store.read((state) => {
          const row = rowAt(state.sessions, sessionId)
          const user = row === null ? null : rowAt(state.users, row.session.userId)
          if (row === null || user === null) return null
          const { revokedAt, session } = row
          const place = organizationId === null ? null : membershipOf(state, session.userId, organizationId)
          return {
            userId: session.userId,
            userStatus: user.user.status,
            mustChangePassword: user.mustChangePassword,
            live: revokedAt === null && DateTime.isGreaterThan(session.expiresAt, now),
            membership: place === null ? null : { role: place.role, organizationStatus: place.organization.status }
          }
        }),
      tokenAccess: (tokenId, now) =>
        store.read((state) => {
          for (const [organizationId, tenant] of state.tenants) {
            const organization = rowAt(state.organizations, organizationId)
            if (organization === null) continue
            const ofPlugin = pluginAccess(tenant, organization, tokenId, now)
            if (ofPlugin !== null) return ofPlugin
            const token = rowAt(tenant.automationTokens, tokenId)
            if (token === null) continue
            return {
              heldBy: "person",
              organizationId,
              organizationStatus: organization.status,
              responsibleUserId: token.responsibleUserId,
              responsible: responsibleFor(state, organizationId, token),
              permissions: token.permissions,
              live: token.revokedAt === null && DateTime.isGreaterThan(token.expiresAt, now)
            }
          }
          return null
        }),
      openInvitation: (digest, now) => store.read((state) => openInvitation(state, digest, now))
    })
  )
)

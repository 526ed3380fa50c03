import type {
  AutomationTokenId,
  OrganizationId,
  Permission,
  PlanName,
  PluginId,
  Role,
  SessionId,
  UserId
} from "@parley/domain/kernel"
import {
  Accounts,
  type InvitationDelivery,
  type MemberId,
  type OrganizationStatus,
  type SessionAccess,
  type TokenAccess,
  type UserStatus
} from "@parley/domain/platform"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, stamp } from "../../kernel/columns.ts"
import { RecentReads } from "../../kernel/RecentReads.ts"
import { storagePort } from "../../kernel/tenantPort.ts"
import { joinResponsible, responsibleOf } from "./responsible.ts"
import { organizationColumns, organizationOf, type OrganizationRow } from "./organizationRow.ts"

interface SessionRow {
  readonly userId: UserId
  readonly userStatus: UserStatus
  readonly isRevoked: boolean
  readonly mustChangePassword: boolean
  readonly expiresAt: Instant
  readonly role: Role | null
  readonly organizationStatus: OrganizationStatus | null
}

interface PluginTokenRow {
  readonly organizationId: OrganizationId
  readonly organizationStatus: OrganizationStatus
  readonly plan: PlanName
  readonly pluginId: PluginId
  readonly permissions: ReadonlyArray<Permission>
  readonly expiresAt: Instant
}

interface TokenRow {
  readonly organizationId: OrganizationId
  readonly organizationStatus: OrganizationStatus
  readonly responsibleUserId: UserId
  readonly userStatus: UserStatus | null
  readonly role: Role | null
  readonly permissions: ReadonlyArray<Permission>
  readonly isRevoked: boolean
  readonly expiresAt: Instant
}

const isLive = (row: { readonly isRevoked: boolean; readonly expiresAt: Instant }, now: DateTime.Utc) =>
  !row.isRevoked && row.expiresAt.getTime() > DateTime.toEpochMillis(now)

const sessionAccessOf = (row: SessionRow, now: DateTime.Utc): SessionAccess => ({
  userId: row.userId,
  userStatus: row.userStatus,
  live: isLive(row, now),
  mustChangePassword: row.mustChangePassword,
  membership:
    row.role === null || row.organizationStatus === null
      ? null
      : { role: row.role, organizationStatus: row.organizationStatus }
})

const pluginAccessOf = ({ expiresAt, ...row }: PluginTokenRow, now: DateTime.Utc): TokenAccess => ({
  heldBy: "plugin",
  ...row,
  live: isLive({ isRevoked: false, expiresAt }, now)
})

const tokenAccessOf = (row: TokenRow, now: DateTime.Utc): TokenAccess => ({
  heldBy: "person",
  organizationId: row.organizationId,
  organizationStatus: row.organizationStatus,
  responsibleUserId: row.responsibleUserId,
  responsible: responsibleOf(row),
  permissions: row.permissions,
  live: isLive(row, now)
})

const separator = "/"

export const layer = Layer.effect(
  Accounts,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const recent = yield* RecentReads

    const sessions = yield* recent.remember((key) => {
      const [sessionId, organizationId] = key.split(separator)
      return Effect.map(
        sql<SessionRow>`
          SELECT s.user_id AS "userId", u.status AS "userStatus", u.must_change_password AS "mustChangePassword",
            s.revoked_at IS NOT NULL AS "isRevoked", s.expires_at AS "expiresAt", m.role, o.status AS "organizationStatus"
          FROM sessions AS s
          JOIN users AS u ON u.id = s.user_id
          LEFT JOIN members AS m ON m.organization_id = ${organizationId ?? null}::uuid AND m.user_id = s.user_id
            AND m.status = 'active'
          LEFT JOIN organizations AS o ON o.id = m.organization_id
          WHERE s.id = ${sessionId}`,
        ([row]) => row ?? null
      )
    })

    const tokens = yield* recent.remember((tokenId) =>
      Effect.map(
        sql<TokenRow>`
          SELECT t.organization_id AS "organizationId", o.status AS "organizationStatus",
            t.responsible_user_id AS "responsibleUserId", u.status AS "userStatus", m.role, t.permissions,
            t.revoked_at IS NOT NULL AS "isRevoked", t.expires_at AS "expiresAt"
          FROM automation_tokens AS t JOIN organizations AS o ON o.id = t.organization_id
          ${sql.literal(joinResponsible)}
          WHERE t.id = ${tokenId}`,
        ([row]) => row ?? null
      )
    )

    // The rights of a plugin token are the current permissions of the plugin.
    const pluginTokens = yield* recent.remember((tokenId) =>
      Effect.map(
        sql<PluginTokenRow>`
          SELECT t.organization_id AS "organizationId", o.status AS "organizationStatus", o.plan, t.plugin_id AS "pluginId",
            p.manifest -> 'permissions' AS permissions, t.expires_at AS "expiresAt"
          FROM plugin_tokens AS t
          JOIN plugins AS p ON p.organization_id = t.organization_id AND p.id = t.plugin_id
          JOIN organizations AS o ON o.id = t.organization_id
          WHERE t.id = ${tokenId}`,
        ([row]) => row ?? null
      )
    )

    return storagePort(Accounts, {
      affiliations: Effect.fnUntraced(function* (userId) {
        const rows = yield* sql<OrganizationRow & { readonly role: Role }>`
          SELECT ${sql.literal(organizationColumns)}, m.role
          FROM members AS m JOIN organizations AS o ON o.id = m.organization_id
          WHERE m.user_id = ${userId} AND m.status = 'active' AND o.status = 'active'
          ORDER BY o.name COLLATE "C", o.id LIMIT 100`
        return rows.map(({ role, ...organization }) => ({ organization: organizationOf(organization), role }))
      }),
      sessionAccess: (sessionId: SessionId, organizationId, now) =>
        Effect.map(sessions(organizationId === null ? sessionId : sessionId + separator + organizationId), (row) =>
          row === null ? null : sessionAccessOf(row, now)
        ),
      tokenAccess: Effect.fnUntraced(function* (tokenId: AutomationTokenId, now) {
        const row = yield* tokens(tokenId)
        if (row !== null) return tokenAccessOf(row, now)
        const pluginRow = yield* pluginTokens(tokenId)
        return pluginRow === null ? null : pluginAccessOf(pluginRow, now)
      }),
      openInvitation: Effect.fnUntraced(function* (digest, now) {
        const [row] = yield* sql<{
          readonly organizationId: OrganizationId
          readonly memberId: MemberId
          readonly email: string
          readonly delivery: InvitationDelivery
          readonly invitedBy: UserId | null
        }>`
          SELECT m.organization_id AS "organizationId", m.id AS "memberId", m.email, m.invitation_delivery AS delivery,
            m.invited_by AS "invitedBy"
          FROM members AS m JOIN organizations AS o ON o.id = m.organization_id
          WHERE m.invitation_digest = ${digest} AND m.invitation_expires_at > ${stamp(now)} AND o.status = 'active'`
        return row ?? null
      })
    })
  })
)

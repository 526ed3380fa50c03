import { NotFound, type OrganizationId, type Role, type UserId, VersionConflict } from "@parley/domain/kernel"
import { Member, MemberExists, type MemberId, Members, type MemberStatus } from "@parley/domain/platform"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { asWritten, type Instant, stamp, utc, utcOrNull } from "../../kernel/columns.ts"
import { RecentReads } from "../../kernel/RecentReads.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"

interface Row {
  readonly id: MemberId
  readonly userId: UserId | null
  readonly email: string
  readonly name: string | null
  readonly role: Role
  readonly status: MemberStatus
  readonly invitedAt: Instant
  readonly joinedAt: Instant | null
  readonly version: number
}

const memberOf = (row: Row) =>
  new Member({ ...row, invitedAt: utc(row.invitedAt), joinedAt: utcOrNull(row.joinedAt) }, asWritten)

const notFound = () => new NotFound({ resource: "member" })

export const layer = Layer.effect(
  Members,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const recent = yield* RecentReads
    const columns = sql.literal(`m.id, m.user_id AS "userId", m.email, u.name, m.role, m.status,
      m.invited_at AS "invitedAt", m.joined_at AS "joinedAt", m.version`)
    const members = sql`SELECT ${columns} FROM members AS m LEFT JOIN users AS u ON u.id = m.user_id`
    const changed = sql`SELECT ${columns} FROM changed AS m LEFT JOIN users AS u ON u.id = m.user_id`

    const versionOf = Effect.fnUntraced(function* (organizationId: OrganizationId, id: MemberId) {
      const [row] = yield* sql<{ readonly version: number }>`
        SELECT version FROM members WHERE organization_id = ${organizationId} AND id = ${id}`
      return row === undefined ? yield* notFound() : row.version
    })

    return tenantPort(Members, {
      get: Effect.fnUntraced(function* (organization, id) {
        const [row] = yield* sql<Row>`${members} WHERE m.organization_id = ${organization.id} AND m.id = ${id}`
        return row === undefined ? yield* notFound() : memberOf(row)
      }),
      findByUser: Effect.fnUntraced(function* (organization, userId) {
        const [row] = yield* sql<Row>`
          ${members} WHERE m.organization_id = ${organization.id} AND m.user_id = ${userId}`
        return row === undefined ? null : memberOf(row)
      }),
      findByUsers: Effect.fnUntraced(function* (organization, userIds) {
        if (userIds.length === 0) return []
        const rows = yield* sql<Row>`
          ${members} WHERE m.organization_id = ${organization.id} AND m.user_id = ANY(${Array.from(userIds)}::uuid[])`
        return rows.map(memberOf)
      }),
      lockByUser: Effect.fnUntraced(function* (organization, userId) {
        const [row] = yield* sql<Row>`
          ${members} WHERE m.organization_id = ${organization.id} AND m.user_id = ${userId} FOR SHARE OF m`
        return row === undefined ? null : memberOf(row)
      }),
      list: Effect.fnUntraced(function* (organization, { after, limit }) {
        const rows = yield* sql<Row>`
          ${members} WHERE m.organization_id = ${organization.id} ${after === null ? sql`` : sql`AND m.id > ${after[0]}`}
          ORDER BY m.id LIMIT ${limit}`
        return rows.map(memberOf)
      }),
      count: Effect.fnUntraced(function* (organization) {
        const [row] = yield* sql<{ readonly count: number }>`
          SELECT count(*)::integer AS count FROM members WHERE organization_id = ${organization.id}`
        return row?.count ?? 0
      }),
      countOwners: Effect.fnUntraced(function* (organization) {
        const [row] = yield* sql<{ readonly count: number }>`
          SELECT count(*)::integer AS count FROM members
          WHERE organization_id = ${organization.id} AND role = 'owner' AND status = 'active'`
        return row?.count ?? 0
      }),
      insert: Effect.fnUntraced(function* (organization, member, invitation) {
        const { email, id, invitedAt, joinedAt, role, status, userId, version } = member
        const inserted = yield* sql`
          INSERT INTO members (organization_id, id, user_id, email, role, status, invited_at, joined_at,
            invitation_digest, invitation_expires_at, invitation_delivery, invited_by, version)
          VALUES (${organization.id}, ${id}, ${userId}, ${email}, ${role}, ${status}, ${stamp(invitedAt)}, ${stamp(joinedAt)},
            ${invitation?.digest ?? null}, ${stamp(invitation?.expiresAt ?? null)}, ${invitation?.delivery ?? null},
            ${invitation?.invitedBy ?? null}, ${version})
          ON CONFLICT DO NOTHING RETURNING 1`
        if (inserted.length === 0) {
          const [other] = yield* sql<{ readonly id: MemberId }>`
            SELECT id FROM members WHERE organization_id = ${organization.id}
              AND (email = ${email} OR user_id = ${userId}::uuid)
            LIMIT 1`
          return yield* other === undefined
            ? Effect.die(new Error(`The member ${id} exists.`))
            : new MemberExists({ memberId: other.id })
        }
        yield* recent.forget
      }),
      setRole: Effect.fnUntraced(function* (organization, id, role, expected) {
        const [row] = yield* sql<Row>`
          WITH changed AS (
            UPDATE members SET role = ${role}, version = version + 1
            WHERE organization_id = ${organization.id} AND id = ${id}
              ${expected === null ? sql`` : sql`AND version = ${expected}`}
            RETURNING *
          ) ${changed}`
        if (row === undefined) return yield* new VersionConflict({ current: yield* versionOf(organization.id, id) })
        yield* recent.forget
        return memberOf(row)
      }),
      join: Effect.fnUntraced(function* (organization, id, userId, now) {
        const [row] = yield* sql<Row>`
          WITH changed AS (
            UPDATE members SET user_id = ${userId}, status = 'active', joined_at = ${stamp(now)},
              invitation_digest = NULL, invitation_expires_at = NULL, invitation_delivery = NULL, invited_by = NULL, version = version + 1
            WHERE organization_id = ${organization.id} AND id = ${id} AND status = 'invited'
            RETURNING *
          ) ${changed}`
        if (row === undefined) return yield* notFound()
        yield* recent.forget
        return memberOf(row)
      }),
      remove: Effect.fnUntraced(function* (organization, id) {
        const removed = yield* sql`
          DELETE FROM members WHERE organization_id = ${organization.id} AND id = ${id} RETURNING 1`
        if (removed.length === 0) return yield* notFound()
        yield* recent.forget
      })
    })
  })
)

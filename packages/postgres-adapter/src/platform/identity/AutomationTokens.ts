import { type AutomationTokenId, NotFound, type Permission, type UserId } from "@parley/domain/kernel"
import { AutomationToken, AutomationTokens } from "@parley/domain/platform"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { asWritten, type Instant, stamp, utc, utcOrNull } from "../../kernel/columns.ts"
import { RecentReads } from "../../kernel/RecentReads.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"
import { joinResponsible, responsibleOf, type ResponsibleColumns } from "./responsible.ts"
import { makeTouches } from "./touches.ts"

interface Row {
  readonly id: AutomationTokenId
  readonly name: string
  readonly permissions: ReadonlyArray<Permission>
  readonly createdBy: UserId
  readonly responsibleUserId: UserId
  readonly createdAt: Instant
  readonly adoptedAt: Instant | null
  readonly expiresAt: Instant
  readonly lastUsedAt: Instant | null
  readonly revokedAt: Instant | null
}

const tokenOf = (row: Row) =>
  new AutomationToken(
    {
      ...row,
      createdAt: utc(row.createdAt),
      adoptedAt: utcOrNull(row.adoptedAt),
      expiresAt: utc(row.expiresAt),
      lastUsedAt: utcOrNull(row.lastUsedAt),
      revokedAt: utcOrNull(row.revokedAt)
    },
    asWritten
  )

const notFound = () => new NotFound({ resource: "automation token" })

export const layer = Layer.effect(
  AutomationTokens,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const recent = yield* RecentReads
    const touches = makeTouches()
    const columns = sql.literal(`t.id, t.name, t.permissions, t.created_by AS "createdBy",
      t.responsible_user_id AS "responsibleUserId", t.created_at AS "createdAt", t.adopted_at AS "adoptedAt",
      t.expires_at AS "expiresAt", t.last_used_at AS "lastUsedAt", t.revoked_at AS "revokedAt"`)

    const answeredOf = ({ role, userStatus, ...row }: Row & ResponsibleColumns) => ({
      token: tokenOf(row),
      responsible: responsibleOf({ role, userStatus })
    })

    return tenantPort(AutomationTokens, {
      find: Effect.fnUntraced(function* (organization, id) {
        const [row] = yield* sql<Row & ResponsibleColumns>`
          SELECT ${columns}, u.status AS "userStatus", m.role FROM automation_tokens AS t ${sql.literal(joinResponsible)}
          WHERE t.organization_id = ${organization.id} AND t.id = ${id}`
        return row === undefined ? null : answeredOf(row)
      }),
      list: Effect.fnUntraced(function* (organization, { after, limit }) {
        const rows = yield* sql<Row & ResponsibleColumns>`
          SELECT ${columns}, u.status AS "userStatus", m.role FROM automation_tokens AS t ${sql.literal(joinResponsible)}
          WHERE t.organization_id = ${organization.id} ${after === null ? sql`` : sql`AND t.id < ${after[0]}`}
          ORDER BY t.id DESC LIMIT ${limit}`
        return rows.map(answeredOf)
      }),
      insert: Effect.fnUntraced(function* (organization, token) {
        const { createdBy, id, name, permissions, responsibleUserId } = token
        const { adoptedAt, createdAt, expiresAt, lastUsedAt, revokedAt } = token
        yield* sql`
          INSERT INTO automation_tokens (organization_id, id, name, permissions, created_by, responsible_user_id,
            created_at, adopted_at, expires_at, last_used_at, revoked_at)
          VALUES (${organization.id}, ${id}, ${name}, ${permissions}, ${createdBy}, ${responsibleUserId},
            ${stamp(createdAt)}, ${stamp(adoptedAt)}, ${stamp(expiresAt)}, ${stamp(lastUsedAt)}, ${stamp(revokedAt)})`
      }),
      lock: Effect.fnUntraced(function* (organization, id) {
        const [row] = yield* sql<Row>`
          SELECT ${columns} FROM automation_tokens AS t
          WHERE t.organization_id = ${organization.id} AND t.id = ${id} FOR UPDATE`
        return row === undefined ? yield* notFound() : tokenOf(row)
      }),
      adopt: Effect.fnUntraced(function* (organization, id, userId, now) {
        const [row] = yield* sql<Row>`
          UPDATE automation_tokens AS t SET responsible_user_id = ${userId}, adopted_at = ${stamp(now)}
          WHERE t.organization_id = ${organization.id} AND t.id = ${id}
          RETURNING ${columns}`
        if (row === undefined) return yield* notFound()
        yield* recent.forget
        return tokenOf(row)
      }),
      revoke: Effect.fnUntraced(function* (organization, id, now) {
        const [row] = yield* sql<Row>`
          UPDATE automation_tokens AS t SET revoked_at = coalesce(t.revoked_at, ${stamp(now)})
          WHERE t.organization_id = ${organization.id} AND t.id = ${id}
          RETURNING ${columns}`
        if (row === undefined) return yield* notFound()
        yield* recent.forget
        return tokenOf(row)
      }),
      touch: Effect.fnUntraced(function* (organization, id, now) {
        if (!touches.isDue(organization.id, id, now)) return
        yield* sql`
          UPDATE automation_tokens SET last_used_at = ${stamp(now)}
          WHERE organization_id = ${organization.id} AND id = ${id}
            AND (last_used_at IS NULL OR last_used_at <= ${stamp(touches.before(now))})`
      })
    })
  })
)

import {
  AutomationToken,
  type AutomationTokenId,
  AutomationTokens,
  CurrentOrganization,
  NotFound,
  type Permission,
  type UserId
} from "@parley/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { asWritten, type Instant, stamp, utc, utcOrNull } from "../kernel/columns.ts"
import { driverFailuresDie } from "../kernel/defects.ts"
import { RecentReads } from "../kernel/RecentReads.ts"
import { makeTouches } from "./touches.ts"

interface Row {
  readonly id: AutomationTokenId
  readonly name: string
  readonly permissions: ReadonlyArray<Permission>
  readonly createdBy: UserId
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly lastUsedAt: Instant | null
  readonly revokedAt: Instant | null
}

const tokenOf = (row: Row) =>
  new AutomationToken(
    {
      ...row,
      createdAt: utc(row.createdAt),
      expiresAt: utc(row.expiresAt),
      lastUsedAt: utcOrNull(row.lastUsedAt),
      revokedAt: utcOrNull(row.revokedAt)
    },
    asWritten
  )

export const layer = Layer.effect(
  AutomationTokens,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const recent = yield* RecentReads
    const touches = makeTouches()
    const columns = sql.literal(`id, name, permissions, created_by AS "createdBy", created_at AS "createdAt",
      expires_at AS "expiresAt", last_used_at AS "lastUsedAt", revoked_at AS "revokedAt"`)

    return AutomationTokens.of({
      list: Effect.fnUntraced(function* ({ after, limit }) {
        const organization = yield* CurrentOrganization
        const rows = yield* sql<Row>`
          SELECT ${columns} FROM automation_tokens
          WHERE organization_id = ${organization.id} ${after === null ? sql`` : sql`AND id < ${after[0]}`}
          ORDER BY id DESC LIMIT ${limit}`
        return rows.map(tokenOf)
      }, driverFailuresDie),
      insert: Effect.fnUntraced(function* (token) {
        const organization = yield* CurrentOrganization
        const { createdAt, createdBy, expiresAt, id, lastUsedAt, name, permissions, revokedAt } = token
        yield* sql`
          INSERT INTO automation_tokens (organization_id, id, name, permissions, created_by, created_at, expires_at,
            last_used_at, revoked_at)
          VALUES (${organization.id}, ${id}, ${name}, ${permissions}, ${createdBy}, ${stamp(createdAt)}, ${stamp(expiresAt)},
            ${stamp(lastUsedAt)}, ${stamp(revokedAt)})`
      }, driverFailuresDie),
      revoke: Effect.fnUntraced(function* (id, now) {
        const organization = yield* CurrentOrganization
        const [row] = yield* sql<Row>`
          UPDATE automation_tokens SET revoked_at = coalesce(revoked_at, ${stamp(now)})
          WHERE organization_id = ${organization.id} AND id = ${id}
          RETURNING ${columns}`
        if (row === undefined) return yield* new NotFound({ resource: "automation token" })
        yield* recent.forget
        return tokenOf(row)
      }, driverFailuresDie),
      touch: Effect.fnUntraced(function* (id, now) {
        const organization = yield* CurrentOrganization
        if (!touches.isDue(organization.id, id, now)) return
        yield* sql`
          UPDATE automation_tokens SET last_used_at = ${stamp(now)}
          WHERE organization_id = ${organization.id} AND id = ${id}
            AND (last_used_at IS NULL OR last_used_at <= ${stamp(touches.before(now))})`
      }, driverFailuresDie)
    })
  })
)

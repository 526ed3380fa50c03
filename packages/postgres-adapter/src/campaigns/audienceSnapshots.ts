import { NotFound } from "@parley/domain/kernel"
import type { AudienceSnapshot, AudienceSnapshotId, Audiences } from "@parley/domain/campaigns"
import { PgTypes } from "@effect/sql-pg"
import { DateTime, Duration, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { type Instant, stamp, utc, utcOrNull } from "../kernel/columns.ts"
import type { TenantMethods } from "../kernel/tenantPort.ts"
import { audienceContacts } from "./audienceContacts.ts"

interface SnapshotRow extends Omit<AudienceSnapshot, "createdAt" | "expiresAt"> {
  readonly createdAt: Instant
  readonly expiresAt: Instant | null
}

const snapshotOf = ({ createdAt, expiresAt, ...row }: SnapshotRow): AudienceSnapshot => ({
  ...row,
  createdAt: utc(createdAt),
  expiresAt: utcOrNull(expiresAt)
})

/** Time during which an expired list is still reported as expired. */
const remembered = { days: 30 }

/** Recipient lists that are stored for a preview. */
export const audienceSnapshots = (
  sql: SqlClient.SqlClient
): TenantMethods<Pick<Audiences["Service"], "forget" | "keep" | "keepUntil" | "kept" | "release">> => {
  const { inOrder, judgedSql } = audienceContacts(sql)
  return {
    keep: Effect.fnUntraced(function* (organization, snapshot, plan) {
      yield* sql`
        INSERT INTO audience_snapshots (organization_id, id, made_from, matched, created_at, expires_at)
        VALUES (${organization.id}, ${snapshot.id}, ${PgTypes.json(snapshot.madeFrom)}, 0, ${stamp(snapshot.createdAt)},
          ${stamp(snapshot.expiresAt)})`
      const [row] = yield* sql<{ readonly matched: number }>`
        WITH added AS (
          INSERT INTO audience_snapshot_contacts (organization_id, snapshot_id, contact_id, address_kind, address, reason)
          SELECT ${organization.id}, ${snapshot.id}, j.id, split_part(j.way, ':', 1), substr(j.way, strpos(j.way, ':') + 1),
            j.reason
          FROM (${judgedSql(organization.id, { ...plan, holdOut: 0 }, inOrder(organization.id, plan))}) AS j
          RETURNING 1
        )
        UPDATE audience_snapshots SET matched = (SELECT count(*) FROM added)
        WHERE organization_id = ${organization.id} AND id = ${snapshot.id} RETURNING matched`.unprepared
      return { ...snapshot, matched: row?.matched ?? 0 }
    }),
    kept: Effect.fnUntraced(function* (organization, id) {
      const [row] = yield* sql<SnapshotRow>`
        SELECT id, made_from AS "madeFrom", matched, created_at AS "createdAt", expires_at AS "expiresAt"
        FROM audience_snapshots WHERE organization_id = ${organization.id} AND id = ${id} FOR UPDATE`
      return row === undefined ? yield* new NotFound({ resource: "audience snapshot" }) : snapshotOf(row)
    }),
    keepUntil: Effect.fnUntraced(function* (organization, id, at) {
      yield* sql`
        UPDATE audience_snapshots SET expires_at = ${stamp(at)}
        WHERE organization_id = ${organization.id} AND id = ${id}`
    }),
    release: Effect.fnUntraced(function* (organization, keptFor, limit) {
      const isNeeded = sql`EXISTS (
        SELECT FROM broadcasts AS b WHERE b.organization_id = ${organization.id} AND b.audience_snapshot_id = s.id
          AND b.status IN ('scheduled', 'sending', 'paused'))`
      const found = yield* sql<{ readonly id: AudienceSnapshotId }>`
        SELECT s.id FROM audience_snapshots AS s
        WHERE s.organization_id = ${organization.id} AND s.expires_at IS NULL AND NOT ${isNeeded}
        ORDER BY s.id LIMIT ${limit} FOR UPDATE SKIP LOCKED`
      if (found.length === 0) return 0
      // A list can have become needed before it was locked. This statement sees that.
      const released = yield* sql`
        UPDATE audience_snapshots AS s
        SET expires_at = s.created_at + make_interval(secs => ${Duration.toSeconds(keptFor)}::float8)
        WHERE s.organization_id = ${organization.id} AND s.id = ANY(${found.map(({ id }) => id)}::uuid[]) AND NOT ${isNeeded}
        RETURNING 1`
      return released.length
    }),
    forget: Effect.fnUntraced(function* (organization, now, limit) {
      const rows = yield* sql`
        DELETE FROM audience_snapshot_contacts WHERE organization_id = ${organization.id}
          AND (snapshot_id, contact_id) IN (
            SELECT k.snapshot_id, k.contact_id FROM audience_snapshots AS s
            JOIN audience_snapshot_contacts AS k ON k.organization_id = ${organization.id} AND k.snapshot_id = s.id
            WHERE s.organization_id = ${organization.id} AND s.expires_at <= ${stamp(now)} LIMIT ${limit})
        RETURNING 1`.unprepared
      const snapshots = yield* sql`
        DELETE FROM audience_snapshots AS s WHERE s.organization_id = ${organization.id}
          AND s.expires_at <= ${stamp(DateTime.subtract(now, remembered))} AND NOT EXISTS (
            SELECT FROM audience_snapshot_contacts AS k
            WHERE k.organization_id = ${organization.id} AND k.snapshot_id = s.id)
        RETURNING 1`
      return rows.length + snapshots.length
    })
  }
}

import type { ListedRecipient, RecipientLedger } from "@parley/domain/campaigns"
import { PgTypes } from "@effect/sql-pg"
import { DateTime, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { movesOf, tally } from "../tallies.ts"
import type { TenantMethods } from "../../kernel/tenantPort.ts"

const written = (at: DateTime.Utc | null) => (at === null ? null : DateTime.formatIso(at))

const listedRow = ({ address, contactId, dueAt, left, variant }: ListedRecipient, index: number) => ({
  place: index + 1,
  contact_id: contactId,
  address_kind: address?.kind ?? null,
  address: address?.value ?? null,
  variant,
  status: left?.kind ?? (dueAt === null ? "pending" : "waiting"),
  due_at: written(dueAt),
  reason: left?.kind === "excluded" ? left.reason : null
})

/** Tally changes for recipients that are `added` to a list. */
export const addedMoves = (sql: SqlClient.SqlClient) =>
  movesOf(
    sql,
    sql`SELECT a.broadcast_id, a.variant, a.status, coalesce(a.reason, '') AS cause, NULL::text AS was,
      ''::text AS was_cause, FALSE AS replied, FALSE AS opted_out FROM added AS a`
  )

/** Adds recipients to lists. */
export const listing = (sql: SqlClient.SqlClient): TenantMethods<Pick<RecipientLedger["Service"], "list">> => ({
  list: Effect.fnUntraced(function* (organization, id, recipients) {
    yield* sql`
      WITH place AS (
        SELECT list_size FROM broadcast_progress
        WHERE organization_id = ${organization.id} AND broadcast_id = ${id} FOR UPDATE
      ), added AS (
        INSERT INTO broadcast_recipients (organization_id, broadcast_id, seq, contact_id, address_kind, address, variant,
          status, due_at, reason, split_due_at)
        SELECT ${organization.id}, ${id}, place.list_size + r.place, r.contact_id, r.address_kind, r.address,
          r.variant::"char", r.status, r.due_at, r.reason,
          CASE WHEN b.hold_out > 0 AND (r.reason IS NULL OR r.reason = 'plan_limit') THEN coalesce(r.due_at, b.started_at) END
        FROM place CROSS JOIN broadcasts AS b CROSS JOIN json_to_recordset(${PgTypes.json(recipients.map(listedRow))}) AS r (place integer, contact_id uuid,
          address_kind text, address text, variant text, status text, due_at timestamptz, reason text)
        WHERE b.organization_id = ${organization.id} AND b.id = ${id}
        RETURNING broadcast_id, variant, status, reason
      ), counts AS (
        SELECT count(*) AS matched, count(*) FILTER (WHERE status IN ('pending', 'waiting')) AS pending,
          count(*) FILTER (WHERE status = 'excluded') AS excluded, count(*) FILTER (WHERE status = 'held_out') AS held_out
        FROM added
      ), tallied AS (${tally(sql, organization.id, addedMoves(sql))})
      UPDATE broadcast_progress AS p SET matched = p.matched + c.matched, pending = p.pending + c.pending,
        excluded = p.excluded + c.excluded, held_out = p.held_out + c.held_out, list_size = p.list_size + c.matched
      FROM counts AS c WHERE p.organization_id = ${organization.id} AND p.broadcast_id = ${id}`
  })
})

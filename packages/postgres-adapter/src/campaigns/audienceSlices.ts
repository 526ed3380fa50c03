import type { Audiences, BroadcastId, SliceBounds } from "@parley/domain/campaigns"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { stamp } from "../kernel/columns.ts"
import type { Organization, TenantMethods } from "../kernel/tenantPort.ts"
import { audienceContacts } from "./audienceContacts.ts"
import { addedMoves } from "./ledger/listing.ts"
import { tally } from "./tallies.ts"

/** Adds audiences to the lists of broadcasts, slice by slice. */
export const audienceSlices = (sql: SqlClient.SqlClient): TenantMethods<Pick<Audiences["Service"], "freeze">> => {
  const { judgedOnceMore, judgedSql, kept, live, timed } = audienceContacts(sql)

  /** Progress of the list of a sending broadcast. Only the owner of its account continues the list. */
  const readProgress = Effect.fnUntraced(function* (organization: Organization, id: BroadcastId) {
    const [row] = yield* sql<{ readonly after: string | null; readonly listed: number }>`
      SELECT p.frozen_after AS after, p.list_size AS listed FROM broadcasts AS b
      JOIN broadcast_progress AS p ON p.organization_id = ${organization.id} AND p.broadcast_id = b.id
      WHERE b.organization_id = ${organization.id} AND b.id = ${id} AND b.status = 'sending' FOR KEY SHARE OF b`
    return row ?? null
  })

  return {
    freeze: Effect.fnUntraced(function* (organization, id, plan, { limit, room, snapshotId }: SliceBounds) {
      const progress = yield* readProgress(organization, id)
      if (progress === null) return { listed: 0, toSend: 0, done: false }
      const { after, listed } = progress
      const { size, source } = yield* timed(
        plan,
        snapshotId === null
          ? live(organization.id, plan, after, sql`ORDER BY c.id LIMIT ${limit}`)
          : kept(organization.id, snapshotId, after, limit)
      )
      const judged = (snapshotId === null ? judgedSql : judgedOnceMore)(organization.id, plan, source)
      const turn =
        room === null ? sql`0` : sql`count(*) FILTER (WHERE j.reason IS NULL AND NOT j.held) OVER (ORDER BY j.key)`
      const isOver = room === null ? sql`FALSE` : sql`(j.reason IS NULL AND NOT j.held AND j.turn > ${room})`
      // The hold-out draw happens before the plan limit excludes a recipient.
      const drawnFor =
        plan.holdOut > 0
          ? sql`CASE WHEN j.reason IS NULL THEN coalesce(j.due, ${stamp(plan.startsAt)}::timestamptz) END`
          : sql`NULL::timestamptz`
      const [row] = yield* sql<{ readonly taken: number; readonly listed: number; readonly toSend: number }>`
        WITH numbered AS MATERIALIZED (
          SELECT j.*, row_number() OVER (ORDER BY j.key) AS place, ${turn} AS turn FROM (${judged}) AS j
        ), added AS (
          INSERT INTO broadcast_recipients (organization_id, broadcast_id, seq, contact_id, address_kind, address, variant,
            status, due_at, reason, transferred_by, split_due_at)
          SELECT ${organization.id}, ${id}, ${listed} + j.place, j.id, split_part(j.way, ':', 1),
            substr(j.way, strpos(j.way, ':') + 1), j.variant::"char",
            CASE WHEN j.reason IS NOT NULL OR ${isOver} THEN 'excluded' WHEN j.held THEN 'held_out'
              WHEN j.due IS NULL THEN 'pending' ELSE 'waiting' END,
            j.due, CASE WHEN ${isOver} THEN 'plan_limit' ELSE j.reason END, j.transferred_by, ${drawnFor}
          FROM numbered AS j
          ON CONFLICT (organization_id, contact_id, broadcast_id, (CASE WHEN transferred_by IS NULL THEN 0 ELSE seq END))
            DO NOTHING
          RETURNING broadcast_id, variant, status, reason
        ), counts AS (
          SELECT count(*) AS matched, count(*) FILTER (WHERE status IN ('pending', 'waiting')) AS pending,
            count(*) FILTER (WHERE status = 'excluded') AS excluded, count(*) FILTER (WHERE status = 'held_out') AS held_out
          FROM added
        ), slice AS (
          SELECT count(*) AS taken, (SELECT key FROM numbered ORDER BY place DESC LIMIT 1) AS last FROM numbered
        ), tallied AS (${tally(sql, organization.id, addedMoves(sql))})
        UPDATE broadcast_progress AS p SET matched = p.matched + c.matched, pending = p.pending + c.pending,
          excluded = p.excluded + c.excluded, held_out = p.held_out + c.held_out, list_size = p.list_size + s.taken,
          frozen_after = COALESCE(s.last, p.frozen_after)
        FROM counts AS c, slice AS s WHERE p.organization_id = ${organization.id} AND p.broadcast_id = ${id}
          AND p.list_size = ${listed}
        RETURNING s.taken::integer AS taken, c.matched::integer AS listed, c.pending::integer AS "toSend"`.unprepared
      return {
        listed: row?.listed ?? 0,
        toSend: row?.toSend ?? 0,
        done: (size ?? row?.taken ?? 0) < limit
      }
    })
  }
}

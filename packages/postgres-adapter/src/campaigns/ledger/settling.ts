import type { OrganizationId } from "@parley/domain/kernel"
import type { BroadcastId, RecipientLedger, RecipientResult } from "@parley/domain/campaigns"
import { DateTime, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { stamp } from "../../kernel/columns.ts"
import { uuids } from "../../kernel/uuids.ts"
import type { TenantMethods } from "../../kernel/tenantPort.ts"
import { isAmong } from "../isAmong.ts"
import { movesOf, tally } from "../tallies.ts"

/**
 * Stores results of recipients, as the first parts of a statement. `held` locks the broadcast, and `counts` has the number of each result. The
 * statement changes no statistics: `settledStats` must change them with the same row. It changes tallies only with `tallied`, after it. A planner
 * without statistics of a new list would use nested loops. Results are arrays, which are searched for the place of a recipient.
 */
export const settled = (
  sql: SqlClient.SqlClient,
  organizationId: OrganizationId,
  id: BroadcastId,
  unsorted: ReadonlyArray<RecipientResult>
) => {
  const results = unsorted.toSorted((one, other) => one.seq - other.seq)
  const seqs = results.map(({ seq }) => seq)
  const places = sql`${seqs}::integer[]`
  const windowIds = sql`${uuids(results.map(({ windowId }) => windowId))}::uuid[]`
  const column = <A>(of: (outcome: RecipientResult["outcome"]) => A) => results.map(({ outcome }) => of(outcome))
  const doubted = results.filter(({ outcome }) => outcome.kind === "in_doubt").map(({ at }) => at)
  const doubtedAt = stamp(doubted.toSorted(DateTime.Order).at(-1) ?? null)
  return sql`
    held AS MATERIALIZED (
      SELECT status, list_revision AS revision FROM broadcasts
      WHERE organization_id = ${organizationId} AND id = ${id} FOR KEY SHARE
    ), windows AS MATERIALIZED (
      SELECT w.id, w.seqs, w.contact_ids, w."values", w.claimed_at FROM broadcast_claims AS w
      WHERE w.organization_id = ${organizationId} AND w.broadcast_id = ${id}
        AND w.id = ANY(${uuids(Array.from(new Set(results.map(({ windowId }) => windowId))))}::uuid[])
        AND (SELECT count(*) FROM held) > 0
      ORDER BY w.id FOR UPDATE
    ), seats AS MATERIALIZED (
      SELECT w.id, w.seqs, w.claimed_at, v.places, v.outcomes FROM windows AS w CROSS JOIN LATERAL (
        SELECT array_agg(e.key::integer ORDER BY e.key::integer) AS places,
          array_agg(e.value::text ORDER BY e.key::integer) AS outcomes
        FROM json_each(w."values") AS e
      ) AS v
    ), changed AS (
      UPDATE broadcast_recipients AS r SET (status, attempts, provider_message_id, error, due_at, "values", called_at, sent_at,
        failed_at) = (
        SELECT t.status, r.attempts + t.counts, coalesce(nullif(t.provider_message_id, ''), r.provider_message_id),
          coalesce(nullif(t.error, '')::json, r.error), CASE WHEN t.was_called THEN r.due_at ELSE t.due_at END,
          CASE WHEN t.was_called THEN w.outcomes[width_bucket(r.seq, w.places)]::json ELSE r."values" END,
          CASE WHEN t.was_called THEN w.claimed_at ELSE r.called_at END,
          CASE WHEN t.status = 'sent' THEN t.at ELSE r.sent_at END,
          CASE WHEN t.status = 'failed' THEN t.at ELSE r.failed_at END
        FROM (
          SELECT o.kind <> 'pending' AS was_called,
            CASE WHEN o.kind <> 'pending' THEN o.kind
              WHEN h.status IN ('completed', 'cancelled', 'failed') THEN 'never_sent' ELSE 'waiting' END AS status,
            (${results.map(({ at }) => stamp(at))}::timestamptz[])[o.place] AS at,
            (${column((outcome) => (outcome.kind === "sent" ? outcome.providerMessageId : ""))}::text[])[o.place]
              AS provider_message_id,
            (${column((outcome) => (outcome.kind === "failed" ? JSON.stringify(outcome.error) : ""))}::text[])[o.place] AS error,
            (${results.map(({ at, outcome }) => stamp(outcome.kind === "pending" ? outcome.dueAt : at))}::timestamptz[])[o.place]
              AS due_at,
            (${column((outcome) => (outcome.kind === "pending" && !outcome.counts ? 0 : 1))}::integer[])[o.place] AS counts
          FROM (
            SELECT n.place, (${column(({ kind }) => kind)}::text[])[n.place] AS kind
            FROM (SELECT width_bucket(r.seq, ${places}) AS place OFFSET 0) AS n OFFSET 0
          ) AS o
        ) AS t
      )
      FROM seats AS w CROSS JOIN held AS h
      WHERE r.organization_id = ${organizationId} AND r.broadcast_id = ${id} AND ${isAmong(sql, [id], seqs)}
        AND r.seq = ANY(w.seqs) AND w.id = (${windowIds})[width_bucket(r.seq, ${places})]
      RETURNING r.status, r.broadcast_id, r.variant,
        CASE r.status WHEN 'failed' THEN coalesce(r.error ->> 'code', '') ELSE '' END AS cause,
        'pending' AS was, '' AS was_cause, r.replied_at IS NOT NULL AS replied, r.opted_out_at IS NOT NULL AS opted_out
    ), counts AS MATERIALIZED (
      SELECT count(*)::integer AS all_of_them, count(*) FILTER (WHERE status = 'sent')::integer AS sent,
        count(*) FILTER (WHERE status = 'failed')::integer AS failed,
        count(*) FILTER (WHERE status = 'in_doubt')::integer AS in_doubt,
        count(*) FILTER (WHERE status = 'waiting')::integer AS pending,
        count(*) FILTER (WHERE status = 'never_sent')::integer AS never_sent,
        CASE WHEN count(*) FILTER (WHERE status = 'in_doubt') > 0 THEN ${doubtedAt}::timestamptz END AS in_doubt_at
      FROM changed
    ), remaining AS MATERIALIZED (
      SELECT w.id, array_agg(c.seq ORDER BY c.seq) AS seqs, array_agg(c.contact_id ORDER BY c.seq) AS contact_ids
      FROM windows AS w, unnest(w.seqs, w.contact_ids) AS c (seq, contact_id)
      WHERE c.seq <> ALL(${places}) OR (${windowIds})[width_bucket(c.seq, ${places})] <> w.id
      GROUP BY w.id
    ), shrunk AS (
      UPDATE broadcast_claims AS w SET seqs = r.seqs, contact_ids = r.contact_ids FROM remaining AS r
      WHERE w.organization_id = ${organizationId} AND w.broadcast_id = ${id} AND w.id = r.id
    ), over AS (
      DELETE FROM broadcast_claims AS w
      WHERE w.organization_id = ${organizationId} AND w.broadcast_id = ${id}
        AND w.id = ANY(ARRAY(SELECT id FROM windows EXCEPT SELECT id FROM remaining))
    ), tallied AS (${tally(sql, organizationId, movesOf(sql, sql`SELECT * FROM changed`))})`
}

/** Changes of the statistics `p` by `counts`, except values that a claim changes, too. */
export const settledStats = (sql: SqlClient.SqlClient) => sql`
  sent = p.sent + c.sent, failed = p.failed + c.failed, in_doubt = p.in_doubt + c.in_doubt,
  never_sent = p.never_sent + c.never_sent, in_doubt_at = greatest(p.in_doubt_at, c.in_doubt_at)`

type Settling = TenantMethods<Pick<RecipientLedger["Service"], "settle" | "takeOver" | "fenceOff">>

/** Stores results of claimed recipients. */
export const settling = (sql: SqlClient.SqlClient): Settling => ({
  settle: Effect.fnUntraced(function* (organization, id, results) {
    if (results.length === 0) return
    yield* sql`
      WITH ${settled(sql, organization.id, id, results)}
      UPDATE broadcast_progress AS p SET in_flight = p.in_flight - c.all_of_them, pending = p.pending + c.pending,
        ${settledStats(sql)}
      FROM counts AS c WHERE p.organization_id = ${organization.id} AND p.broadcast_id = ${id} AND c.all_of_them > 0`
  }),
  fenceOff: Effect.fnUntraced(function* ({ id }, account, fence) {
    yield* sql`
      UPDATE broadcast_progress AS p SET fence = ${fence}::bigint
      FROM broadcasts AS b
      WHERE p.organization_id = ${id} AND b.organization_id = ${id} AND b.id = p.broadcast_id
        AND b.chat_account_id = ${account} AND b.status IN ('scheduled', 'sending', 'paused') AND p.fence < ${fence}::bigint`
  }),
  takeOver: Effect.fnUntraced(function* (organization, account, fence, now) {
    const { id } = organization
    const lost = yield* sql<{
      readonly broadcastId: BroadcastId
      readonly windowId: string
      readonly seqs: Array<number>
    }>`
      SELECT w.broadcast_id AS "broadcastId", w.id AS "windowId", w.seqs
      FROM broadcast_claims AS w JOIN broadcasts AS b ON b.organization_id = ${id} AND b.id = w.broadcast_id
      WHERE w.organization_id = ${id} AND b.chat_account_id = ${account} AND w.fence < ${fence}::bigint
      ORDER BY w.broadcast_id, w.id`
    let count = 0
    for (const [broadcastId, windows = []] of Map.groupBy(lost, (window) => window.broadcastId)) {
      const at = now
      const results = windows.flatMap(({ seqs, windowId }) =>
        seqs.map((seq): RecipientResult => ({ windowId, seq, at, outcome: { kind: "in_doubt" } }))
      )
      yield* settling(sql).settle(organization, broadcastId, results)
      count += results.length
    }
    return count
  })
})

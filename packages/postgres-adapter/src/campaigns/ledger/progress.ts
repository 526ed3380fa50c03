import type { ChatAccountId } from "@parley/domain/messaging"
import { type ActiveBroadcast, BroadcastWaiting, type RecipientLedger } from "@parley/domain/campaigns"
import { PgTypes } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { asWritten, type Instant, stamp, utcOrNull } from "../../kernel/columns.ts"
import type { TenantMethods } from "../../kernel/tenantPort.ts"

interface ActiveRow extends Omit<ActiveBroadcast, "nextDueAt" | "doubtedAt" | "claimedAt" | "toldAt"> {
  readonly nextDueAt: Instant | null
  readonly doubtedAt: Instant | null
  readonly claimedAt: Instant | null
  readonly toldAt: Instant | null
}

const encodeWaiting = Schema.encodeSync(Schema.NullOr(BroadcastWaiting), asWritten)

type Progress = TenantMethods<
  Pick<RecipientLedger["Service"], "active" | "end" | "isStopped" | "recall" | "recallAll" | "stop" | "wait" | "tell">
>

/** Progress of broadcasts, and the state that their sender reports. */
export const progress = (sql: SqlClient.SqlClient): Progress => ({
  active: Effect.fnUntraced(function* ({ id }, account) {
    const rows = yield* sql<ActiveRow>`
      SELECT b.id AS "broadcastId", b.status, b.version, b.frozen_at IS NOT NULL AS "isFrozen", p.list_size AS listed,
        p.list_position AS mark, p.in_doubt_at AS "doubtedAt", p.claimed_at AS "claimedAt",
        p.progress_reported_at AS "toldAt", p.has_recalled AS "isRecalled",
        n.waits_until AS "nextDueAt", coalesce(n.postponed_until = n.waits_until, FALSE) AS "isNextPutOff",
        json_build_object('matched', p.matched, 'pending', p.pending, 'inFlight', p.in_flight, 'inDoubt', p.in_doubt,
          'sent', p.sent, 'delivered', p.delivered, 'read', p.read, 'failed', p.failed, 'excluded', p.excluded,
          'heldOut', p.held_out, 'neverSent', p.never_sent) AS stats
      FROM broadcasts AS b
      JOIN broadcast_progress AS p ON p.organization_id = ${id} AND p.broadcast_id = b.id
      LEFT JOIN LATERAL (
        SELECT r.waits_until, r.postponed_until FROM broadcast_recipients AS r
        WHERE r.organization_id = ${id} AND r.broadcast_id = b.id AND r.waits_until IS NOT NULL AND NOT EXISTS (
          SELECT FROM broadcast_claims AS w
          WHERE w.organization_id = ${id} AND w.broadcast_id = b.id AND r.seq = ANY(w.seqs))
        ORDER BY r.waits_until, r.seq LIMIT 1
      ) AS n ON TRUE
      WHERE b.organization_id = ${id} AND b.chat_account_id = ${account} AND b.id IN (
        SELECT a.id FROM broadcasts AS a
        WHERE a.organization_id = ${id} AND a.chat_account_id = ${account}
          AND a.status IN ('scheduled', 'sending', 'paused')
        UNION SELECT w.broadcast_id FROM broadcast_claims AS w WHERE w.organization_id = ${id})
      ORDER BY b.id`
    return rows.map(({ claimedAt, doubtedAt, nextDueAt, toldAt, ...row }) => ({
      ...row,
      nextDueAt: utcOrNull(nextDueAt),
      doubtedAt: utcOrNull(doubtedAt),
      claimedAt: utcOrNull(claimedAt),
      toldAt: utcOrNull(toldAt)
    }))
  }),
  end: Effect.fnUntraced(function* (organization, id) {
    yield* sql`
      UPDATE broadcast_progress SET never_sent = never_sent + pending, pending = 0
      WHERE organization_id = ${organization.id} AND broadcast_id = ${id}`
  }),
  recallAll: Effect.fnUntraced(function* ({ id }) {
    const rows = yield* sql<{ readonly chatAccountId: ChatAccountId }>`
      WITH recalled AS (
        UPDATE broadcast_progress AS p SET has_recalled = TRUE FROM broadcasts AS b
        WHERE p.organization_id = ${id} AND b.organization_id = ${id} AND b.id = p.broadcast_id
          AND b.status IN ('sending', 'paused')
        RETURNING b.chat_account_id
      )
      SELECT DISTINCT chat_account_id AS "chatAccountId" FROM recalled WHERE chat_account_id IS NOT NULL`
    return rows.map(({ chatAccountId }) => chatAccountId)
  }),
  recall: Effect.fnUntraced(function* (organization, id, now, limit) {
    // Recipients are written before the statistics, as everywhere. A concurrent recall of all recipients waits for these and triggers another check.
    yield* sql`
      WITH put_off AS (
        SELECT r.seq FROM broadcast_recipients AS r
        WHERE r.organization_id = ${organization.id} AND r.broadcast_id = ${id} AND r.waits_until > ${stamp(now)}
          AND r.postponed_until = r.waits_until
        ORDER BY r.seq LIMIT ${limit} FOR UPDATE
      ), changed AS (
        UPDATE broadcast_recipients AS r SET due_at = ${stamp(now)} FROM put_off
        WHERE r.organization_id = ${organization.id} AND r.broadcast_id = ${id} AND r.seq = put_off.seq
        RETURNING r.seq
      )
      UPDATE broadcast_progress AS p SET has_recalled = (SELECT count(*) FROM changed) >= ${limit}
      WHERE p.organization_id = ${organization.id} AND p.broadcast_id = ${id}`
  }),
  isStopped: Effect.fnUntraced(function* (organization, id) {
    const [row] = yield* sql<{ readonly isStopped: boolean }>`
      SELECT p.stopped_at IS NOT NULL OR NOT EXISTS (
        SELECT FROM broadcast_claims AS w WHERE w.organization_id = ${organization.id} AND w.broadcast_id = ${id}
      ) AS "isStopped"
      FROM broadcast_progress AS p WHERE p.organization_id = ${organization.id} AND p.broadcast_id = ${id}`
    return row?.isStopped ?? true
  }),
  stop: Effect.fnUntraced(function* (organization, id, fence, at) {
    yield* sql`
      UPDATE broadcast_progress SET stopped_at = ${stamp(at)}
      WHERE organization_id = ${organization.id} AND broadcast_id = ${id} AND fence <= ${fence}::bigint`
  }),
  wait: Effect.fnUntraced(function* (organization, id, waiting) {
    yield* sql`
      UPDATE broadcasts SET waiting = ${PgTypes.json(encodeWaiting(waiting))}
      WHERE organization_id = ${organization.id} AND id = ${id}`
  }),
  tell: Effect.fnUntraced(function* (organization, id, at) {
    yield* sql`
      UPDATE broadcast_progress SET progress_reported_at = ${stamp(at)}
      WHERE organization_id = ${organization.id} AND broadcast_id = ${id}`
  })
})

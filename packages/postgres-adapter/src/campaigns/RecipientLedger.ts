import {
  type ActiveBroadcast,
  type BroadcastId,
  BroadcastWaiting,
  type Candidate,
  type ContactId,
  CurrentOrganization,
  hasEnded,
  ListChanged,
  type ListedRecipient,
  type OrganizationId,
  RecipientLedger,
  type RecipientResult
} from "@parley/domain"
import { PgTypes } from "@effect/sql-pg"
import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { asWritten, type Instant, stamp, utcOrNull } from "../kernel/columns.ts"
import { driverFailuresDie } from "../kernel/defects.ts"
import { isAmong } from "./isAmong.ts"

interface CandidateRow extends Omit<Candidate, "dueAt" | "address"> {
  readonly dueAt: Instant | null
  readonly addressKind: NonNullable<Candidate["address"]>["kind"] | null
  readonly address: string | null
}

interface ActiveRow extends Omit<ActiveBroadcast, "nextDueAt" | "doubtedAt" | "claimedAt" | "toldAt"> {
  readonly nextDueAt: Instant | null
  readonly doubtedAt: Instant | null
  readonly claimedAt: Instant | null
  readonly toldAt: Instant | null
}

const encodeWaiting = Schema.encodeSync(Schema.NullOr(BroadcastWaiting), asWritten)

const candidateOf = ({ address, addressKind, dueAt, ...row }: CandidateRow): Candidate => ({
  ...row,
  address: addressKind === null || address === null ? null : { kind: addressKind, value: address },
  dueAt: utcOrNull(dueAt)
})

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

const resultRow =
  (untried: "never_sent" | "waiting") =>
  ({ at, outcome, seq, windowId }: RecipientResult) => ({
    window_id: windowId,
    seq,
    status: outcome.kind === "pending" ? untried : outcome.kind,
    at: written(at),
    provider_message_id: outcome.kind === "sent" ? outcome.providerMessageId : null,
    error: outcome.kind === "failed" ? outcome.error : null,
    due_at: outcome.kind === "pending" ? written(outcome.dueAt) : null,
    counts: outcome.kind === "pending" && !outcome.counts ? 0 : 1
  })

export const layer = Layer.effect(
  RecipientLedger,
  Effect.map(SqlClient.SqlClient, (sql) => {
    /** Nobody pauses or ends the broadcast until the unit of work ends. */
    const hold = Effect.fnUntraced(function* (id: BroadcastId) {
      const organization = yield* CurrentOrganization
      const [row] = yield* sql<{ readonly status: ActiveBroadcast["status"]; readonly revision: number }>`
        SELECT status, list_revision AS revision FROM broadcasts
        WHERE organization_id = ${organization.id} AND id = ${id} FOR KEY SHARE`
      return row ?? null
    })

    /** Whether the contact has another place on the list that is further. It is looked for where contacts were merged only. */
    const isSecond = (organizationId: OrganizationId, id: BroadcastId) => sql`EXISTS (
      SELECT FROM broadcast_recipients AS h WHERE h.organization_id = ${organizationId} AND h.broadcast_id = ${id}
        AND h.contact_id = r.contact_id AND h.handed_by IS NOT NULL
    ) AND EXISTS (
      SELECT FROM broadcast_recipients AS o WHERE o.organization_id = ${organizationId} AND o.broadcast_id = ${id}
        AND o.contact_id = r.contact_id AND o.seq <> r.seq AND o.status NOT IN ('excluded', 'never_sent') AND (
          o.status NOT IN ('pending', 'waiting') OR o.seq < r.seq OR EXISTS (
            SELECT FROM broadcast_windows AS w
            WHERE w.organization_id = ${organizationId} AND w.broadcast_id = ${id} AND o.seq = ANY(w.seqs))))`

    return RecipientLedger.of({
      list: Effect.fnUntraced(function* (id, recipients) {
        const organization = yield* CurrentOrganization
        yield* sql`
          WITH place AS (
            SELECT listed FROM broadcast_progress
            WHERE organization_id = ${organization.id} AND broadcast_id = ${id} FOR UPDATE
          ), added AS (
            INSERT INTO broadcast_recipients (organization_id, broadcast_id, seq, contact_id, address_kind, address, variant,
              status, due_at, reason)
            SELECT ${organization.id}, ${id}, place.listed + r.place, r.contact_id, r.address_kind, r.address,
              r.variant::"char", r.status, r.due_at, r.reason
            FROM place, json_to_recordset(${PgTypes.json(recipients.map(listedRow))}) AS r (place integer, contact_id uuid,
              address_kind text, address text, variant text, status text, due_at timestamptz, reason text)
            RETURNING status
          ), counts AS (
            SELECT count(*) AS matched, count(*) FILTER (WHERE status IN ('pending', 'waiting')) AS pending,
              count(*) FILTER (WHERE status = 'excluded') AS excluded, count(*) FILTER (WHERE status = 'held_out') AS held_out
            FROM added
          )
          UPDATE broadcast_progress AS p SET matched = p.matched + c.matched, pending = p.pending + c.pending,
            excluded = p.excluded + c.excluded, held_out = p.held_out + c.held_out, listed = p.listed + c.matched
          FROM counts AS c WHERE p.organization_id = ${organization.id} AND p.broadcast_id = ${id}`
      }, driverFailuresDie),
      active: Effect.fnUntraced(function* (account) {
        const { id } = yield* CurrentOrganization
        const rows = yield* sql<ActiveRow>`
          SELECT b.id AS "broadcastId", b.status, b.version, b.frozen_at IS NOT NULL AS "isFrozen", p.listed, p.mark,
            p.doubted_at AS "doubtedAt", p.claimed_at AS "claimedAt", p.told_at AS "toldAt",
            (SELECT r.waits_until FROM broadcast_recipients AS r
              WHERE r.organization_id = ${id} AND r.broadcast_id = b.id AND r.waits_until IS NOT NULL AND NOT EXISTS (
                SELECT FROM broadcast_windows AS w
                WHERE w.organization_id = ${id} AND w.broadcast_id = b.id AND r.seq = ANY(w.seqs))
              ORDER BY r.waits_until LIMIT 1) AS "nextDueAt",
            json_build_object('matched', p.matched, 'pending', p.pending, 'inFlight', p.in_flight, 'inDoubt', p.in_doubt,
              'sent', p.sent, 'delivered', p.delivered, 'read', p.read, 'failed', p.failed, 'excluded', p.excluded,
              'heldOut', p.held_out, 'neverSent', p.never_sent) AS stats
          FROM broadcasts AS b
          JOIN broadcast_progress AS p ON p.organization_id = ${id} AND p.broadcast_id = b.id
          WHERE b.organization_id = ${id} AND b.chat_account_id = ${account} AND b.id IN (
            SELECT a.id FROM broadcasts AS a
            WHERE a.organization_id = ${id} AND a.chat_account_id = ${account}
              AND a.status IN ('scheduled', 'sending', 'paused')
            UNION SELECT w.broadcast_id FROM broadcast_windows AS w WHERE w.organization_id = ${id})
          ORDER BY b.id`
        return rows.map(({ claimedAt, doubtedAt, nextDueAt, toldAt, ...row }) => ({
          ...row,
          nextDueAt: utcOrNull(nextDueAt),
          doubtedAt: utcOrNull(doubtedAt),
          claimedAt: utcOrNull(claimedAt),
          toldAt: utcOrNull(toldAt)
        }))
      }, driverFailuresDie),
      next: Effect.fnUntraced(function* (id, { limit, now }) {
        const organization = yield* CurrentOrganization
        const columns = sql`r.seq, r.contact_id AS "contactId", r.address_kind AS "addressKind", r.address,
          r.variant::text AS variant, r.due_at AS "dueAt", r.attempts, ${isSecond(organization.id, id)} AS "isSecond"`
        // The revision is read first: what is read after it may be newer, and is never older.
        const [[progress], waiting] = yield* Effect.all([
          sql<{ readonly mark: number; readonly listed: number; readonly revision: number }>`
            SELECT p.mark, p.listed, b.list_revision AS revision FROM broadcasts AS b
            JOIN broadcast_progress AS p ON p.organization_id = ${organization.id} AND p.broadcast_id = b.id
            WHERE b.organization_id = ${organization.id} AND b.id = ${id}`,
          sql<CandidateRow>`
            SELECT ${columns} FROM broadcast_recipients AS r
            WHERE r.organization_id = ${organization.id} AND r.broadcast_id = ${id}
              AND r.waits_until <= ${stamp(now)} AND NOT EXISTS (
                SELECT FROM broadcast_windows AS w
                WHERE w.organization_id = ${organization.id} AND w.broadcast_id = ${id} AND r.seq = ANY(w.seqs))
            ORDER BY r.waits_until, r.seq LIMIT ${limit}`
        ])
        const { listed, mark, revision } = progress ?? { listed: 0, mark: 0, revision: 0 }
        const room = limit - waiting.length
        const fresh =
          room === 0 || mark >= listed
            ? []
            : yield* sql<CandidateRow>`
                SELECT ${columns} FROM broadcast_recipients AS r
                WHERE r.organization_id = ${organization.id} AND r.broadcast_id = ${id} AND r.seq > ${mark}
                  AND r.seq <= ${listed} AND r.status = 'pending'
                ORDER BY r.seq LIMIT ${room}`
        return {
          candidates: [...waiting, ...fresh].map(candidateOf),
          mark: fresh.length < room ? listed : (fresh.at(-1)?.seq ?? mark),
          revision
        }
      }, driverFailuresDie),
      capped: Effect.fnUntraced(function* (contactIds, caps, now) {
        const organization = yield* CurrentOrganization
        const rows = yield* Effect.forEach(
          caps,
          ({ days, max, of }) => sql<{ readonly id: ContactId }>`
            SELECT c.id FROM unnest(${Array.from(contactIds)}::uuid[]) AS c (id)
            WHERE (
              SELECT count(*) FROM broadcast_recipients AS r
              WHERE r.organization_id = ${organization.id} AND r.contact_id = c.id
                AND r.broadcast_id = ANY(${Array.from(of)}::uuid[]) AND r.status IN ('in_doubt', 'sent', 'delivered', 'read')
                AND r.called_at > ${stamp(now)}::timestamptz - make_interval(days => ${days}::integer)
            ) + (
              SELECT count(*) FROM broadcast_windows AS w
              WHERE w.organization_id = ${organization.id} AND w.broadcast_id = ANY(${Array.from(of)}::uuid[])
                AND c.id = ANY(w.contact_ids)
            ) >= ${max}`
        )
        return new Set(rows.flat().map(({ id }) => id))
      }, driverFailuresDie),
      begin: Effect.fnUntraced(function* ({ excluded, mark, postponed, revision, window }) {
        const organization = yield* CurrentOrganization
        const { broadcastId: id, calls, claimedAt, fence, id: windowId } = window
        const [out, later] = [excluded.map(({ seq }) => seq), postponed.map(({ seq }) => seq)]
        const held = yield* hold(id)
        if (held?.status !== "sending") return false
        if (held.revision !== revision) return yield* new ListChanged()
        yield* sql`
          WITH out AS (
            UPDATE broadcast_recipients AS r SET status = 'excluded', reason = e.reason
            FROM unnest(${out}::integer[], ${excluded.map(({ reason }) => reason)}::text[]) AS e (seq, reason)
            WHERE r.organization_id = ${organization.id} AND r.broadcast_id = ${id} AND r.seq = e.seq
              AND ${isAmong(sql, [id], out)}
          ), later AS (
            UPDATE broadcast_recipients AS r SET status = 'waiting', due_at = e.due_at
            FROM unnest(${later}::integer[], ${postponed.map(({ dueAt }) => stamp(dueAt))}::timestamptz[])
              AS e (seq, due_at)
            WHERE r.organization_id = ${organization.id} AND r.broadcast_id = ${id} AND r.seq = e.seq
              AND ${isAmong(sql, [id], later)}
          ), kept AS (
            INSERT INTO broadcast_windows (organization_id, broadcast_id, id, fence, seqs, contact_ids, "values", claimed_at)
            SELECT ${organization.id}, ${id}, ${windowId}, ${fence}::bigint, ${calls.map(({ seq }) => seq)}::integer[],
              ${calls.map(({ contactId }) => contactId)}::uuid[],
              ${PgTypes.json(Object.fromEntries(calls.map(({ seq, values }) => [seq, values])))}, ${stamp(claimedAt)}
            WHERE ${calls.length} > 0
          )
          UPDATE broadcast_progress SET mark = greatest(mark, ${mark}), pending = pending - ${calls.length + excluded.length},
            in_flight = in_flight + ${calls.length}, stopped_at = NULL,
            claimed_at = ${calls.length > 0 ? sql`${stamp(claimedAt)}::timestamptz` : sql`claimed_at`}, excluded = excluded + ${excluded.length}
          WHERE organization_id = ${organization.id} AND broadcast_id = ${id}`
        return true
      }, driverFailuresDie),
      settle: Effect.fnUntraced(function* (id, results) {
        if (results.length === 0) return
        const organization = yield* CurrentOrganization
        const held = yield* hold(id)
        const untried = held === null || hasEnded(held.status) ? "never_sent" : "waiting"
        yield* sql`
          WITH windows AS (
            SELECT id, seqs, contact_ids, "values", claimed_at FROM broadcast_windows
            WHERE organization_id = ${organization.id} AND broadcast_id = ${id}
              AND id = ANY(${Array.from(new Set(results.map(({ windowId }) => windowId)))}::uuid[])
            ORDER BY id FOR UPDATE
          ), told AS (
            SELECT t.*, w."values" -> t.seq::text AS sent_values, w.claimed_at
            FROM json_to_recordset(${PgTypes.json(results.map(resultRow(untried)))}) AS t (window_id uuid, seq integer,
              status text, at timestamptz, provider_message_id text, error json, due_at timestamptz, counts integer)
            JOIN windows AS w ON w.id = t.window_id AND t.seq = ANY(w.seqs)
          ), changed AS (
            UPDATE broadcast_recipients AS r SET status = t.status, attempts = r.attempts + t.counts,
              provider_message_id = coalesce(t.provider_message_id, r.provider_message_id),
              error = coalesce(t.error, r.error), due_at = coalesce(t.due_at, r.due_at),
              "values" = CASE WHEN t.status IN ('sent', 'failed', 'in_doubt') THEN t.sent_values ELSE r."values" END,
              called_at = CASE WHEN t.status IN ('sent', 'failed', 'in_doubt') THEN t.claimed_at ELSE r.called_at END,
              sent_at = CASE WHEN t.status = 'sent' THEN t.at ELSE r.sent_at END,
              failed_at = CASE WHEN t.status = 'failed' THEN t.at ELSE r.failed_at END
            FROM told AS t
            WHERE r.organization_id = ${organization.id} AND r.broadcast_id = ${id} AND r.seq = t.seq
              AND ${isAmong(
                sql,
                [id],
                results.map(({ seq }) => seq)
              )}
            RETURNING t.status, t.at
          ), counts AS (
            SELECT count(*) AS all_of_them, count(*) FILTER (WHERE status = 'sent') AS sent,
              count(*) FILTER (WHERE status = 'failed') AS failed, count(*) FILTER (WHERE status = 'in_doubt') AS in_doubt,
              count(*) FILTER (WHERE status = 'waiting') AS pending,
              count(*) FILTER (WHERE status = 'never_sent') AS never_sent,
              max(at) FILTER (WHERE status = 'in_doubt') AS doubted_at
            FROM changed
          ), remaining AS (
            SELECT w.id, array_agg(c.seq ORDER BY c.seq) AS seqs, array_agg(c.contact_id ORDER BY c.seq) AS contact_ids
            FROM windows AS w, unnest(w.seqs, w.contact_ids) AS c (seq, contact_id)
            WHERE NOT EXISTS (SELECT FROM told AS t WHERE t.window_id = w.id AND t.seq = c.seq)
            GROUP BY w.id
          ), shrunk AS (
            UPDATE broadcast_windows AS w SET seqs = r.seqs, contact_ids = r.contact_ids FROM remaining AS r
            WHERE w.organization_id = ${organization.id} AND w.broadcast_id = ${id} AND w.id = r.id
          ), over AS (
            DELETE FROM broadcast_windows AS w
            WHERE w.organization_id = ${organization.id} AND w.broadcast_id = ${id}
              AND w.id IN (SELECT id FROM windows EXCEPT SELECT id FROM remaining)
          )
          UPDATE broadcast_progress AS p SET in_flight = p.in_flight - c.all_of_them, sent = p.sent + c.sent,
            failed = p.failed + c.failed, in_doubt = p.in_doubt + c.in_doubt, pending = p.pending + c.pending,
            never_sent = p.never_sent + c.never_sent, doubted_at = greatest(p.doubted_at, c.doubted_at)
          FROM counts AS c WHERE p.organization_id = ${organization.id} AND p.broadcast_id = ${id} AND c.all_of_them > 0`
      }, driverFailuresDie),
      takeOver: Effect.fnUntraced(function* (account, fence, now) {
        const { id } = yield* CurrentOrganization
        const lost = yield* sql<{
          readonly broadcastId: BroadcastId
          readonly windowId: string
          readonly seqs: Array<number>
        }>`
          SELECT w.broadcast_id AS "broadcastId", w.id AS "windowId", w.seqs
          FROM broadcast_windows AS w JOIN broadcasts AS b ON b.organization_id = ${id} AND b.id = w.broadcast_id
          WHERE w.organization_id = ${id} AND b.chat_account_id = ${account} AND w.fence < ${fence}::bigint
          ORDER BY w.broadcast_id, w.id FOR UPDATE OF w`
        let count = 0
        for (const [broadcastId, windows = []] of Map.groupBy(lost, (window) => window.broadcastId)) {
          const seqs = windows.flatMap((window) => window.seqs)
          yield* sql`
            WITH lost AS (
              DELETE FROM broadcast_windows AS w
              WHERE w.organization_id = ${id} AND w.broadcast_id = ${broadcastId}
                AND w.id = ANY(${windows.map(({ windowId }) => windowId)}::uuid[])
              RETURNING w.seqs, w."values", w.claimed_at
            ), changed AS (
              UPDATE broadcast_recipients AS r SET status = 'in_doubt', attempts = r.attempts + 1,
                "values" = l."values" -> r.seq::text, called_at = l.claimed_at
              FROM lost AS l
              WHERE r.organization_id = ${id} AND r.broadcast_id = ${broadcastId} AND r.seq = ANY(l.seqs)
                AND ${isAmong(sql, [broadcastId], seqs)}
            )
            UPDATE broadcast_progress AS p SET in_flight = p.in_flight - ${seqs.length},
              in_doubt = p.in_doubt + ${seqs.length}, doubted_at = greatest(p.doubted_at, ${stamp(now)}::timestamptz)
            WHERE p.organization_id = ${id} AND p.broadcast_id = ${broadcastId}`
          count += seqs.length
        }
        return count
      }, driverFailuresDie),
      end: Effect.fnUntraced(function* (id) {
        const organization = yield* CurrentOrganization
        yield* sql`
          UPDATE broadcast_progress SET never_sent = never_sent + pending, pending = 0
          WHERE organization_id = ${organization.id} AND broadcast_id = ${id}`
      }, driverFailuresDie),
      isStopped: Effect.fnUntraced(function* (id) {
        const organization = yield* CurrentOrganization
        const [row] = yield* sql<{ readonly isStopped: boolean }>`
          SELECT p.stopped_at IS NOT NULL OR NOT EXISTS (
            SELECT FROM broadcast_windows AS w WHERE w.organization_id = ${organization.id} AND w.broadcast_id = ${id}
          ) AS "isStopped"
          FROM broadcast_progress AS p WHERE p.organization_id = ${organization.id} AND p.broadcast_id = ${id}`
        return row?.isStopped ?? true
      }, driverFailuresDie),
      stop: Effect.fnUntraced(function* (id, at) {
        const organization = yield* CurrentOrganization
        yield* sql`
          UPDATE broadcast_progress SET stopped_at = ${stamp(at)}
          WHERE organization_id = ${organization.id} AND broadcast_id = ${id}`
      }, driverFailuresDie),
      wait: Effect.fnUntraced(function* (id, waiting) {
        const organization = yield* CurrentOrganization
        yield* sql`
          UPDATE broadcasts SET waiting = ${PgTypes.json(encodeWaiting(waiting))}
          WHERE organization_id = ${organization.id} AND id = ${id}`
      }, driverFailuresDie),
      tell: Effect.fnUntraced(function* (id, at) {
        const organization = yield* CurrentOrganization
        yield* sql`
          UPDATE broadcast_progress SET told_at = ${stamp(at)}
          WHERE organization_id = ${organization.id} AND broadcast_id = ${id}`
      }, driverFailuresDie)
    })
  })
)

import type { OrganizationId } from "@parley/domain/kernel"
import {
  type NextClaimResult,
  type BroadcastId,
  type Claim,
  ListChanged,
  type RecipientLedger
} from "@parley/domain/campaigns"
import { PgTypes } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { stamp } from "../../kernel/columns.ts"
import { uuids } from "../../kernel/uuids.ts"
import type { Organization, TenantMethods } from "../../kernel/tenantPort.ts"
import { isOwned } from "../../platform/background/isOwned.ts"
import { isAmong } from "../isAmong.ts"
import { movesOf, tally } from "../tallies.ts"
import { type CandidateRow, candidatesSql, foundOf } from "./candidates.ts"
import { settled, settledStats } from "./settling.ts"

interface HeldRow {
  readonly status: string
  readonly revision: number
}

interface AdvancedRow extends HeldRow, Partial<CandidateRow> {
  readonly begun: boolean
  readonly isFenced: boolean
  readonly listed: number
}

/** Stored window of a claim. */
const keptWindow = (
  sql: SqlClient.SqlClient,
  organizationId: OrganizationId,
  { calls, claimedAt, fence, id, broadcastId }: Claim["window"],
  when: Statement.Fragment
) => sql`
  INSERT INTO broadcast_claims (organization_id, broadcast_id, id, fence, seqs, contact_ids, "values", claimed_at)
  SELECT ${organizationId}, ${broadcastId}, ${id}, ${fence}::bigint, ${calls.map(({ seq }) => seq)}::integer[],
    ${uuids(calls.map(({ contactId }) => contactId))}::uuid[],
    ${PgTypes.json(Object.fromEntries(calls.map(({ seq, values }) => [seq, values])))}, ${stamp(claimedAt)} ${when}`

const excludedMoves = (sql: SqlClient.SqlClient) =>
  movesOf(
    sql,
    sql`SELECT o.broadcast_id, o.variant, 'excluded' AS status, o.reason AS cause, 'pending' AS was, '' AS was_cause,
      o.replied_at IS NOT NULL AS replied, o.opted_out_at IS NOT NULL AS opted_out FROM out AS o`
  )

type Claims = TenantMethods<Pick<RecipientLedger["Service"], "begin" | "advance">>

/** Claims recipients. */
export const claims = (sql: SqlClient.SqlClient): Claims => {
  /** No other transaction can pause or end the broadcast until the unit of work ends. */
  const hold = Effect.fnUntraced(function* (organization: Organization, id: BroadcastId) {
    const [row] = yield* sql<HeldRow>`
      SELECT status, list_revision AS revision FROM broadcasts
      WHERE organization_id = ${organization.id} AND id = ${id} FOR KEY SHARE`
    return row ?? null
  })

  return {
    begin: Effect.fnUntraced(function* (organization, { excluded, mark, postponed, revision, window }) {
      const { broadcastId: id, calls, claimedAt } = window
      const [out, later] = [excluded.map(({ seq }) => seq), postponed.map(({ seq }) => seq)]
      const held = yield* hold(organization, id)
      if (held?.status !== "sending") return false
      if (held.revision !== revision) return yield* new ListChanged()
      yield* sql`
        WITH out AS (
          UPDATE broadcast_recipients AS r SET status = 'excluded', reason = e.reason
          FROM unnest(${out}::integer[], ${excluded.map(({ reason }) => reason)}::text[]) AS e (seq, reason)
          WHERE r.organization_id = ${organization.id} AND r.broadcast_id = ${id} AND r.seq = e.seq
            AND ${isAmong(sql, [id], out)}
          RETURNING r.broadcast_id, r.variant, r.reason, r.replied_at, r.opted_out_at
        ), later AS (
          UPDATE broadcast_recipients AS r SET status = 'waiting', due_at = e.due_at, postponed_until = e.due_at
          FROM unnest(${later}::integer[], ${postponed.map(({ dueAt }) => stamp(dueAt))}::timestamptz[])
            AS e (seq, due_at)
          WHERE r.organization_id = ${organization.id} AND r.broadcast_id = ${id} AND r.seq = e.seq
            AND ${isAmong(sql, [id], later)}
        ), kept AS (${keptWindow(sql, organization.id, window, sql`WHERE ${calls.length} > 0`)}
        ), tallied AS (${tally(sql, organization.id, excludedMoves(sql))})
        UPDATE broadcast_progress SET list_position = greatest(list_position, ${mark}), pending = pending - ${calls.length + excluded.length},
          in_flight = in_flight + ${calls.length}, stopped_at = NULL,
          claimed_at = ${calls.length > 0 ? sql`${stamp(claimedAt)}::timestamptz` : sql`claimed_at`}, excluded = excluded + ${excluded.length}
        WHERE organization_id = ${organization.id} AND broadcast_id = ${id}`
      return true
    }),
    advance: Effect.fnUntraced(function* (
      { id: organizationId },
      { ahead, contacts, lane, mark, results, revision, window }
    ) {
      const { broadcastId: id, calls, claimedAt, fence } = window
      const own = sql`s.organization_id = ${organizationId} AND s.broadcast_id = ${id}`
      const from = {
        // Recipients of a window are before the stored mark, independent of the claim.
        mark: sql`(SELECT greatest(s.list_position, ${mark}::integer) FROM broadcast_progress AS s WHERE ${own})`,
        listed: sql`(SELECT s.list_size FROM broadcast_progress AS s WHERE ${own})`,
        except: calls.map(({ seq }) => seq)
      }
      const amount = sql`CASE WHEN g.may AND p.fence <= ${fence}::bigint THEN ${calls.length}::integer ELSE 0 END`
      const [...rows] = yield* sql<AdvancedRow>`
        WITH ${settled(sql, organizationId, id, results)}, gate AS MATERIALIZED (
          SELECT h.status, h.revision, ${isOwned(sql, lane)} AS "isOwned",
            h.status = 'sending' AND h.revision = ${revision} AND ${isOwned(sql, lane)} AND (
              SELECT count(*) FROM unnest(${uuids(contacts.map((contact) => contact.id))}::uuid[], ${contacts.map(({ version }) => version)}::integer[])
                AS known (id, version)
              JOIN contacts AS k ON k.organization_id = ${organizationId} AND k.id = known.id AND k.version = known.version
            ) = ${contacts.length} AS may
          FROM held AS h
        ), moved AS (
          UPDATE broadcast_progress AS p SET in_flight = p.in_flight - c.all_of_them + ${amount},
            pending = p.pending + c.pending - ${amount}, ${settledStats(sql)},
            list_position = CASE WHEN g.may AND p.fence <= ${fence}::bigint THEN greatest(p.list_position, ${mark})
              ELSE p.list_position END,
            stopped_at = CASE WHEN g.may AND p.fence <= ${fence}::bigint THEN NULL ELSE p.stopped_at END,
            claimed_at = CASE WHEN g.may AND p.fence <= ${fence}::bigint THEN ${stamp(claimedAt)}::timestamptz ELSE p.claimed_at END,
            fence = CASE WHEN g.may THEN greatest(p.fence, ${fence}::bigint) ELSE p.fence END
          FROM counts AS c, gate AS g
          WHERE p.organization_id = ${organizationId} AND p.broadcast_id = ${id}
          RETURNING g.status, g.revision, g.may AND p.fence = ${fence}::bigint AS begun,
            NOT g."isOwned" OR p.fence > ${fence}::bigint AS "isFenced"
        ), kept AS (${keptWindow(sql, organizationId, window, sql`FROM moved WHERE moved.begun`)})
        SELECT m.*, ${from.listed} AS listed, n.* FROM moved AS m
        LEFT JOIN (${candidatesSql(sql, organizationId, id, ahead, from)}) AS n ON m.begun`
      const [row] = rows
      if (row === undefined) return { outcome: "not_sending" } satisfies NextClaimResult
      if (row.begun) {
        const found = rows.flatMap(({ seq, ...each }) => (seq == null ? [] : [{ ...each, seq } as CandidateRow]))
        return {
          outcome: "begun",
          ahead: foundOf(found, { mark, listed: row.listed, revision }, ahead.limit)
        } satisfies NextClaimResult
      }
      if (row.isFenced) return { outcome: "lease_lost" } satisfies NextClaimResult
      return { outcome: row.status === "sending" ? "list_changed" : "not_sending" } satisfies NextClaimResult
    })
  }
}

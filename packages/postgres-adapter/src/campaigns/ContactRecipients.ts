import type { ContactId, ContactMergeId } from "@parley/domain/crm"
import type { ChatAccountId } from "@parley/domain/messaging"
import {
  type BroadcastId,
  type RecipientCountChange,
  type ContactRecipient,
  ContactRecipients,
  recipientIdAt,
  type RecipientEntry,
  recipientPrefix
} from "@parley/domain/campaigns"
import { type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { mergesBefore } from "../crm/mergesBefore.ts"
import { type Instant, stamp, utc, utcOrNull } from "../kernel/columns.ts"
import { type Organization, tenantPort } from "../kernel/tenantPort.ts"
import { movesOf, shareOf, tally } from "./tallies.ts"
import { recipientColumns, recipientOf, type RecipientRow } from "./recipientRow.ts"

interface EntryRow extends Pick<RecipientEntry, "broadcastId" | "name" | "status"> {
  readonly seq: number
  readonly at: Instant
  readonly repliedAt: Instant | null
  readonly optedOutAt: Instant | null
}

interface ChangedList {
  readonly id: BroadcastId
  readonly chatAccountId: ChatAccountId | null
}

interface HeldRow extends RecipientRow, Pick<ContactRecipient, "broadcastId" | "broadcastName" | "values"> {}

const entryOf = ({ at, broadcastId, name, optedOutAt, repliedAt, seq, status }: EntryRow): RecipientEntry => ({
  kind: "broadcast",
  id: broadcastId,
  at: utc(at),
  broadcastId,
  recipientId: recipientIdAt(recipientPrefix(broadcastId), seq),
  name,
  status,
  repliedAt: utcOrNull(repliedAt),
  optedOutAt: utcOrNull(optedOutAt)
})

const heldOf = ({ broadcastId, broadcastName, values, ...row }: HeldRow): ContactRecipient => {
  const { contactId: _contactId, seq: _seq, ...recipient } = recipientOf(broadcastId, row)
  return { ...recipient, broadcastId, broadcastName, values }
}

export const layer = Layer.effect(
  ContactRecipients,
  Effect.map(SqlClient.SqlClient, (sql) => {
    /**
     * Locks the broadcasts that list these contacts or can list them, and that can still send. A freeze or a claim waits until the unit of work ends,
     * and its earlier reads of the list become invalid.
     */
    const lockLists = Effect.fnUntraced(function* ({ id }: Organization, contactIds: ReadonlyArray<ContactId>) {
      const rows = yield* sql<{ readonly id: BroadcastId }>`
        WITH locked AS (
          SELECT b.id FROM broadcasts AS b
          WHERE b.organization_id = ${id} AND b.status IN ('sending', 'paused') AND (b.frozen_at IS NULL OR EXISTS (
            SELECT FROM broadcast_recipients AS r
            WHERE r.organization_id = ${id} AND r.contact_id = ANY(${contactIds}::uuid[]) AND r.broadcast_id = b.id))
          ORDER BY b.id FOR UPDATE
        )
        UPDATE broadcasts AS b SET list_revision = b.list_revision + 1 FROM locked AS l
        WHERE b.organization_id = ${id} AND b.id = l.id
        RETURNING b.id`
      return rows.map((row) => row.id)
    })

    /** Locks windows first, then recipients by place, in the same order as the storing of results. */
    const lockRecipients = Effect.fnUntraced(function* ({ id }: Organization, contactIds: ReadonlyArray<ContactId>) {
      yield* sql`
        SELECT FROM broadcast_claims WHERE organization_id = ${id} AND contact_ids && ${contactIds}::uuid[]
        ORDER BY broadcast_id, id FOR UPDATE`
      yield* sql`
        SELECT FROM broadcast_recipients WHERE organization_id = ${id} AND contact_id = ANY(${contactIds}::uuid[])
        ORDER BY broadcast_id, seq FOR UPDATE`
    })

    /** Updates the windows to the new contacts of their recipients. */
    const renameInHand = Effect.fnUntraced(function* ({ id }: Organization, contactIds: ReadonlyArray<ContactId>) {
      yield* sql`
        UPDATE broadcast_claims AS w SET contact_ids = (
          SELECT array_agg(r.contact_id ORDER BY r.seq) FROM broadcast_recipients AS r
          WHERE r.organization_id = ${id} AND r.broadcast_id = w.broadcast_id AND r.seq = ANY(w.seqs)),
          seqs = (SELECT array_agg(s.seq ORDER BY s.seq) FROM unnest(w.seqs) AS s (seq))
        WHERE w.organization_id = ${id} AND w.contact_ids && ${contactIds}::uuid[]`
    })

    /** Excludes duplicate places of a contact on one list. Waiting places give way to a started or held-out one, otherwise to the contact's own. */
    const excludeSeconds = Effect.fnUntraced(function* (
      { id }: Organization,
      contactId: ContactId,
      mergeId: ContactMergeId,
      broadcastIds: ReadonlyArray<BroadcastId>
    ) {
      return yield* sql<RecipientCountChange>`
        WITH places AS (
          SELECT r.broadcast_id, r.seq, r.status IN ('pending', 'waiting') AND w.seq IS NULL AS waits,
            COALESCE(r.transferred_by @> ARRAY[${mergeId}]::uuid[], FALSE) AS has_come
          FROM broadcast_recipients AS r
          LEFT JOIN (SELECT broadcast_id, unnest(seqs) AS seq FROM broadcast_claims
            WHERE organization_id = ${id}) AS w ON w.broadcast_id = r.broadcast_id AND w.seq = r.seq
          WHERE r.organization_id = ${id} AND r.contact_id = ${contactId} AND r.broadcast_id = ANY(${broadcastIds}::uuid[])
            AND r.status NOT IN ('excluded', 'never_sent')
        ), ranked AS (
          SELECT p.*, row_number() OVER (PARTITION BY p.broadcast_id ORDER BY p.waits, p.has_come, p.seq) AS turn
          FROM places AS p
        ), seconds AS (
          UPDATE broadcast_recipients AS r SET status = 'excluded', reason = 'duplicate' FROM ranked AS k
          WHERE r.organization_id = ${id} AND r.broadcast_id = k.broadcast_id AND r.seq = k.seq AND k.waits AND k.turn > 1
          RETURNING ${shareOf(sql)}, 'pending' AS was, '' AS was_cause, r.replied_at IS NOT NULL AS replied,
            r.opted_out_at IS NOT NULL AS opted_out
        ), tallied AS (${tally(sql, id, movesOf(sql, sql`SELECT * FROM seconds`))}
        ), counts AS (
          SELECT broadcast_id, count(*)::integer AS count FROM seconds GROUP BY broadcast_id
        ), locked AS (
          SELECT p.broadcast_id FROM broadcast_progress AS p
          WHERE p.organization_id = ${id} AND p.broadcast_id IN (SELECT broadcast_id FROM counts)
          ORDER BY p.broadcast_id FOR UPDATE
        )
        UPDATE broadcast_progress AS p SET pending = p.pending - c.count, excluded = p.excluded + c.count FROM counts AS c
        WHERE p.organization_id = ${id} AND p.broadcast_id = c.broadcast_id
          AND p.broadcast_id IN (SELECT broadcast_id FROM locked)
        RETURNING p.broadcast_id AS "broadcastId", c.count`
    })

    /** If all kept places of a contact are deleted, the first of its other places waits again. */
    const letGoOn = Effect.fnUntraced(function* (
      { id }: Organization,
      contactIds: ReadonlyArray<ContactId>,
      broadcastIds: ReadonlyArray<BroadcastId>,
      now: DateTime.Utc
    ) {
      return yield* sql<RecipientCountChange>`
        WITH firsts AS (
          SELECT DISTINCT ON (r.broadcast_id, r.contact_id) r.broadcast_id, r.seq FROM broadcast_recipients AS r
          WHERE r.organization_id = ${id} AND r.contact_id = ANY(${contactIds}::uuid[])
            AND r.broadcast_id = ANY(${broadcastIds}::uuid[]) AND r.status = 'excluded' AND r.reason = 'duplicate'
            AND NOT EXISTS (
              SELECT FROM broadcast_recipients AS o
              WHERE o.organization_id = ${id} AND o.contact_id = r.contact_id AND o.broadcast_id = r.broadcast_id
                AND o.status NOT IN ('excluded', 'never_sent'))
          ORDER BY r.broadcast_id, r.contact_id, r.transferred_by IS NOT NULL, r.seq
        ), changed AS (
          UPDATE broadcast_recipients AS r SET status = 'waiting', reason = NULL, due_at = COALESCE(r.due_at, ${stamp(now)})
          FROM firsts AS f
          WHERE r.organization_id = ${id} AND r.broadcast_id = f.broadcast_id AND r.seq = f.seq
          RETURNING ${shareOf(sql)}, 'excluded' AS was, 'duplicate' AS was_cause, r.replied_at IS NOT NULL AS replied,
            r.opted_out_at IS NOT NULL AS opted_out
        ), tallied AS (${tally(sql, id, movesOf(sql, sql`SELECT * FROM changed`))}
        ), counts AS (
          SELECT broadcast_id, count(*)::integer AS count FROM changed GROUP BY broadcast_id
        ), locked AS (
          SELECT p.broadcast_id FROM broadcast_progress AS p
          WHERE p.organization_id = ${id} AND p.broadcast_id IN (SELECT broadcast_id FROM counts)
          ORDER BY p.broadcast_id FOR UPDATE
        )
        UPDATE broadcast_progress AS p SET pending = p.pending + c.count, excluded = p.excluded - c.count FROM counts AS c
        WHERE p.organization_id = ${id} AND p.broadcast_id = c.broadcast_id
          AND p.broadcast_id IN (SELECT broadcast_id FROM locked)
        RETURNING p.broadcast_id AS "broadcastId", c.count`
    })

    return tenantPort(ContactRecipients, {
      timeline: Effect.fnUntraced(function* ({ id }, contactId, { after, limit }) {
        const [at, broadcastId] = after ?? []
        const before =
          at === undefined || broadcastId === undefined
            ? sql``
            : sql`AND (r.sent_at, r.broadcast_id) < (${at}::timestamptz, ${broadcastId}::uuid)`
        const rows = yield* sql<EntryRow>`
          SELECT r.broadcast_id AS "broadcastId", r.seq, b.name, r.status, r.sent_at AS at, r.replied_at AS "repliedAt",
            r.opted_out_at AS "optedOutAt"
          FROM broadcast_recipients AS r
          JOIN broadcasts AS b ON b.organization_id = ${id} AND b.id = r.broadcast_id
          WHERE r.organization_id = ${id} AND r.contact_id = ${contactId} AND r.sent_at IS NOT NULL ${before}
          ORDER BY r.sent_at DESC, r.broadcast_id DESC LIMIT ${limit}`
        return rows.map(entryOf)
      }),
      list: Effect.fnUntraced(function* ({ id }, contactId, limit) {
        const rows = yield* sql<HeldRow>`
          SELECT r.broadcast_id AS "broadcastId", b.name AS "broadcastName", COALESCE(w."values", r."values") AS "values",
            ${sql.literal(recipientColumns)}
          FROM broadcast_recipients AS r
          JOIN broadcasts AS b ON b.organization_id = ${id} AND b.id = r.broadcast_id
          LEFT JOIN LATERAL (
            SELECT s.seq, k."values" -> s.seq::text AS "values" FROM broadcast_claims AS k, unnest(k.seqs) AS s (seq)
            WHERE k.organization_id = ${id} AND k.broadcast_id = r.broadcast_id AND s.seq = r.seq) AS w ON TRUE
          WHERE r.organization_id = ${id} AND r.contact_id = ${contactId}
          ORDER BY r.broadcast_id DESC, r.seq DESC LIMIT ${limit}`
        return rows.map(heldOf)
      }),
      handOver: Effect.fnUntraced(function* (organization, { from, mergeId, to }) {
        const { id } = organization
        const broadcastIds = yield* lockLists(organization, [from, to])
        yield* lockRecipients(organization, [from, to])
        yield* sql`
          UPDATE broadcast_recipients SET contact_id = ${to}, transferred_by = transferred_by || ${mergeId}::uuid
          WHERE organization_id = ${id} AND contact_id = ${from}`
        yield* renameInHand(organization, [from])
        yield* sql`
          UPDATE audience_snapshot_contacts AS k SET transferred_to = ${to}, transferred_by = k.transferred_by || ${mergeId}::uuid
          FROM audience_snapshots AS s
          WHERE s.organization_id = ${id} AND k.organization_id = ${id} AND k.snapshot_id = s.id
            AND k.contact_id = ${from} AND k.transferred_to IS NULL`
        yield* sql`
          UPDATE audience_snapshot_contacts SET transferred_to = ${to}, transferred_by = transferred_by || ${mergeId}::uuid
          WHERE organization_id = ${id} AND transferred_to = ${from}`
        return yield* excludeSeconds(organization, to, mergeId, broadcastIds)
      }),
      handBack: Effect.fnUntraced(function* (organization, { from, mergeId, to }, now) {
        const { id } = organization
        const broadcastIds = yield* lockLists(organization, [from, to])
        yield* lockRecipients(organization, [from, to])
        const before = mergesBefore(sql, mergeId)
        yield* sql`
          UPDATE broadcast_recipients SET contact_id = ${to}, transferred_by = nullif(${before}, '{}')
          WHERE organization_id = ${id} AND contact_id = ${from} AND transferred_by @> ARRAY[${mergeId}]::uuid[]`
        yield* renameInHand(organization, [from])
        yield* sql`
          UPDATE audience_snapshot_contacts SET transferred_to = nullif(${to}::uuid, contact_id), transferred_by = nullif(${before}, '{}')
          WHERE organization_id = ${id} AND transferred_to = ${from} AND transferred_by @> ARRAY[${mergeId}]::uuid[]`
        return yield* letGoOn(organization, [from, to], broadcastIds, now)
      }),
      recall: Effect.fnUntraced(function* ({ id }, contactIds, now) {
        const isWaiting = sql`r.organization_id = ${id} AND r.contact_id = ANY(${contactIds}::uuid[])
          AND r.waits_until > ${stamp(now)} AND (r.postponed_until = r.waits_until OR r.attempts = 0)`
        const rows = yield* sql<ChangedList>`
          WITH locked AS (
            SELECT b.id FROM broadcasts AS b
            WHERE b.organization_id = ${id} AND b.status IN ('sending', 'paused') AND b.id = ANY(ARRAY(
              SELECT r.broadcast_id FROM broadcast_recipients AS r WHERE ${isWaiting}))
            ORDER BY b.id FOR UPDATE
          )
          UPDATE broadcasts AS b SET list_revision = b.list_revision + 1 FROM locked AS l
          WHERE b.organization_id = ${id} AND b.id = l.id
          RETURNING b.id, b.chat_account_id AS "chatAccountId"`
        if (rows.length === 0) return []
        yield* sql`
          WITH waiting AS MATERIALIZED (
            SELECT r.broadcast_id, r.seq FROM broadcast_recipients AS r
            WHERE ${isWaiting} AND r.broadcast_id = ANY(${rows.map((row) => row.id)}::uuid[]) AND NOT EXISTS (
              SELECT FROM broadcast_claims AS w
              WHERE w.organization_id = ${id} AND w.broadcast_id = r.broadcast_id AND r.seq = ANY(w.seqs))
            ORDER BY r.broadcast_id, r.seq FOR UPDATE OF r
          )
          UPDATE broadcast_recipients AS r SET due_at = ${stamp(now)} FROM waiting AS w
          WHERE r.organization_id = ${id} AND r.broadcast_id = w.broadcast_id AND r.seq = w.seq`
        return Array.from(new Set(rows.flatMap(({ chatAccountId }) => chatAccountId ?? [])))
      }),
      forget: Effect.fnUntraced(function* (organization, contactIds) {
        const { id } = organization
        if (contactIds.length === 0) return
        const ids = Array.from(contactIds)
        yield* lockRecipients(organization, ids)
        yield* sql`
          UPDATE broadcast_claims AS w SET "values" = COALESCE((
            SELECT json_object_agg(v.key, CASE WHEN EXISTS (
              SELECT FROM unnest(w.seqs, w.contact_ids) AS c (seq, contact_id)
              WHERE c.seq::text = v.key AND c.contact_id = ANY(${ids}::uuid[])) THEN '{}' ELSE v.value END)
            FROM json_each(w."values") AS v), '{}')
          WHERE w.organization_id = ${id} AND w.contact_ids && ${ids}::uuid[]`
        yield* sql`
          UPDATE broadcast_recipients SET address_kind = NULL, address = NULL, "values" = NULL, conversation_id = NULL
          WHERE organization_id = ${id} AND contact_id = ANY(${ids}::uuid[])`
        yield* sql`
          UPDATE audience_snapshot_contacts SET address_kind = NULL, address = NULL
          WHERE organization_id = ${id} AND (contact_id = ANY(${ids}::uuid[]) AND transferred_to IS NULL OR transferred_to = ANY(${ids}::uuid[]))`
      })
    })
  })
)

import {
  type AudiencePlan,
  type AudienceSnapshot,
  type AudienceSnapshotId,
  Audiences,
  type BroadcastId,
  type Clocked,
  type ContactId,
  CurrentOrganization,
  type EarlierBroadcast,
  type ExclusionReason,
  NotFound,
  type OrganizationId,
  type PlannedOutcome,
  Recipient,
  type SliceBounds,
  type VariantKey
} from "@parley/domain"
import { PgTypes } from "@effect/sql-pg"
import { DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { contactColumns, contactOf, type ContactRow } from "../crm/contactRow.ts"
import { type Instant, stamp, utc, utcOrNull } from "../kernel/columns.ts"
import { driverFailuresDie } from "../kernel/defects.ts"
import { audienceSql, numberOf } from "./audienceSql.ts"

interface Judged {
  readonly id: ContactId
  readonly way: string | null
  readonly reason: ExclusionReason | null
  readonly held: boolean
  readonly variant: VariantKey | null
}

interface SnapshotRow extends Omit<AudienceSnapshot, "createdAt" | "expiresAt"> {
  readonly createdAt: Instant
  readonly expiresAt: Instant | null
}

const snapshotOf = ({ createdAt, expiresAt, ...row }: SnapshotRow): AudienceSnapshot => ({
  ...row,
  createdAt: utc(createdAt),
  expiresAt: utcOrNull(expiresAt)
})

const isKind = Schema.is(Recipient.fields.kind)

/** Reads what a contact is written to by from one text: its kind, a colon, its value. */
const addressOf = (way: string): Recipient => {
  const end = way.indexOf(":")
  const kind = way.slice(0, end)
  return { kind: isKind(kind) ? kind : "external", value: way.slice(end + 1) }
}

const outcomeOf = ({ held, reason, variant, way }: Judged): PlannedOutcome => {
  if (reason !== null) return { kind: "excluded", reason }
  if (held || way === null) return { kind: "held_out" }
  return { kind: "sent", address: addressOf(way), variant }
}

/** The reasons that hold before a broadcast starts. */
const countable = [
  "excluded_by_filter",
  "no_identity",
  "not_subscribed",
  "blocked",
  "region_blocked",
  "missing_variable",
  "frequency_cap"
] as const satisfies ReadonlyArray<ExclusionReason>

/** For how long it is known of a list that was kept that it has expired. */
const remembered = { days: 30 }

export const layer = Layer.effect(
  Audiences,
  Effect.map(SqlClient.SqlClient, (sql) => {
    /** The contacts of a source, each with what becomes of it. Each step is done once for each contact. */
    const judgedSql = (organizationId: OrganizationId, plan: AudiencePlan, source: Statement.Fragment) => {
      const { heldOut, reason, variant, way } = audienceSql(sql, organizationId, plan)
      return sql`
        SELECT c.id, c.key, c.handed_by, c.way, c.due, c.variant, c.reason, (c.reason IS NULL AND ${heldOut}) AS held FROM (
          SELECT c.id, c.key, c.handed_by, c.way, c.due, c.variant, ${reason("each")} AS reason FROM (
            SELECT c.*, ${way} AS way, ${variant} AS variant FROM (${source}) AS c OFFSET 0
          ) AS c OFFSET 0
        ) AS c`
    }

    /** The same of contacts whose list was kept: who has opted out since gets nothing. */
    const judgedOnceMore = (organizationId: OrganizationId, plan: AudiencePlan, source: Statement.Fragment) => {
      const { heldOut, variant } = audienceSql(sql, organizationId, plan)
      return sql`
        SELECT c.id, c.key, c.handed_by, c.way, c.due, c.variant, c.reason, (c.reason IS NULL AND ${heldOut}) AS held FROM (
          SELECT c.id, c.key, c.handed_by, c.way, c.due, ${variant} AS variant, CASE
            WHEN NOT c.there THEN 'contact_gone'
            WHEN c.kept_reason IS NOT NULL THEN c.kept_reason
            ${plan.isMarketing ? sql`WHEN c.marketing <> 'subscribed' THEN 'not_subscribed'` : sql``}
            WHEN c.blocked_at IS NOT NULL THEN 'blocked'
            WHEN c.skipped THEN 'local_time_passed' END AS reason
          FROM (${source}) AS c OFFSET 0
        ) AS c`
    }

    const beyond = (column: string, after: string | null) =>
      after === null ? sql`` : sql`AND ${sql.literal(column)} > ${after}::uuid`

    const live = (organizationId: OrganizationId, plan: AudiencePlan, after: string | null = null, rest = sql``) => {
      const { matched } = audienceSql(sql, organizationId, plan)
      return sql`
        SELECT c.*, c.id AS key, NULL::uuid[] AS handed_by FROM contacts AS c
        WHERE c.organization_id = ${organizationId} ${beyond("c.id", after)} AND ${matched} ${rest}`
    }

    /** Places are those of the contacts that were there when the list was made, whoever they are by now. */
    const kept = (organizationId: OrganizationId, id: AudienceSnapshotId, after: string | null, limit: number) => sql`
      SELECT COALESCE(k.handed_to, k.contact_id) AS id, k.contact_id AS key, k.handed_by, k.reason AS kept_reason, k.address_kind || ':' || k.address AS way, c.id IS NOT NULL AS there,
        c.phone, c.timezone, c.marketing, c.blocked_at
      FROM (
        SELECT * FROM audience_snapshot_contacts AS k
        WHERE k.organization_id = ${organizationId} AND k.snapshot_id = ${id} ${beyond("k.contact_id", after)}
        ORDER BY k.contact_id LIMIT ${limit}
      ) AS k
      LEFT JOIN contacts AS c ON c.organization_id = ${organizationId} AND c.id = COALESCE(k.handed_to, k.contact_id)`

    /** The contacts of a source, each with the time at which it is due by its own clock; and how many they are, if that had to be found out. */
    const timed = Effect.fnUntraced(function* (plan: AudiencePlan, source: Statement.Fragment) {
      const { times } = plan
      if (times === null) {
        return { source: sql`SELECT c.*, NULL::timestamptz AS due, FALSE AS skipped FROM (${source}) AS c`, size: null }
      }
      const clocked = yield* sql<Clocked & { readonly id: string }>`
        SELECT c.key AS id, c.phone, c.timezone FROM (${source}) AS c`.unprepared
      const dues = clocked.map((contact) => {
        const due = times.dueAt(contact)
        return { id: contact.id, due: DateTime.formatIso(due), skipped: times.skips(due) }
      })
      return {
        source: sql`
          SELECT c.*, d.due, d.skipped FROM (${source}) AS c
          JOIN json_to_recordset(${PgTypes.json(dues)}) AS d (id uuid, due timestamptz, skipped boolean) ON d.id = c.key`,
        size: clocked.length
      }
    })

    /** As if nobody had a clock of their own. */
    const inOrder = (organizationId: OrganizationId, plan: AudiencePlan) => sql`
      SELECT c.*, NULL::timestamptz AS due, FALSE AS skipped
      FROM (${live(organizationId, plan, null, sql`ORDER BY c.id`)}) AS c`

    const judge = Effect.fnUntraced(function* (plan: AudiencePlan, id: ContactId) {
      const organization = yield* CurrentOrganization
      const one: AudiencePlan = {
        ...plan,
        audience: { kind: "all", of: [plan.audience, { kind: "oneOf", ids: [id] }] }
      }
      const { source } = yield* timed(plan, live(organization.id, one))
      const [row] = yield* sql<Judged>`${judgedSql(organization.id, one, source)}`.unprepared
      return row ?? null
    })

    /** How far the list of a broadcast is that is sending. Only its account's owner goes on with it. */
    const readProgress = Effect.fnUntraced(function* (id: BroadcastId) {
      const organization = yield* CurrentOrganization
      const [row] = yield* sql<{ readonly after: string | null; readonly listed: number }>`
        SELECT p.frozen_after AS after, p.listed FROM broadcasts AS b
        JOIN broadcast_progress AS p ON p.organization_id = ${organization.id} AND p.broadcast_id = b.id
        WHERE b.organization_id = ${organization.id} AND b.id = ${id} AND b.status = 'sending' FOR KEY SHARE OF b`
      return row ?? null
    })

    return Audiences.of({
      earlier: Effect.fnUntraced(function* (since) {
        const organization = yield* CurrentOrganization
        return yield* sql<EarlierBroadcast>`
          SELECT b.id, CASE WHEN EXISTS (
              SELECT FROM message_templates AS t
              WHERE t.organization_id = ${organization.id} AND t.category = 'marketing' AND (t.id = b.template_id
                OR t.id IN (SELECT (v ->> 'templateId')::uuid FROM json_array_elements(
                  CASE json_typeof(b.variants) WHEN 'array' THEN b.variants ELSE '[]' END) AS v))
            ) THEN 'marketing' ELSE 'utility' END AS category
          FROM broadcasts AS b
          WHERE b.organization_id = ${organization.id} AND b.started_at IS NOT NULL
            AND (b.ended_at IS NULL OR b.ended_at >= ${stamp(since)})
          ORDER BY b.id`
      }, driverFailuresDie),
      count: Effect.fnUntraced(function* (plan) {
        const organization = yield* CurrentOrganization
        const { capJoins, isCapped, matched, needsVariant, reason, variant } = audienceSql(sql, organization.id, plan)
        // Counted by one pass: a group for each reason would be sorted for, as the planner cannot know how few there are.
        const counts = countable.map(
          (each) => sql`count(*) FILTER (WHERE c.reason = ${sql.literal(String(numberOf(each)))})`
        )
        const [row] = yield* sql<{ readonly matched: number; readonly counts: ReadonlyArray<number> }>`
          SELECT count(*)::integer AS matched, ARRAY[${sql.join(", ", false)(counts)}]::integer[] AS counts FROM (
            SELECT ${reason("all")} AS reason FROM (
              SELECT c.*, ${needsVariant ? variant : sql`NULL::text`} AS variant, ${isCapped.all} AS capped
              FROM contacts AS c ${capJoins}
              WHERE c.organization_id = ${organization.id} AND ${matched}
            ) AS c OFFSET 0
          ) AS c`.unprepared
        const found = countable.map((each, place) => [each, row?.counts[place] ?? 0] as const)
        return {
          matched: row?.matched ?? 0,
          excluded: Object.fromEntries(found.filter(([, count]) => count > 0))
        }
      }, driverFailuresDie),
      size: Effect.fnUntraced(function* (plan, snapshotId) {
        const organization = yield* CurrentOrganization
        const { capJoins, heldOut, isCapped, matched, needsVariant, reason, variant } = audienceSql(
          sql,
          organization.id,
          plan
        )
        const judged =
          snapshotId === null
            ? sql`
                SELECT c.id, ${reason("all")} AS reason FROM (
                  SELECT c.*, ${needsVariant ? variant : sql`NULL::text`} AS variant, ${isCapped.all} AS capped
                  FROM contacts AS c ${capJoins}
                  WHERE c.organization_id = ${organization.id} AND ${matched}
                ) AS c OFFSET 0`
            : sql`
                SELECT k.contact_id AS id, k.reason FROM audience_snapshot_contacts AS k
                WHERE k.organization_id = ${organization.id} AND k.snapshot_id = ${snapshotId}`
        const [row] = yield* sql<{ readonly matched: number; readonly toSend: number }>`
          SELECT count(*)::integer AS matched, count(*) FILTER (WHERE c.reason IS NULL AND NOT ${heldOut})::integer AS "toSend"
          FROM (${judged}) AS c`.unprepared
        return row ?? { matched: 0, toSend: 0 }
      }, driverFailuresDie),
      sample: Effect.fnUntraced(function* (plan, limit) {
        const organization = yield* CurrentOrganization
        const found = yield* sql<Judged>`
          SELECT * FROM (${judgedSql(organization.id, plan, inOrder(organization.id, plan))}) AS j
          WHERE j.reason IS NULL LIMIT ${limit}`.unprepared
        const ids = found.map(({ id }) => id)
        const rows = yield* sql<ContactRow>`
          SELECT ${contactColumns(sql, organization.id)} FROM contacts AS c
          WHERE c.organization_id = ${organization.id} AND c.id = ANY(${ids}::uuid[])`
        const contacts = new Map(rows.map((row) => [row.id, contactOf(row)]))
        return found.flatMap(({ id, variant, way }) => {
          const contact = contacts.get(id)
          return contact === undefined || way === null ? [] : [{ contact, address: addressOf(way), variant }]
        })
      }, driverFailuresDie),
      outcomeOf: Effect.fnUntraced(function* (plan, id) {
        const row = yield* judge(plan, id)
        return row === null ? ({ kind: "not_matched" } as const) : outcomeOf(row)
      }, driverFailuresDie),
      keep: Effect.fnUntraced(function* (snapshot, plan) {
        const organization = yield* CurrentOrganization
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
      }, driverFailuresDie),
      kept: Effect.fnUntraced(function* (id) {
        const organization = yield* CurrentOrganization
        const [row] = yield* sql<SnapshotRow>`
          SELECT id, made_from AS "madeFrom", matched, created_at AS "createdAt", expires_at AS "expiresAt"
          FROM audience_snapshots WHERE organization_id = ${organization.id} AND id = ${id} FOR UPDATE`
        return row === undefined ? yield* new NotFound({ resource: "audience snapshot" }) : snapshotOf(row)
      }, driverFailuresDie),
      keepUntil: Effect.fnUntraced(function* (id, at) {
        const organization = yield* CurrentOrganization
        yield* sql`
          UPDATE audience_snapshots SET expires_at = ${stamp(at)}
          WHERE organization_id = ${organization.id} AND id = ${id}`
      }, driverFailuresDie),
      release: Effect.fnUntraced(function* (keptFor, limit) {
        const organization = yield* CurrentOrganization
        const isNeeded = sql`EXISTS (
          SELECT FROM broadcasts AS b WHERE b.organization_id = ${organization.id} AND b.audience_snapshot_id = s.id
            AND b.status IN ('scheduled', 'sending', 'paused'))`
        const found = yield* sql<{ readonly id: AudienceSnapshotId }>`
          SELECT s.id FROM audience_snapshots AS s
          WHERE s.organization_id = ${organization.id} AND s.expires_at IS NULL AND NOT ${isNeeded}
          ORDER BY s.id LIMIT ${limit} FOR UPDATE SKIP LOCKED`
        if (found.length === 0) return 0
        // Somebody may have needed one of them before it was locked: that is seen from here on.
        const released = yield* sql`
          UPDATE audience_snapshots AS s
          SET expires_at = s.created_at + make_interval(secs => ${Duration.toSeconds(keptFor)}::float8)
          WHERE s.organization_id = ${organization.id} AND s.id = ANY(${found.map(({ id }) => id)}::uuid[]) AND NOT ${isNeeded}
          RETURNING 1`
        return released.length
      }, driverFailuresDie),
      forget: Effect.fnUntraced(function* (now, limit) {
        const organization = yield* CurrentOrganization
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
      }, driverFailuresDie),
      freeze: Effect.fnUntraced(function* (id, plan, { limit, room, snapshotId }: SliceBounds) {
        const organization = yield* CurrentOrganization
        const progress = yield* readProgress(id)
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
        const [row] = yield* sql<{ readonly taken: number; readonly listed: number; readonly toSend: number }>`
          WITH numbered AS MATERIALIZED (
            SELECT j.*, row_number() OVER (ORDER BY j.key) AS place, ${turn} AS turn FROM (${judged}) AS j
          ), added AS (
            INSERT INTO broadcast_recipients (organization_id, broadcast_id, seq, contact_id, address_kind, address, variant,
              status, due_at, reason, handed_by)
            SELECT ${organization.id}, ${id}, ${listed} + j.place, j.id, split_part(j.way, ':', 1),
              substr(j.way, strpos(j.way, ':') + 1), j.variant::"char",
              CASE WHEN j.reason IS NOT NULL OR ${isOver} THEN 'excluded' WHEN j.held THEN 'held_out'
                WHEN j.due IS NULL THEN 'pending' ELSE 'waiting' END,
              j.due, CASE WHEN ${isOver} THEN 'plan_limit' ELSE j.reason END, j.handed_by
            FROM numbered AS j
            ON CONFLICT (organization_id, contact_id, broadcast_id, (CASE WHEN handed_by IS NULL THEN 0 ELSE seq END))
              DO NOTHING
            RETURNING status
          ), counts AS (
            SELECT count(*) AS matched, count(*) FILTER (WHERE status IN ('pending', 'waiting')) AS pending,
              count(*) FILTER (WHERE status = 'excluded') AS excluded, count(*) FILTER (WHERE status = 'held_out') AS held_out
            FROM added
          ), slice AS (
            SELECT count(*) AS taken, (SELECT key FROM numbered ORDER BY place DESC LIMIT 1) AS last FROM numbered
          )
          UPDATE broadcast_progress AS p SET matched = p.matched + c.matched, pending = p.pending + c.pending,
            excluded = p.excluded + c.excluded, held_out = p.held_out + c.held_out, listed = p.listed + s.taken,
            frozen_after = COALESCE(s.last, p.frozen_after)
          FROM counts AS c, slice AS s WHERE p.organization_id = ${organization.id} AND p.broadcast_id = ${id}
            AND p.listed = ${listed}
          RETURNING s.taken::integer AS taken, c.matched::integer AS listed, c.pending::integer AS "toSend"`.unprepared
        return {
          listed: row?.listed ?? 0,
          toSend: row?.toSend ?? 0,
          done: (size ?? row?.taken ?? 0) < limit
        }
      }, driverFailuresDie)
    })
  })
)

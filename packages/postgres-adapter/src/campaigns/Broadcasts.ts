import { normalizeForSearch } from "@parley/domain/kernel"
import {
  Broadcast,
  type BroadcastId,
  BroadcastPause,
  type BroadcastQuery,
  Broadcasts,
  BroadcastWaiting,
  recipientPrefix,
  Schedule
} from "@parley/domain/campaigns"
import { PgTypes } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { containing } from "../crm/searchSql.ts"
import { versions } from "../crm/versions.ts"
import { asWritten, type Instant, stamp, utc, utcOrNull } from "../kernel/columns.ts"
import { type Organization, tenantPort } from "../kernel/tenantPort.ts"

type Times = "frozenAt" | "startedAt" | "endedAt" | "recipientsKeptUntil"

/** Row of a broadcast: times are driver values, and JSON with times is as stored. */
interface Row extends Omit<
  Broadcast,
  Times | "createdAt" | "updatedAt" | "holdOut" | "throttle" | "schedule" | "waiting" | "pause"
> {
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly frozenAt: Instant | null
  readonly startedAt: Instant | null
  readonly endedAt: Instant | null
  readonly recipientsKeptUntil: Instant | null
  readonly hundredths: number
  readonly perMinute: number | null
  readonly schedule: typeof Schedule.Encoded | null
  readonly waiting: typeof BroadcastWaiting.Encoded | null
  readonly pause: typeof BroadcastPause.Encoded | null
}

const WithTimes = {
  schedule: Schema.NullOr(Schedule),
  waiting: Schema.NullOr(BroadcastWaiting),
  pause: Schema.NullOr(BroadcastPause)
}

const decodeSchedule = Schema.decodeSync(WithTimes.schedule, asWritten)
const decodeWaiting = Schema.decodeSync(WithTimes.waiting, asWritten)
const decodePause = Schema.decodeSync(WithTimes.pause, asWritten)
const encodeSchedule = Schema.encodeSync(WithTimes.schedule, asWritten)
const encodeWaiting = Schema.encodeSync(WithTimes.waiting, asWritten)
const encodePause = Schema.encodeSync(WithTimes.pause, asWritten)

const broadcastOf = ({ hundredths, perMinute, ...row }: Row): Broadcast =>
  new Broadcast(
    {
      ...row,
      holdOut: hundredths / 100,
      throttle: perMinute === null ? null : { perMinute },
      schedule: decodeSchedule(row.schedule),
      waiting: decodeWaiting(row.waiting),
      pause: decodePause(row.pause),
      frozenAt: utcOrNull(row.frozenAt),
      startedAt: utcOrNull(row.startedAt),
      endedAt: utcOrNull(row.endedAt),
      recipientsKeptUntil: utcOrNull(row.recipientsKeptUntil),
      createdAt: utc(row.createdAt),
      updatedAt: utc(row.updatedAt)
    },
    asWritten
  )

export const layer = Layer.effect(
  Broadcasts,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(`b.id, b.name, b.chat_account_id AS "chatAccountId", b.template_id AS "templateId",
      b.variables, b.variants, b.hold_out AS hundredths, b.split_key AS "splitKey", b.audience, b.exclude,
      b.throttle_per_minute AS "perMinute", b.ignore_frequency_caps AS "ignoreFrequencyCaps",
      b.ignore_quiet_hours AS "ignoreQuietHours", b.reply_hours AS "replyHours", b.uplift_days AS "upliftDays", b.status,
      b.schedule, b.waiting, b.pause, b.failure, b.end_reason AS "endReason", b.source, b.retry,
      b.audience_snapshot_id AS "audienceSnapshotId", b.frozen_at AS "frozenAt", b.started_at AS "startedAt",
      b.ended_at AS "endedAt", b.recipients_kept_until AS "recipientsKeptUntil", b.created_by AS "createdBy",
      b.created_at AS "createdAt", b.updated_at AS "updatedAt", b.version,
      json_build_object('matched', p.matched, 'pending', p.pending, 'inFlight', p.in_flight, 'inDoubt', p.in_doubt,
        'sent', p.sent, 'delivered', p.delivered, 'read', p.read, 'failed', p.failed, 'excluded', p.excluded,
        'heldOut', p.held_out, 'neverSent', p.never_sent) AS stats`)
    const { conflict, ifVersion, notFound } = versions(sql, "broadcasts", "broadcast")

    const broadcastsWhere = Effect.fnUntraced(function* (
      organization: Organization,
      condition: Statement.Fragment,
      rest = sql``
    ) {
      const rows = yield* sql<Row>`
        SELECT ${columns} FROM broadcasts AS b
        JOIN broadcast_progress AS p ON p.organization_id = ${organization.id} AND p.broadcast_id = b.id
        WHERE b.organization_id = ${organization.id} AND ${condition} ${rest}`
      return rows.map(broadcastOf)
    })

    const conditionsOf = ({ chatAccountId, createdFrom, createdTo, q, status }: BroadcastQuery) => [
      ...(status === null ? [] : [sql`b.status = ${status}`]),
      ...(chatAccountId === null ? [] : [sql`b.chat_account_id = ${chatAccountId}`]),
      ...(q === null ? [] : [sql`b.name_key LIKE ${containing(normalizeForSearch(q))}`]),
      ...(createdFrom === null ? [] : [sql`b.created_at >= ${stamp(createdFrom)}`]),
      ...(createdTo === null ? [] : [sql`b.created_at < ${stamp(createdTo)}`])
    ]

    return tenantPort(Broadcasts, {
      get: Effect.fnUntraced(function* (organization, id) {
        const [broadcast] = yield* broadcastsWhere(organization, sql`b.id = ${id}`)
        return broadcast ?? (yield* notFound())
      }),
      known: Effect.fnUntraced(function* (organization, ids) {
        const rows = yield* sql<{ readonly id: BroadcastId }>`
          SELECT id FROM broadcasts WHERE organization_id = ${organization.id} AND id = ANY(${Array.from(ids)}::uuid[])`
        return rows.map(({ id }) => id)
      }),
      list: (organization, query, { after, limit }) =>
        broadcastsWhere(
          organization,
          sql.and([sql`true`, ...conditionsOf(query), ...(after === null ? [] : [sql`b.id < ${after[0]}::uuid`])]),
          sql`ORDER BY b.id DESC LIMIT ${limit}`
        ),
      lock: Effect.fnUntraced(function* (organization, id) {
        const [broadcast] = yield* broadcastsWhere(organization, sql`b.id = ${id}`, sql`FOR UPDATE OF b`)
        return broadcast ?? (yield* notFound())
      }),
      insert: Effect.fnUntraced(function* (organization, broadcast) {
        yield* sql`
          INSERT INTO broadcasts (organization_id, id, recipient_prefix, name, name_key, chat_account_id, template_id,
            variables, variants, hold_out, split_key, audience, exclude, throttle_per_minute, ignore_frequency_caps,
            ignore_quiet_hours, reply_hours, uplift_days, status, schedule, waiting, pause, failure, end_reason, source, retry,
            audience_snapshot_id, frozen_at, started_at, ended_at, recipients_kept_until, created_by, created_at,
            updated_at, version)
          VALUES (${organization.id}, ${broadcast.id}, ${recipientPrefix(broadcast.id)}, ${broadcast.name},
            ${normalizeForSearch(broadcast.name)}, ${broadcast.chatAccountId}, ${broadcast.templateId},
            ${PgTypes.json(broadcast.variables)}, ${PgTypes.json(broadcast.variants)},
            ${Math.round(broadcast.holdOut * 100)}, ${broadcast.splitKey}, ${PgTypes.json(broadcast.audience)},
            ${PgTypes.json(broadcast.exclude)}, ${broadcast.throttle?.perMinute ?? null},
            ${broadcast.ignoreFrequencyCaps}, ${broadcast.ignoreQuietHours}, ${broadcast.replyHours},
            ${broadcast.upliftDays}, ${broadcast.status}, ${PgTypes.json(encodeSchedule(broadcast.schedule))},
            ${PgTypes.json(encodeWaiting(broadcast.waiting))}, ${PgTypes.json(encodePause(broadcast.pause))},
            ${PgTypes.json(broadcast.failure)}, ${broadcast.endReason}, ${PgTypes.json(broadcast.source)},
            ${PgTypes.json(broadcast.retry)},
            ${broadcast.audienceSnapshotId}, ${stamp(broadcast.frozenAt)}, ${stamp(broadcast.startedAt)},
            ${stamp(broadcast.endedAt)}, ${stamp(broadcast.recipientsKeptUntil)}, ${broadcast.createdBy},
            ${stamp(broadcast.createdAt)}, ${stamp(broadcast.updatedAt)}, ${broadcast.version})`
        yield* sql`
          INSERT INTO broadcast_progress (organization_id, broadcast_id) VALUES (${organization.id}, ${broadcast.id})`
      }),
      save: Effect.fnUntraced(function* (organization, broadcast, expected) {
        const [row] = yield* sql<Row>`
          WITH b AS (
            UPDATE broadcasts SET name = ${broadcast.name}, name_key = ${normalizeForSearch(broadcast.name)},
              chat_account_id = ${broadcast.chatAccountId}, template_id = ${broadcast.templateId},
              variables = ${PgTypes.json(broadcast.variables)}, variants = ${PgTypes.json(broadcast.variants)},
              hold_out = ${Math.round(broadcast.holdOut * 100)}, split_key = ${broadcast.splitKey},
              audience = ${PgTypes.json(broadcast.audience)}, exclude = ${PgTypes.json(broadcast.exclude)},
              throttle_per_minute = ${broadcast.throttle?.perMinute ?? null},
              ignore_frequency_caps = ${broadcast.ignoreFrequencyCaps},
              ignore_quiet_hours = ${broadcast.ignoreQuietHours}, reply_hours = ${broadcast.replyHours},
              uplift_days = ${broadcast.upliftDays}, status = ${broadcast.status},
              schedule = ${PgTypes.json(encodeSchedule(broadcast.schedule))},
              waiting = ${PgTypes.json(encodeWaiting(broadcast.waiting))},
              pause = ${PgTypes.json(encodePause(broadcast.pause))}, failure = ${PgTypes.json(broadcast.failure)},
              end_reason = ${broadcast.endReason}, audience_snapshot_id = ${broadcast.audienceSnapshotId},
              frozen_at = ${stamp(broadcast.frozenAt)}, started_at = ${stamp(broadcast.startedAt)},
              ended_at = ${stamp(broadcast.endedAt)},
              recipients_kept_until = ${stamp(broadcast.recipientsKeptUntil)},
              updated_at = ${stamp(broadcast.updatedAt)}, version = version + 1
            WHERE organization_id = ${organization.id} AND id = ${broadcast.id} ${ifVersion(expected)}
            RETURNING *
          )
          SELECT ${columns} FROM b
          JOIN broadcast_progress AS p ON p.organization_id = ${organization.id} AND p.broadcast_id = b.id`
        return row === undefined ? yield* conflict(organization.id, broadcast.id) : broadcastOf(row)
      }),
      remove: Effect.fnUntraced(function* (organization, id, expected) {
        const removed = yield* sql`
          DELETE FROM broadcasts WHERE organization_id = ${organization.id} AND id = ${id} ${ifVersion(expected)}
          RETURNING 1`
        if (removed.length === 0) return yield* conflict(organization.id, id)
      })
    })
  })
)

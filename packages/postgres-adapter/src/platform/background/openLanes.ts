import { laneId, type LaneToSchedule, shardOf } from "@parley/domain/platform"
import { DateTime, Effect } from "effect"
import { type SqlClient, SqlError, type Statement } from "effect/sql"
import type { Notifications } from "../events/Notifications.ts"

/** Stored rank of a priority: the smaller one is first. */
export const rankOf = { person: 0, bulk: 1 } as const

interface Held {
  /** Whether the lane is due later, or has a lower priority, than requested. */
  readonly isLate: boolean
}

/** Merges the requests for one lane: the earliest time and the highest priority. */
const oncePerLane = (lanes: ReadonlyArray<LaneToSchedule>): ReadonlyArray<LaneToSchedule> => {
  const once = new Map<string, LaneToSchedule>()
  for (const lane of lanes) {
    const { dueAt, priority } = once.get(laneId(lane)) ?? lane
    const isUrgent = priority === "person" || lane.priority === "person"
    once.set(laneId(lane), {
      ...lane,
      dueAt: DateTime.min(dueAt, lane.dueAt),
      priority: isUrgent ? "person" : "bulk"
    })
  }
  return Array.from(once.values())
}

const wantedIn = (sql: SqlClient.SqlClient, lanes: ReadonlyArray<LaneToSchedule>) => sql`unnest(
  ${lanes.map(({ organizationId }) => organizationId)}::uuid[], ${lanes.map(({ task }) => task)}::text[],
  ${lanes.map(({ key }) => key)}::text[], ${lanes.map(shardOf)}::smallint[], ${lanes.map(({ priority }) => rankOf[priority])}::smallint[],
  ${lanes.map(({ dueAt }) => DateTime.toDateUtc(dueAt))}::timestamptz[]
) AS w (organization_id, task, key, shard, priority, due_at)`

/** Inserts the missing lanes `w` of a statement and locks the existing ones. */
const madeAndHeld = (sql: SqlClient.SqlClient, wanted: Statement.Fragment) => sql`
  made AS (
    INSERT INTO lanes (organization_id, task, key, shard, priority, due_at, fence)
    SELECT organization_id, task, key, shard, priority, due_at, 0 FROM ${wanted} ORDER BY organization_id, task, key
    ON CONFLICT DO NOTHING RETURNING organization_id, key
  ), held AS MATERIALIZED (
    SELECT l.organization_id, l.key, ${isLate(sql)} AS is_late FROM ${wanted} JOIN lanes AS l ON ${isWanted(sql)}
    FOR KEY SHARE OF l
  )`

const isWanted = (sql: SqlClient.SqlClient) =>
  sql`l.organization_id = w.organization_id AND l.task = w.task AND l.key = w.key`

const isLate = (sql: SqlClient.SqlClient) => sql`(l.due_at > w.due_at OR l.priority > w.priority)`

/** Raises lanes to the requested due time and priority. */
const hasten = (sql: SqlClient.SqlClient, lanes: ReadonlyArray<LaneToSchedule>) => sql`
  WITH late AS MATERIALIZED (
    SELECT l.organization_id, l.task, l.key, w.due_at, w.priority
    FROM ${wantedIn(sql, lanes)} JOIN lanes AS l ON ${isWanted(sql)}
    WHERE ${isLate(sql)} ORDER BY l.organization_id, l.task, l.key FOR NO KEY UPDATE OF l
  )
  UPDATE lanes AS l SET due_at = least(l.due_at, late.due_at), priority = least(l.priority, late.priority)
  FROM late WHERE l.organization_id = late.organization_id AND l.task = late.task AND l.key = late.key`

/**
 * Inserts or locks lanes in one statement. Returns whether all of them exist now. An existing lane gets the lock of a foreign key. Openers do not
 * wait for each other. No process closes the lane before the unit of work ends. If a lane was just closed, all lanes are inserted again, because late
 * insertion of one lane could cause a deadlock.
 */
const holding = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (lanes: ReadonlyArray<LaneToSchedule>, put?: Statement.Fragment) {
    const held = yield* sql<Held>`
      WITH ${put === undefined ? sql`` : sql`put AS (${put}),`} ${madeAndHeld(sql, wantedIn(sql, lanes))}
      SELECT false AS "isLate" FROM made UNION ALL SELECT is_late FROM held`
    if (held.length < lanes.length) return false
    if (held.some((lane) => lane.isLate)) yield* hasten(sql, lanes)
    return true
  })

const held = (isHeld: boolean) => (isHeld ? Effect.void : Effect.fail("closed" as const))

/** Opens lanes for new items of the unit of work. */
export const openLanes = (sql: SqlClient.SqlClient, { lanesOpened }: Notifications["Service"]) => {
  const hold = holding(sql)
  return Effect.fnUntraced(function* (lanes: ReadonlyArray<LaneToSchedule>) {
    if (lanes.length === 0) return
    const opening = Effect.flatMap(hold(oncePerLane(lanes)), held)
    // Lanes of an incomplete attempt are rolled back before the retry.
    yield* Effect.retry(lanes.length === 1 ? opening : sql.withTransaction(opening), { until: SqlError.isSqlError })
    yield* sql.afterCommit(Effect.sync(() => lanesOpened(lanes)))
  })
}

/** Puts an item into a lane and opens the lane in the same statement. */
export const putIntoLane = (sql: SqlClient.SqlClient, notifications: Notifications["Service"]) => {
  const hold = holding(sql)
  const open = openLanes(sql, notifications)
  return Effect.fnUntraced(function* (lane: LaneToSchedule, put: Statement.Fragment) {
    if (!(yield* hold([lane], put))) return yield* open([lane])
    yield* sql.afterCommit(Effect.sync(() => notifications.lanesOpened([lane])))
  })
}

interface NamedLane {
  readonly organizationId: string
  readonly key: string
}

interface Opened {
  readonly areHeld: boolean
  /** Lanes that were just inserted, and lanes with a later due time or a lower priority than requested. */
  readonly made: ReadonlyArray<NamedLane>
  readonly late: ReadonlyArray<NamedLane>
}

/**
 * Puts items of one task into lanes of many organizations. The same statement opens the lanes whose `organization_id` and `key` `put` returns. An
 * open and due lane sends no notification. Its owner checks again before it closes the lane, and the close waits for this statement. If a lane was
 * just closed, nothing is put, and the whole statement is retried.
 */
export const putIntoLanes = (sql: SqlClient.SqlClient, { lanesOpened }: Notifications["Service"]) =>
  Effect.fnUntraced(function* (several: ReadonlyArray<LaneToSchedule>, put: Statement.Fragment) {
    const lanes = oncePerLane(several)
    const of = (named: ReadonlyArray<NamedLane>) => {
      const names = new Set(named.map(({ key, organizationId }) => `${organizationId} ${key}`))
      return names.size === 0 ? [] : lanes.filter(({ key, organizationId }) => names.has(`${organizationId} ${key}`))
    }
    const putting = Effect.gen(function* () {
      const [opened] = yield* sql<Opened>`
        WITH put AS (${put}), wanted AS MATERIALIZED (
          SELECT w.* FROM ${wantedIn(sql, lanes)} WHERE (w.organization_id, w.key) IN (SELECT organization_id, key FROM put)
        ), ${madeAndHeld(sql, sql`wanted AS w`)}
        SELECT (SELECT count(*) FROM made) + (SELECT count(*) FROM held) = (SELECT count(*) FROM wanted) AS "areHeld",
          (SELECT coalesce(json_agg(json_build_object('organizationId', organization_id, 'key', key)), '[]') FROM made) AS made,
          (SELECT coalesce(json_agg(json_build_object('organizationId', organization_id, 'key', key)), '[]') FROM held
            WHERE is_late) AS late`
      yield* held(opened?.areHeld === true)
      const late = of(opened?.late ?? [])
      if (late.length > 0) yield* hasten(sql, late)
      const moved = [...of(opened?.made ?? []), ...late]
      if (moved.length > 0) yield* sql.afterCommit(Effect.sync(() => lanesOpened(moved)))
    })
    yield* Effect.retry(sql.withTransaction(putting), { until: SqlError.isSqlError })
  })

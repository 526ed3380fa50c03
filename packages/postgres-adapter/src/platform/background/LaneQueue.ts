import type { OrganizationId } from "@parley/domain/kernel"
import { type DueLane, LaneQueue, type LaneSearch, LeaseLost } from "@parley/domain/platform"
import { Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { Notifications } from "../events/Notifications.ts"
import { type Instant, stamp, utc } from "../../kernel/columns.ts"
import { storagePort } from "../../kernel/tenantPort.ts"
import { closeLane, holdLane, isLeased, postponeLane } from "./holdLane.ts"
import { openLanes, rankOf } from "./openLanes.ts"

interface LaneRow {
  readonly organizationId: OrganizationId
  readonly key: string
  readonly shard: number
  readonly rank: number
  readonly dueAt: Instant
}

/** A visited organization and the lane found; the lane is all `null` if none is due. */
type VisitedRow = { readonly visited: OrganizationId } & (LaneRow | { readonly [Name in keyof LaneRow]: null })

export const layer = Layer.effect(
  LaneQueue,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const notifications = yield* Notifications
    const open = openLanes(sql, notifications)

    const columns = sql.literal(
      `l.organization_id AS "organizationId", l.key, l.shard, l.priority AS rank, l.due_at AS "dueAt"`
    )

    const laneOf =
      (task: string) =>
      ({ dueAt, key, organizationId, rank, shard }: LaneRow): DueLane => ({
        task,
        organizationId,
        key,
        shard,
        priority: rank === rankOf.person ? "person" : "bulk",
        dueAt: utc(dueAt)
      })

    const isWanted = ({ except, shards }: Pick<LaneSearch, "except" | "shards">) => sql`
      l.shard = ANY(${Array.from(shards)}::smallint[]) AND NOT EXISTS (
        SELECT FROM unnest(
          ${except.map(({ organizationId }) => organizationId)}::uuid[], ${except.map(({ key }) => key)}::text[]
        ) AS hand (organization_id, key) WHERE hand.organization_id = l.organization_id AND hand.key = l.key)`

    const orLost = (rows: ReadonlyArray<unknown>) => (rows.length === 0 ? Effect.fail(new LeaseLost()) : Effect.void)

    return storagePort(LaneQueue, {
      openAll: open,
      due: Effect.fnUntraced(function* (search) {
        const ofRank = (rank: number) => sql`(
          SELECT ${columns} FROM lanes AS l
          WHERE l.task = ${search.task} AND l.priority = ${rank}::smallint AND l.due_at <= ${stamp(search.now)}
            AND ${isWanted(search)} ORDER BY l.due_at LIMIT ${search.limit})`
        const rows = yield* sql<LaneRow>`${ofRank(rankOf.person)} UNION ALL ${ofRank(rankOf.bulk)}`
        return rows.map(laneOf(search.task))
      }),
      // Steps from organization to organization in the index, independent of their number of lanes.
      dueByOrganization: Effect.fnUntraced(function* (search, after) {
        const { limit, now, task } = search
        const next = (from: Statement.Fragment) => sql`
          SELECT o.organization_id FROM lanes AS o WHERE o.task = ${task} ${from} ORDER BY o.organization_id LIMIT 1`
        const rows = yield* sql<VisitedRow>`
          WITH RECURSIVE visit (visited, step) AS (
            (SELECT organization_id, 1 FROM (${next(after === null ? sql`` : sql`AND o.organization_id > ${after}`)}) AS first)
            UNION ALL
            SELECT following.organization_id, visit.step + 1 FROM visit
            CROSS JOIN LATERAL (${next(sql`AND o.organization_id > visit.visited`)}) AS following
            WHERE visit.step < ${limit}::integer
          )
          SELECT visit.visited, lane.* FROM visit LEFT JOIN LATERAL (
            SELECT ${columns} FROM lanes AS l
            WHERE l.task = ${task} AND l.organization_id = visit.visited AND l.due_at <= ${stamp(now)}
              AND ${isWanted(search)} ORDER BY l.priority, l.due_at LIMIT 1
          ) AS lane ON true ORDER BY visit.step`
        const lanes = rows.flatMap((row) => (row.organizationId === null ? [] : [laneOf(task)(row)]))
        return { lanes, last: rows.length < limit ? null : (rows.at(-1)?.visited ?? null) }
      }),
      // Locked lanes are skipped. A claim does not wait for another claim or for a unit of work.
      claim: Effect.fnUntraced(function* (node, leases, now) {
        const [first] = leases
        if (first === undefined) return []
        const { task } = first
        const rows = yield* sql<{ readonly place: number }>`
          WITH wanted AS MATERIALIZED (
            SELECT w.* FROM unnest(
              ${leases.map(({ organizationId }) => organizationId)}::uuid[], ${leases.map(({ key }) => key)}::text[],
              ${leases.map(({ shard }) => shard)}::smallint[], ${leases.map(({ fence }) => fence)}::bigint[]
            ) WITH ORDINALITY AS w (organization_id, key, shard, fence, place)
            WHERE EXISTS (
              SELECT FROM task_shards AS s
              WHERE s.task = ${task} AND s.shard = w.shard AND s.process_id = ${node} AND s.fence = w.fence)
          ), kept AS (
            SELECT w.place FROM wanted AS w JOIN lanes AS l
              ON l.organization_id = w.organization_id AND l.task = ${task} AND l.key = w.key
            WHERE l.fence = w.fence AND l.due_at <= ${stamp(now)}
          ), taken AS MATERIALIZED (
            SELECT w.organization_id, w.key, w.fence, w.place FROM wanted AS w JOIN lanes AS l
              ON l.organization_id = w.organization_id AND l.task = ${task} AND l.key = w.key
            WHERE l.fence < w.fence AND l.due_at <= ${stamp(now)} FOR NO KEY UPDATE OF l SKIP LOCKED
          ), fenced AS (
            UPDATE lanes AS l SET fence = t.fence FROM taken AS t
            WHERE l.organization_id = t.organization_id AND l.task = ${task} AND l.key = t.key
            RETURNING t.place
          )
          SELECT place::integer FROM kept UNION ALL SELECT place::integer FROM fenced ORDER BY place`
        return rows.flatMap(({ place }) => leases[place - 1] ?? [])
      }),
      nextDue: Effect.fnUntraced(function* (search) {
        const first = (rank: number) => sql`(
          SELECT l.due_at AS "dueAt" FROM lanes AS l
          WHERE l.task = ${search.task} AND l.priority = ${rank}::smallint AND ${isWanted(search)}
          ORDER BY l.due_at LIMIT 1)`
        const [row] = yield* sql<{ readonly dueAt: Instant }>`
          ${first(rankOf.person)} UNION ALL ${first(rankOf.bulk)} ORDER BY "dueAt" LIMIT 1`
        return row === undefined ? null : utc(row.dueAt)
      }),
      hold: (lease) => holdLane(sql, lease),
      isolate: Effect.fnUntraced(function* (lease) {
        const alone = yield* sql`SELECT 1 FROM lanes AS l WHERE ${isLeased(sql, lease)} FOR UPDATE OF l SKIP LOCKED`
        if (alone.length > 0) return true
        yield* orLost(yield* sql`SELECT 1 FROM lanes AS l WHERE ${isLeased(sql, lease)}`)
        return false
      }),
      postpone: (lease, dueAt) => postponeLane(sql, lease, dueAt),
      close: (lease) => closeLane(sql, lease),
      awaitNotification: notifications.awaitLanes
    })
  })
)

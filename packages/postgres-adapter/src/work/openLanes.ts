import { type Lane, laneId, type LaneToOpen, shardOf } from "@parley/domain"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { EventNews } from "../events/EventNews.ts"
import { stamp } from "../kernel/columns.ts"

/** What stands in the database for a priority: the smaller one goes first. */
export const rankOf = { person: 0, bulk: 1 } as const

interface Held {
  readonly organizationId: Lane["organizationId"]
  readonly key: string
  /** It is due later, or less urgent, than it has to be by now. */
  readonly isLate: boolean
}

/**
 * Opens lanes of one work. A lane that is there already is held as a foreign key would hold it: nobody who opens it waits for
 * another, and nobody closes it before the unit of work has ended. One that was closed just now is made anew.
 */
export const openLanes = (sql: SqlClient.SqlClient, { lanesOpened }: EventNews["Service"]) => {
  const hold = Effect.fnUntraced(function* (lane: LaneToOpen) {
    const { dueAt, key, organizationId, priority, work } = lane
    const isLane = sql`organization_id = ${organizationId} AND work = ${work} AND key = ${key}`
    const isLate = sql`(due_at > ${stamp(dueAt)} OR priority > ${rankOf[priority]}::smallint)`
    while (true) {
      const [held] = yield* sql<Held>`
        WITH made AS (
          INSERT INTO work_lanes (organization_id, work, key, shard, priority, due_at, fence)
          VALUES (${organizationId}, ${work}, ${key}, ${shardOf(lane)}, ${rankOf[priority]}, ${stamp(dueAt)}, 0)
          ON CONFLICT DO NOTHING RETURNING false AS "isLate"
        ), held AS MATERIALIZED (SELECT ${isLate} AS "isLate" FROM work_lanes WHERE ${isLane} FOR KEY SHARE)
        SELECT "isLate" FROM made UNION ALL SELECT "isLate" FROM held`
      if (held === undefined) continue
      if (held.isLate) {
        yield* sql`
          UPDATE work_lanes SET due_at = least(due_at, ${stamp(dueAt)}), priority = least(priority, ${rankOf[priority]}::smallint)
          WHERE ${isLane} AND ${isLate}`
      }
      return
    }
  })

  return Effect.fnUntraced(function* (lanes: ReadonlyArray<LaneToOpen>) {
    // In one order, so that those who open several never wait in a circle.
    const inOrder = lanes.toSorted((one, other) => (laneId(one) < laneId(other) ? -1 : 1))
    for (const lane of inOrder) yield* hold(lane)
    yield* sql.afterCommit(Effect.sync(() => lanesOpened(lanes)))
  })
}

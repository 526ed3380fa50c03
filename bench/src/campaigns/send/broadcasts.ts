import { type BroadcastId, sendBroadcast } from "@parley/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ToolFailed } from "../../load/ToolFailed.ts"
import { givenBroadcast, type Sender, within } from "../given.ts"

/** Sends a broadcast to a number of recipients that its list has already. */
export const sendListed = (sender: Sender, place: number, recipients: number) =>
  Effect.tap(givenBroadcast(sender, place, recipients), (id) => send(sender, id))

/** Has a broadcast sent. */
export const send = ({ line }: Sender, id: BroadcastId) =>
  within(line.organizationId)(sendBroadcast({ id, ifVersion: null }))

/** How many recipients are left to be settled, and how many are in doubt or have failed, of all broadcasts. */
export const progress = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly left: number; readonly odd: number }>`
    SELECT coalesce(sum(pending + in_flight), 0)::integer AS left,
      coalesce(sum(in_doubt + failed + excluded + never_sent), 0)::integer AS odd
    FROM broadcast_progress`
  return row ?? { left: 0, odd: 0 }
})

const longestMillis = 1_800_000

/** Waits until the results of all recipients are stored. All of them must have been sent. */
export const untilSettled = Effect.gen(function* () {
  const begun = performance.now()
  let now = yield* progress
  while (now.left > 0) {
    if (performance.now() - begun > longestMillis) {
      return yield* new ToolFailed({ tool: "parley", output: `After half an hour ${now.left} are left.` })
    }
    yield* Effect.sleep("20 millis")
    now = yield* progress
  }
  if (now.odd > 0) return yield* new ToolFailed({ tool: "parley", output: `${now.odd} were not sent to.` })
})

/** Takes all broadcasts away. */
export const clearBroadcasts = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`TRUNCATE broadcasts CASCADE`)

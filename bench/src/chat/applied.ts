import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ToolFailed } from "../load/ToolFailed.ts"
import { deliveryStates } from "./lanes.ts"
import { type Audience, lag, type Traffic } from "./traffic.ts"

/** Fails unless each receipt was applied to its message, and each inbound message is stored once. */
export const sameStates = Effect.fnUntraced(function* ({ sums }: Traffic, { contacts }: Pick<Audience, "contacts">) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Record<"delivered" | "read" | "inbound" | "people" | "unread" | "early", number>>`
    SELECT (SELECT count(*)::integer FROM messages WHERE direction = 'outbound' AND delivered_at IS NOT NULL) AS delivered,
      (SELECT count(*)::integer FROM messages WHERE direction = 'outbound' AND status = 'read') AS read,
      (SELECT count(*)::integer FROM messages WHERE direction = 'inbound') AS inbound,
      (SELECT count(*)::integer - ${contacts}::integer FROM contacts) AS people,
      (SELECT sum(inbound_count - read_count)::integer FROM conversations) AS unread,
      (SELECT count(*)::integer FROM early_receipts) AS early`
  // The first ones are reported as read, and never as delivered.
  const { read } = sums.receipts
  const expected = {
    delivered: sums.receipts.delivered + Math.min(read, lag),
    read,
    inbound: sums.inbound,
    people: sums.people,
    unread: sums.inbound,
    early: 0
  }
  const odd = Object.entries(expected).filter(([what, count]) => row?.[what as keyof typeof expected] !== count)
  if (odd.length === 0) return
  const output = `Expected ${JSON.stringify(expected)}, but there is ${JSON.stringify(row)}.`
  return yield* new ToolFailed({ tool: "parley", output })
})

const longestDrainMillis = 600_000

/** Waits until everything is processed, for ten minutes at most. Returns the duration and the remaining work. */
export const drain = Effect.gen(function* () {
  const begun = performance.now()
  let { waiting } = yield* deliveryStates
  while (waiting > 0 && performance.now() - begun < longestDrainMillis) {
    yield* Effect.sleep("100 millis")
    waiting = (yield* deliveryStates).waiting
  }
  return { seconds: (performance.now() - begun) / 1_000, waiting }
})

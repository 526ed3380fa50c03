import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ToolFailed } from "../../load/ToolFailed.ts"
import type { Provider } from "../provider.ts"

/** Fails unless all messages that reached the provider are stored as sent, and no others. */
export const requireKept = Effect.fnUntraced(function* ({ simulator }: Provider) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly sent: number }>`
    SELECT count(*)::integer AS sent FROM messages WHERE direction = 'outbound' AND status = 'sent'`
  const accepted = simulator.accepted().length
  if (row?.sent === accepted) return
  const output = `${accepted} messages have reached the provider, and ${row?.sent} are kept as sent.`
  return yield* new ToolFailed({ tool: "parley", output })
})

/** Whether no message waits to be sent. */
export const isQueueEmpty = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`SELECT 1 FROM send_queue LIMIT 1`).length === 0
})

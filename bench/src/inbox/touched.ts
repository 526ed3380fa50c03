import { listConversations, UserId } from "@parley/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { userIdAt, type Visitor } from "../crm/visitors.ts"
import { inside, sealed } from "./InboxArena.ts"
import type { ListQuestion } from "./questions.ts"

const tables = ["conversations", "messages"]

const touched = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`SELECT pg_stat_force_next_flush()`
  const [row] = yield* sql<{ readonly touched: number }>`
    SELECT (SELECT sum(seq_tup_read + COALESCE(idx_tup_fetch, 0)) FROM pg_stat_user_tables
        WHERE relname = ANY(${tables}))::float8
      + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = ANY(${tables}))::float8 AS touched`
  return row?.touched ?? 0
})

/**
 * Rows of conversations and messages and index entries read for the answer. The use case itself runs, and PostgreSQL counts, so no other caller may
 * run at the same time.
 */
export const touchedBy = Effect.fnUntraced(function* (
  { organizationId, place }: Visitor,
  { after, request, sort }: ListQuestion
) {
  const cursor = after === null ? null : yield* sealed(organizationId, `conversations/${sort}`, after)
  const mine = request.assignee === "me" ? { assignee: UserId.make(userIdAt(place, 0)) } : {}
  const before = yield* touched
  yield* inside(organizationId)(listConversations({ ...request, ...mine, sort, page: { limit: 50, cursor } }))
  return (yield* touched) - before
})

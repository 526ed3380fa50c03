import { type SendLease, SendQueue } from "@parley/domain"
import { Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { EventNews } from "../events/EventNews.ts"
import { type Instant, stamp, utc } from "../kernel/columns.ts"
import { driverFailuresDie } from "../kernel/defects.ts"

export const layer = Layer.effect(
  SendQueue,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { awaitRing } = yield* EventNews

    // As long as the one before is there, nobody has said what came of it.
    const isFirst = sql`NOT EXISTS (
      SELECT FROM sends AS former WHERE former.organization_id = s.organization_id
        AND former.conversation_id = s.conversation_id AND former.place < s.place)`

    const leased = ({ attempts, messageId, organizationId, sender }: SendLease) =>
      sql`organization_id = ${organizationId} AND message_id = ${messageId} AND sender = ${sender}
        AND attempts = ${attempts}`

    const underLease = Effect.fnUntraced(function* (lease: SendLease, change: Statement.Fragment) {
      const changed = yield* sql`UPDATE sends SET ${change} WHERE ${leased(lease)} RETURNING 1`
      return changed.length > 0
    }, driverFailuresDie)

    return SendQueue.of({
      // A row that another claim or the end of a send holds at the moment is passed over; no claim waits for another.
      claim: Effect.fnUntraced(function* ({ limit, now, sender, until }) {
        return yield* sql<SendLease>`
          WITH next AS MATERIALIZED (
            SELECT s.organization_id AS organization, s.message_id AS message FROM sends AS s
            WHERE s.runnable_at <= ${stamp(now)} AND ${isFirst}
            ORDER BY s.runnable_at, s.message_id LIMIT ${limit} FOR UPDATE OF s SKIP LOCKED
          )
          UPDATE sends SET sender = ${sender}, attempts = attempts + 1, runnable_at = ${stamp(until)}
          FROM next WHERE organization_id = organization AND message_id = message
          RETURNING organization_id AS "organizationId", message_id AS "messageId", conversation_id AS "conversationId",
            chat_account_id AS "chatAccountId", sender, attempts, has_begun AS interrupted`
      }, driverFailuresDie),
      renew: (lease, until) => underLease(lease, sql`runnable_at = ${stamp(until)}`),
      begin: (lease, until) => underLease(lease, sql`has_begun = true, runnable_at = ${stamp(until)}`),
      settle: Effect.fnUntraced(function* (lease) {
        const settled = yield* sql`DELETE FROM sends WHERE ${leased(lease)} RETURNING 1`
        return settled.length > 0
      }, driverFailuresDie),
      postpone: (lease, until) =>
        underLease(lease, sql`sender = NULL, has_begun = false, runnable_at = ${stamp(until)}`),
      nextDue: driverFailuresDie(
        Effect.map(
          sql<{ readonly at: Instant }>`
            SELECT s.runnable_at AS at FROM sends AS s WHERE ${isFirst} ORDER BY s.runnable_at LIMIT 1`,
          ([row]) => (row === undefined ? null : utc(row.at))
        )
      ),
      awaitNews: awaitRing("sends")
    })
  })
)

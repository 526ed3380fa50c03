import { type SendingAccount, type SendLease, SendQueue } from "@parley/domain"
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

    const account = sql`LEFT JOIN chat_accounts AS a ON a.organization_id = s.organization_id AND a.id = s.chat_account_id`

    const leased = ({ attempts, messageId, organizationId, sender }: SendLease) =>
      sql`organization_id = ${organizationId} AND message_id = ${messageId} AND sender = ${sender}
        AND attempts = ${attempts}`

    const isAccount = ({ chatAccountId, organizationId }: SendingAccount) =>
      sql`organization_id = ${organizationId} AND id = ${chatAccountId}`

    const underLease = Effect.fnUntraced(function* (lease: SendLease, change: Statement.Fragment) {
      const changed = yield* sql`UPDATE sends SET ${change} WHERE ${leased(lease)} RETURNING 1`
      return changed.length > 0
    }, driverFailuresDie)

    return SendQueue.of({
      // A row that another claim or the end of a send holds at the moment is passed over; no claim waits for another.
      claim: Effect.fnUntraced(function* ({ limit, now, sender, until }) {
        return yield* sql<SendLease>`
          WITH next AS MATERIALIZED (
            SELECT s.organization_id AS organization, s.message_id AS message, coalesce(a.send_failures, 0) AS failures
            FROM sends AS s ${account}
            WHERE s.runnable_at <= ${stamp(now)} AND ${isFirst}
              AND (a.sends_rest_until IS NULL OR a.sends_rest_until <= ${stamp(now)} OR s.has_begun)
            ORDER BY s.runnable_at, s.message_id LIMIT ${limit} FOR UPDATE OF s SKIP LOCKED
          )
          UPDATE sends SET sender = ${sender}, attempts = attempts + 1, runnable_at = ${stamp(until)}
          FROM next WHERE organization_id = organization AND message_id = message
          RETURNING organization_id AS "organizationId", message_id AS "messageId", conversation_id AS "conversationId",
            chat_account_id AS "chatAccountId", sender, attempts, failures, has_begun AS interrupted`
      }, driverFailuresDie),
      renew: (lease, until) => underLease(lease, sql`runnable_at = ${stamp(until)}`),
      begin: (lease, until) => underLease(lease, sql`has_begun = true, runnable_at = ${stamp(until)}`),
      settle: Effect.fnUntraced(function* (lease) {
        const settled = yield* sql`DELETE FROM sends WHERE ${leased(lease)} RETURNING 1`
        return settled.length > 0
      }, driverFailuresDie),
      // Those that follow in the conversation wait for it: until then no claim has to pass over them.
      postpone: (lease, until) =>
        driverFailuresDie(
          Effect.map(
            sql`
              WITH postponed AS (
                UPDATE sends SET sender = NULL, has_begun = false, runnable_at = ${stamp(until)} WHERE ${leased(lease)}
                RETURNING organization_id AS organization, conversation_id AS conversation, place AS here
              ), behind AS (
                UPDATE sends SET runnable_at = greatest(runnable_at, ${stamp(until)}) FROM postponed
                WHERE organization_id = organization AND conversation_id = conversation AND place > here
              )
              SELECT 1 FROM postponed`,
            (rows) => rows.length > 0
          )
        ),
      giveBack: (lease, from) =>
        underLease(lease, sql`sender = NULL, has_begun = false, attempts = attempts - 1, runnable_at = ${stamp(from)}`),
      callFailed: Effect.fnUntraced(function* (account, most) {
        const [row] = yield* sql<{ readonly failures: number }>`
          UPDATE chat_accounts SET send_failures = greatest(send_failures, least(send_failures + 1, ${most}::integer))
          WHERE ${isAccount(account)} RETURNING send_failures AS failures`
        return row?.failures ?? 0
      }, driverFailuresDie),
      callAnswered: Effect.fnUntraced(function* (account) {
        yield* sql`UPDATE chat_accounts SET send_failures = 0, sends_rest_until = NULL WHERE ${isAccount(account)}`
      }, driverFailuresDie),
      rest: Effect.fnUntraced(function* (account, until) {
        yield* sql`
          UPDATE chat_accounts SET sends_rest_until = greatest(sends_rest_until, ${stamp(until)})
          WHERE ${isAccount(account)}`
      }, driverFailuresDie),
      nextDue: driverFailuresDie(
        Effect.map(
          sql<{ readonly at: Instant }>`
            (SELECT s.runnable_at AS at FROM sends AS s ${account}
              WHERE ${isFirst} AND (a.sends_rest_until IS NULL OR a.sends_rest_until <= s.runnable_at OR s.has_begun)
              ORDER BY s.runnable_at LIMIT 1)
            UNION ALL
            (SELECT a.sends_rest_until FROM chat_accounts AS a
              WHERE a.sends_rest_until IS NOT NULL AND EXISTS (
                SELECT FROM sends AS s WHERE s.organization_id = a.organization_id AND s.chat_account_id = a.id
                  AND s.runnable_at < a.sends_rest_until AND NOT s.has_begun AND ${isFirst})
              ORDER BY a.sends_rest_until LIMIT 1)
            ORDER BY at LIMIT 1`,
          ([row]) => (row === undefined ? null : utc(row.at))
        )
      ),
      awaitNews: awaitRing("sends")
    })
  })
)

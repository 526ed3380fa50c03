import { type ChatAccountId, CurrentOrganization, type SendLease, SendQueue } from "@parley/domain"
import { Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { type Instant, stamp, utc, utcOrNull } from "../kernel/columns.ts"
import { driverFailuresDie } from "../kernel/defects.ts"
import { isOwned } from "../work/isOwned.ts"

type Row = Omit<SendLease, "lane" | "reader" | "hasBegun">

export const layer = Layer.effect(
  SendQueue,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    // As long as the one before is there, nobody has said what came of it.
    const isFirst = sql`NOT EXISTS (
      SELECT FROM sends AS former WHERE former.organization_id = s.organization_id
        AND former.conversation_id = s.conversation_id AND former.place < s.place)`

    const underLease = Effect.fnUntraced(function* (
      lease: SendLease,
      write: (isLeased: Statement.Fragment) => Statement.Statement<object>
    ) {
      const { id } = yield* CurrentOrganization
      const { hasBegun, lane, messageId, reader, revision } = lease
      // Once a call has begun, only its sender knows what came of it, whoever owns the lane by then. Until then it may be
      // unknown whether it was stored that one begins: if it was, that was this one, and none has been made.
      const mayDecide = hasBegun
        ? sql`revision = ${revision}`
        : sql`(revision = ${revision} AND ${isOwned(sql, lane)}
            OR revision = ${revision + 1} AND has_begun AND begun_by = ${reader})`
      const isLeased = sql`organization_id = ${id} AND message_id = ${messageId} AND ${mayDecide}`
      return (yield* write(isLeased)).length > 0
    }, driverFailuresDie)

    const ofAccount = Effect.fnUntraced(function* (
      id: ChatAccountId,
      statement: (isAccount: Statement.Fragment) => Statement.Statement<object>
    ) {
      const organization = yield* CurrentOrganization
      return yield* statement(sql`organization_id = ${organization.id} AND id = ${id}`)
    }, driverFailuresDie)

    return SendQueue.of({
      next: Effect.fnUntraced(function* (lane, { except, limit, now, reader }) {
        const { id } = yield* CurrentOrganization
        const rows = yield* sql<Row>`
          SELECT s.message_id AS "messageId", s.conversation_id AS "conversationId", s.chat_account_id AS "chatAccountId",
            s.revision, s.attempts + 1 AS attempts, coalesce(a.send_failures, 0) AS failures, s.has_begun AS interrupted
          FROM sends AS s LEFT JOIN chat_accounts AS a ON a.organization_id = s.organization_id AND a.id = s.chat_account_id
          WHERE s.organization_id = ${id} AND s.chat_account_id = ${lane.key} AND s.runnable_at <= ${stamp(now)}
            AND ${isFirst} AND (a.sends_rest_until IS NULL OR a.sends_rest_until <= ${stamp(now)} OR s.has_begun)
            AND s.message_id <> ALL(${Array.from(except)}::uuid[])
          ORDER BY s.runnable_at, s.message_id LIMIT ${limit}`
        return rows.map((row) => ({ ...row, lane, reader, hasBegun: false }))
      }, driverFailuresDie),
      nextDue: Effect.fnUntraced(function* (accountId) {
        const { id } = yield* CurrentOrganization
        const isOfAccount = sql`s.organization_id = ${id} AND s.chat_account_id = ${accountId} AND ${isFirst}`
        const [row] = yield* sql<{
          readonly first: Instant | null
          readonly rest: Instant | null
          readonly begun: Instant | null
        }>`
          SELECT
            (SELECT s.runnable_at FROM sends AS s WHERE ${isOfAccount} ORDER BY s.runnable_at LIMIT 1) AS first,
            (SELECT sends_rest_until FROM chat_accounts WHERE organization_id = ${id} AND id = ${accountId}) AS rest,
            (SELECT s.runnable_at FROM sends AS s WHERE ${isOfAccount} AND s.has_begun ORDER BY s.runnable_at LIMIT 1)
              AS begun`
        if (row === undefined || row.first === null) return null
        const rested = row.rest === null || row.rest < row.first ? row.first : row.rest
        return utc(row.begun !== null && row.begun < rested ? row.begun : rested)
      }, driverFailuresDie),
      begin: Effect.fnUntraced(function* (lease) {
        const hasBegun = yield* underLease(
          lease,
          (isLeased) => sql`
            UPDATE sends SET has_begun = true, begun_by = ${lease.reader}, revision = revision + 1
            WHERE ${isLeased} AND NOT has_begun RETURNING 1`
        )
        return hasBegun ? { ...lease, revision: lease.revision + 1, hasBegun } : null
      }),
      settle: (lease) => underLease(lease, (isLeased) => sql`DELETE FROM sends WHERE ${isLeased} RETURNING 1`),
      // Those that follow in the conversation wait for it: until then nobody has to pass over them.
      postpone: (lease, until) =>
        underLease(
          lease,
          (isLeased) => sql`
            WITH postponed AS (
              UPDATE sends SET attempts = attempts + 1, has_begun = false, revision = revision + 1,
                runnable_at = ${stamp(until)} WHERE ${isLeased}
              RETURNING conversation_id AS conversation, place AS here
            ), behind AS (
              UPDATE sends SET runnable_at = greatest(runnable_at, ${stamp(until)}) FROM postponed
              WHERE organization_id = ${lease.lane.organizationId} AND conversation_id = conversation AND place > here
            )
            SELECT 1 FROM postponed`
        ),
      giveBack: (lease, from) =>
        underLease(
          lease,
          (isLeased) => sql`
            UPDATE sends SET has_begun = false, revision = revision + 1, runnable_at = ${stamp(from)}
            WHERE ${isLeased} RETURNING 1`
        ),
      standing: Effect.fnUntraced(function* (id) {
        const organization = yield* CurrentOrganization
        const [row] = yield* sql<{ readonly failures: number; readonly restsUntil: Instant | null }>`
          SELECT send_failures AS failures, sends_rest_until AS "restsUntil" FROM chat_accounts
          WHERE organization_id = ${organization.id} AND id = ${id}`
        return { failures: row?.failures ?? 0, restsUntil: utcOrNull(row?.restsUntil ?? null) }
      }, driverFailuresDie),
      callFailed: Effect.fnUntraced(function* (id, most) {
        const organization = yield* CurrentOrganization
        const [row] = yield* sql<{ readonly failures: number }>`
          UPDATE chat_accounts SET send_failures = greatest(send_failures, least(send_failures + 1, ${most}::integer))
          WHERE organization_id = ${organization.id} AND id = ${id} RETURNING send_failures AS failures`
        return row?.failures ?? 0
      }, driverFailuresDie),
      callAnswered: (id) =>
        Effect.asVoid(
          ofAccount(
            id,
            (isAccount) => sql`UPDATE chat_accounts SET send_failures = 0, sends_rest_until = NULL WHERE ${isAccount}`
          )
        ),
      rest: (id, until) =>
        Effect.asVoid(
          ofAccount(
            id,
            (isAccount) => sql`
              UPDATE chat_accounts SET sends_rest_until = greatest(sends_rest_until, ${stamp(until)}) WHERE ${isAccount}`
          )
        )
    })
  })
)

import { type MailId, type MailLease, MailQueue } from "@parley/domain"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { EventNews } from "../events/EventNews.ts"
import { type Instant, stamp, utc } from "../kernel/columns.ts"
import { driverFailuresDie } from "../kernel/defects.ts"
import { sweepInBatches } from "../kernel/sweepInBatches.ts"

interface Row {
  readonly mailId: MailId
  readonly sealedMail: string
  readonly expiresAt: Instant
  readonly sender: string
  readonly attempts: number
}

export const layer = Layer.effect(
  MailQueue,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { awaitRing, ring } = yield* EventNews

    const leased = ({ attempts, mailId, sender }: MailLease) =>
      sql`id = ${mailId} AND sender = ${sender} AND attempts = ${attempts}`

    return MailQueue.of({
      enqueue: Effect.fnUntraced(function* ({ expiresAt, mailId, now, sealedMail }) {
        yield* sql`
          INSERT INTO mails (id, sealed_mail, expires_at, attempts, runnable_at)
          VALUES (${mailId}, ${sealedMail}, ${stamp(expiresAt)}, 0, ${stamp(now)})`
        yield* sql.afterCommit(Effect.sync(() => ring("mails")))
      }, driverFailuresDie),
      // A row that another claim holds at the moment is passed over; no claim waits for another.
      claim: Effect.fnUntraced(function* ({ limit, now, sender, until }) {
        const rows = yield* sql<Row>`
          WITH next AS MATERIALIZED (
            SELECT id AS mail FROM mails WHERE runnable_at <= ${stamp(now)}
            ORDER BY runnable_at, id LIMIT ${limit} FOR UPDATE SKIP LOCKED
          )
          UPDATE mails SET sender = ${sender}, attempts = attempts + 1, runnable_at = ${stamp(until)}
          FROM next WHERE id = mail
          RETURNING id AS "mailId", sealed_mail AS "sealedMail", expires_at AS "expiresAt", sender, attempts`
        return rows.map((row) => ({ ...row, expiresAt: utc(row.expiresAt) }))
      }, driverFailuresDie),
      settle: Effect.fnUntraced(function* (lease) {
        const settled = yield* sql`DELETE FROM mails WHERE ${leased(lease)} RETURNING 1`
        return settled.length > 0
      }, driverFailuresDie),
      postpone: Effect.fnUntraced(function* (lease, until) {
        const postponed = yield* sql`
          UPDATE mails SET sender = NULL, runnable_at = ${stamp(until)} WHERE ${leased(lease)} RETURNING 1`
        return postponed.length > 0
      }, driverFailuresDie),
      nextDue: driverFailuresDie(
        Effect.map(
          sql<{ readonly at: Instant }>`SELECT runnable_at AS at FROM mails ORDER BY runnable_at LIMIT 1`,
          ([row]) => (row === undefined ? null : utc(row.at))
        )
      ),
      awaitNews: awaitRing("mails"),
      sweep: Effect.gen(function* () {
        const now = yield* DateTime.now
        return yield* sweepInBatches(
          (most) => sql`
            DELETE FROM mails WHERE id IN (
              SELECT id FROM mails WHERE expires_at <= ${stamp(now)} LIMIT ${most} FOR UPDATE SKIP LOCKED
            ) RETURNING 1`
        )
      }).pipe(driverFailuresDie)
    })
  })
)

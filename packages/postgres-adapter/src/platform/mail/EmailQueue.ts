import { type EmailMessageId, EmailQueue } from "@parley/domain/platform"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, stamp, utc } from "../../kernel/columns.ts"
import { sweepInBatches } from "../../kernel/sweepInBatches.ts"
import { storagePort } from "../../kernel/tenantPort.ts"

interface Row {
  readonly mailId: EmailMessageId
  readonly sealedMail: string
  readonly expiresAt: Instant
  readonly attempts: number
}

export const layer = Layer.effect(
  EmailQueue,
  Effect.map(SqlClient.SqlClient, (sql) =>
    storagePort(EmailQueue, {
      enqueue: Effect.fnUntraced(function* ({ expiresAt, mailId, sealedMail }) {
        yield* sql`
          INSERT INTO emails (id, sealed_email, expires_at, attempts)
          VALUES (${mailId}, ${sealedMail}, ${stamp(expiresAt)}, 0)`
      }),
      find: Effect.fnUntraced(function* (id) {
        const [row] = yield* sql<Row>`
          SELECT id AS "mailId", sealed_email AS "sealedMail", expires_at AS "expiresAt", attempts FROM emails
          WHERE id = ${id}`
        return row === undefined ? null : { ...row, expiresAt: utc(row.expiresAt) }
      }),
      countAttempt: Effect.fnUntraced(function* (id) {
        yield* sql`UPDATE emails SET attempts = attempts + 1 WHERE id = ${id}`
      }),
      remove: Effect.fnUntraced(function* (id) {
        yield* sql`DELETE FROM emails WHERE id = ${id}`
      }),
      sweep: Effect.gen(function* () {
        const now = yield* DateTime.now
        return yield* sweepInBatches(
          (most) => sql`
            DELETE FROM emails WHERE id IN (
              SELECT id FROM emails WHERE expires_at <= ${stamp(now)} LIMIT ${most} FOR UPDATE SKIP LOCKED
            ) RETURNING 1`
        )
      })
    })
  )
)

import { PasswordResets } from "@parley/domain/platform"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { stamp } from "../../kernel/columns.ts"
import { sweepInBatches } from "../../kernel/sweepInBatches.ts"
import { storagePort } from "../../kernel/tenantPort.ts"

interface Row {
  readonly email: string
}

export const layer = Layer.effect(
  PasswordResets,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const isLive = (digest: string, now: DateTime.Utc) => sql`digest = ${digest} AND expires_at > ${stamp(now)}`

    return storagePort(PasswordResets, {
      replace: Effect.fnUntraced(function* (digest, email, expiresAt) {
        yield* sql`
          INSERT INTO password_resets (digest, email, expires_at) VALUES (${digest}, ${email}, ${stamp(expiresAt)})
          ON CONFLICT (email) DO UPDATE SET digest = excluded.digest, expires_at = excluded.expires_at`
      }),
      find: Effect.fnUntraced(function* (digest, now) {
        const [row] = yield* sql<Row>`SELECT email FROM password_resets WHERE ${isLive(digest, now)}`
        return row?.email ?? null
      }),
      spend: Effect.fnUntraced(function* (digest, now) {
        const [row] = yield* sql<Row>`DELETE FROM password_resets WHERE ${isLive(digest, now)} RETURNING email`
        return row?.email ?? null
      }),
      withdraw: Effect.fnUntraced(function* (email) {
        yield* sql`DELETE FROM password_resets WHERE email = ${email}`
      }),
      sweep: Effect.gen(function* () {
        const now = yield* DateTime.now
        return yield* sweepInBatches(
          (most) => sql`
            DELETE FROM password_resets WHERE digest IN (
              SELECT digest FROM password_resets WHERE expires_at <= ${stamp(now)}
              LIMIT ${most} FOR UPDATE SKIP LOCKED
            ) RETURNING 1`
        )
      })
    })
  })
)

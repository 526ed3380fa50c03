import { PasswordResets } from "@parley/domain"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { stamp } from "../../kernel/columns.ts"
import { driverFailuresDie } from "../../kernel/defects.ts"
import { sweepInBatches } from "../../kernel/sweepInBatches.ts"

interface Row {
  readonly email: string
  readonly isGiven: boolean
}

export const layer = Layer.effect(
  PasswordResets,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const live = (digest: string, now: DateTime.Utc) =>
      sql`SELECT email FROM password_resets WHERE digest = ${digest} AND expires_at > ${stamp(now)}`

    return PasswordResets.of({
      insert: Effect.fnUntraced(function* (digest, email, expiresAt) {
        yield* sql`
          INSERT INTO password_resets (digest, email, expires_at) VALUES (${digest}, ${email}, ${stamp(expiresAt)})`
      }, driverFailuresDie),
      find: Effect.fnUntraced(function* (digest, now) {
        const [row] = yield* sql<Pick<Row, "email">>`${live(digest, now)}`
        return row?.email ?? null
      }, driverFailuresDie),
      spend: Effect.fnUntraced(function* (digest, now) {
        // Locked in one order, so two links of one mailbox do not deadlock. The second caller finds them deleted.
        const spent = yield* sql<Row>`
          DELETE FROM password_resets WHERE digest IN (
            SELECT digest FROM password_resets WHERE email = (${live(digest, now)}) ORDER BY digest FOR UPDATE
          ) RETURNING email, digest = ${digest} AS "isGiven"`
        return spent.find(({ isGiven }) => isGiven)?.email ?? null
      }, driverFailuresDie),
      withdraw: Effect.fnUntraced(function* (email) {
        yield* sql`
          DELETE FROM password_resets WHERE digest IN (
            SELECT digest FROM password_resets WHERE email = ${email} ORDER BY digest FOR UPDATE
          )`
      }, driverFailuresDie),
      sweep: Effect.gen(function* () {
        const now = yield* DateTime.now
        return yield* sweepInBatches(
          (most) => sql`
            DELETE FROM password_resets WHERE digest IN (
              SELECT digest FROM password_resets WHERE expires_at <= ${stamp(now)}
              LIMIT ${most} FOR UPDATE SKIP LOCKED
            ) RETURNING 1`
        )
      }).pipe(driverFailuresDie)
    })
  })
)

import type { SessionId, UserId } from "@parley/domain/kernel"
import { type RefreshRotation, Session, Sessions } from "@parley/domain/platform"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { asWritten, type Instant, stamp, utc } from "../../kernel/columns.ts"
import { RecentReads } from "../../kernel/RecentReads.ts"
import { sweepInBatches } from "../../kernel/sweepInBatches.ts"
import { storagePort } from "../../kernel/tenantPort.ts"

interface Row {
  readonly id: SessionId
  readonly userId: UserId
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

interface TokenRow extends Row {
  readonly isRevoked: boolean
  readonly isExpired: boolean
  readonly spentAt: Instant | null
}

/** Small, because each session also deletes a month of refresh tokens. */
const sessionsPerSweep = 50

const sessionOf = ({ createdAt, expiresAt, id, userId }: Row) =>
  new Session({ id, userId, createdAt: utc(createdAt), expiresAt: utc(expiresAt) }, asWritten)

const refusal = (row: TokenRow | undefined): RefreshRotation => {
  if (row === undefined) return { _tag: "Unknown" }
  if (row.isRevoked) return { _tag: "Revoked" }
  if (row.isExpired || row.spentAt === null) return { _tag: "Expired" }
  return { _tag: "Spent", session: sessionOf(row), spentAt: utc(row.spentAt) }
}

export const layer = Layer.effect(
  Sessions,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const recent = yield* RecentReads
    const columns = sql.literal(`s.id, s.user_id AS "userId", s.created_at AS "createdAt", s.expires_at AS "expiresAt"`)

    return storagePort(Sessions, {
      insert: Effect.fnUntraced(function* ({ createdAt, expiresAt, id, userId }, refreshDigest) {
        yield* sql`
          WITH opened AS (
            INSERT INTO sessions (id, user_id, created_at, expires_at)
            VALUES (${id}, ${userId}, ${stamp(createdAt)}, ${stamp(expiresAt)})
            RETURNING id
          )
          INSERT INTO refresh_tokens (digest, session_id) SELECT ${refreshDigest}, id FROM opened`
      }),
      rotate: Effect.fnUntraced(function* (refreshDigest, nextDigest, now) {
        // Of concurrent callers, the first one with the row lock spends it; the others then find it spent.
        const [rotated] = yield* sql<Row>`
          WITH spent AS (
            UPDATE refresh_tokens AS t SET spent_at = ${stamp(now)} FROM sessions AS s
            WHERE t.digest = ${refreshDigest} AND t.spent_at IS NULL
              AND s.id = t.session_id AND s.revoked_at IS NULL AND s.expires_at > ${stamp(now)}
            RETURNING ${columns}
          ), issued AS (
            INSERT INTO refresh_tokens (digest, session_id) SELECT ${nextDigest}, id FROM spent
          )
          SELECT * FROM spent`
        if (rotated !== undefined) return { _tag: "Rotated", session: sessionOf(rotated) } satisfies RefreshRotation
        const [row] = yield* sql<TokenRow>`
          SELECT ${columns}, s.revoked_at IS NOT NULL AS "isRevoked", s.expires_at <= ${stamp(now)} AS "isExpired",
            t.spent_at AS "spentAt"
          FROM refresh_tokens AS t JOIN sessions AS s ON s.id = t.session_id
          WHERE t.digest = ${refreshDigest}`
        return refusal(row)
      }),
      revoke: Effect.fnUntraced(function* (id, now) {
        yield* sql`UPDATE sessions SET revoked_at = ${stamp(now)} WHERE id = ${id} AND revoked_at IS NULL`
        yield* recent.forget
      }),
      revokeAllOf: Effect.fnUntraced(function* (userId, except, now) {
        // Locked in one order to prevent deadlocks.
        yield* sql`
          UPDATE sessions SET revoked_at = ${stamp(now)} WHERE id IN (
            SELECT id FROM sessions WHERE user_id = ${userId} AND revoked_at IS NULL
              ${except === null ? sql`` : sql`AND id <> ${except}`}
            ORDER BY id FOR UPDATE
          )`
        yield* recent.forget
      }),
      sweep: Effect.gen(function* () {
        const before = DateTime.subtract(yield* DateTime.now, { days: 1 })
        return yield* sweepInBatches(
          (most) => sql`
            DELETE FROM sessions WHERE id IN (
              SELECT id FROM sessions WHERE expires_at <= ${stamp(before)} LIMIT ${most} FOR UPDATE SKIP LOCKED
            ) RETURNING 1`,
          sessionsPerSweep
        )
      })
    })
  })
)

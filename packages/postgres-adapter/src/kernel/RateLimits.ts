import { RateLimits } from "@parley/domain/kernel"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, stamp, utc } from "./columns.ts"
import { sweepInBatches } from "./sweepInBatches.ts"
import { storagePort } from "./tenantPort.ts"

interface Window {
  readonly granted: number
  readonly used: number
  readonly resetsAt: Instant
}

export const layer = Layer.effect(
  RateLimits,
  Effect.map(SqlClient.SqlClient, (sql) =>
    storagePort(RateLimits, {
      spend: Effect.fnUntraced(function* (bucket, { limit, windowMillis }, units) {
        const now = yield* DateTime.now
        const resetsAt = DateTime.add(now, { milliseconds: windowMillis })
        const first = Math.min(units, limit)
        // The row stores the result of this call, because RETURNING only shows the row after the update.
        const [window] = yield* sql<Window>`
          INSERT INTO rate_limit_windows AS w (bucket, used, granted, resets_at)
          VALUES (${bucket}, ${first}, ${first}, ${stamp(resetsAt)})
          ON CONFLICT (bucket) DO UPDATE SET
            granted = CASE WHEN w.resets_at <= ${stamp(now)} THEN excluded.granted
              ELSE greatest(0, least(${units}, ${limit} - w.used)) END,
            used = CASE WHEN w.resets_at <= ${stamp(now)} THEN excluded.used
              ELSE w.used + greatest(0, least(${units}, ${limit} - w.used)) END,
            resets_at = CASE WHEN w.resets_at <= ${stamp(now)} THEN excluded.resets_at ELSE w.resets_at END
          RETURNING granted, used, resets_at AS "resetsAt"`
        if (window === undefined) return yield* Effect.die(new Error("An upsert returned no row."))
        return {
          granted: window.granted,
          remaining: Math.max(0, limit - window.used),
          resetsAt: utc(window.resetsAt)
        }
      }),
      refund: Effect.fnUntraced(function* (bucket, _quota, units) {
        yield* sql`
          UPDATE rate_limit_windows SET used = greatest(0, used - ${units})
          WHERE bucket = ${bucket} AND resets_at > ${stamp(yield* DateTime.now)}`
      }),
      sweep: Effect.gen(function* () {
        const now = yield* DateTime.now
        return yield* sweepInBatches(
          (most) => sql`
            DELETE FROM rate_limit_windows WHERE bucket IN (
              SELECT bucket FROM rate_limit_windows WHERE resets_at <= ${stamp(now)} LIMIT ${most} FOR UPDATE SKIP LOCKED
            ) RETURNING 1`
        )
      })
    })
  )
)

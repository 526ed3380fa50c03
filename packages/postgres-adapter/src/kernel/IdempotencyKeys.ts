import { IdempotencyKeyInProgress, IdempotencyKeys, type StoredResponse } from "@parley/domain"
import { DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { advisoryKey } from "./advisoryKey.ts"
import { stamp } from "./columns.ts"
import { driverFailuresDie } from "./defects.ts"
import { sweepInBatches } from "./sweepInBatches.ts"

const life = Duration.hours(24)

const oldestKept = Effect.map(DateTime.now, (now) => DateTime.subtractDuration(now, life))

export const layer = Layer.effect(
  IdempotencyKeys,
  Effect.map(SqlClient.SqlClient, (sql) => {
    return IdempotencyKeys.of({
      claim: Effect.fnUntraced(function* ({ actor, key, organizationId }) {
        const [lock] = yield* sql<{ readonly got: boolean }>`
          SELECT pg_try_advisory_xact_lock(${advisoryKey(sql, "idempotencyKey", organizationId, actor, key)}) AS got`
        // A separate statement: its snapshot must be younger than the lock.
        const [answer] = yield* sql<StoredResponse>`
          SELECT fingerprint, sealed_answer AS "sealedAnswer" FROM idempotency_keys
          WHERE organization_id = ${organizationId} AND actor = ${actor} AND key = ${key}
            AND stored_at > ${stamp(yield* oldestKept)}`
        // Without the lock, the first request is still running, or other callers are reading its answer.
        if (lock?.got !== true && answer === undefined) return yield* new IdempotencyKeyInProgress()
        return answer ?? null
      }, driverFailuresDie),
      store: Effect.fnUntraced(function* ({ actor, key, organizationId }, { fingerprint, sealedAnswer }) {
        yield* sql`
          INSERT INTO idempotency_keys (organization_id, actor, key, fingerprint, sealed_answer, stored_at)
          VALUES (${organizationId}, ${actor}, ${key}, ${fingerprint}, ${sealedAnswer}, ${stamp(yield* DateTime.now)})
          ON CONFLICT (organization_id, actor, key) DO UPDATE
          SET fingerprint = excluded.fingerprint, sealed_answer = excluded.sealed_answer, stored_at = excluded.stored_at`
      }, driverFailuresDie),
      sweep: Effect.fnUntraced(function* (organizationId) {
        const before = yield* oldestKept
        return yield* sweepInBatches(
          (most) => sql`
            WITH old AS MATERIALIZED (
              SELECT actor, key FROM idempotency_keys
              WHERE organization_id = ${organizationId} AND stored_at <= ${stamp(before)}
              LIMIT ${most} FOR UPDATE SKIP LOCKED
            )
            DELETE FROM idempotency_keys AS t USING old
            WHERE t.organization_id = ${organizationId} AND t.actor = old.actor AND t.key = old.key RETURNING 1`
        )
      }, driverFailuresDie)
    })
  })
)

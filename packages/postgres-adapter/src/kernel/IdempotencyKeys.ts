import { IdempotencyKeyInProgress, IdempotencyKeys, type StoredResponse } from "@parley/domain/kernel"
import { DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { advisoryKey } from "./advisoryKey.ts"
import { stamp } from "./columns.ts"
import { sweepInBatches } from "./sweepInBatches.ts"
import { storagePort } from "./tenantPort.ts"

const life = Duration.hours(24)

/** Longer than the life of a response whose request was under way during the erasure. */
const erasureLife = Duration.hours(25)

const before = (age: Duration.Duration) => Effect.map(DateTime.now, (now) => DateTime.subtractDuration(now, age))

export const layer = Layer.effect(
  IdempotencyKeys,
  Effect.map(SqlClient.SqlClient, (sql) => {
    // A request reads data of before an erasure if its snapshot at the claim does not contain the transaction of the erasure.
    const isWithdrawn = sql`k.may_hold_contact_data AND EXISTS (
      SELECT 1 FROM idempotency_withdrawals AS w
      WHERE w.organization_id = k.organization_id AND NOT pg_visible_in_snapshot(w.transaction_id, k.seen_erasures))`

    return storagePort(IdempotencyKeys, {
      claim: Effect.fnUntraced(function* ({ actor, key, organizationId }) {
        const [lock] = yield* sql<{ readonly got: boolean; readonly seenErasures: string }>`
          SELECT pg_try_advisory_xact_lock(${advisoryKey(sql, "idempotencyKey", organizationId, actor, key)}) AS got,
            pg_current_snapshot()::text AS "seenErasures"`
        // A separate statement: its snapshot must be younger than the lock.
        const [stored] = yield* sql<StoredResponse>`
          SELECT k.fingerprint, CASE WHEN ${isWithdrawn} THEN NULL ELSE k.sealed_answer END AS "sealedAnswer"
          FROM idempotency_keys AS k
          WHERE k.organization_id = ${organizationId} AND k.actor = ${actor} AND k.key = ${key}
            AND k.stored_at > ${stamp(yield* before(life))}`
        // Without the lock, the first request is still running, or other callers are reading its answer.
        if (lock?.got !== true && stored === undefined) return yield* new IdempotencyKeyInProgress()
        return { stored: stored ?? null, seenErasures: lock?.seenErasures ?? "" }
      }),
      store: Effect.fnUntraced(function* (
        { actor, key, organizationId },
        { seenErasures },
        { fingerprint, mayHoldContactData, sealedAnswer }
      ) {
        yield* sql`
          INSERT INTO idempotency_keys (
            organization_id, actor, key, fingerprint, sealed_answer, may_hold_contact_data, seen_erasures, stored_at
          ) VALUES (
            ${organizationId}, ${actor}, ${key}, ${fingerprint}, ${sealedAnswer}, ${mayHoldContactData},
            ${seenErasures}::pg_snapshot, ${stamp(yield* DateTime.now)}
          )
          ON CONFLICT (organization_id, actor, key) DO UPDATE
          SET fingerprint = excluded.fingerprint, sealed_answer = excluded.sealed_answer,
            may_hold_contact_data = excluded.may_hold_contact_data, seen_erasures = excluded.seen_erasures,
            stored_at = excluded.stored_at`
      }),
      withdraw: Effect.fnUntraced(function* (organizationId) {
        // One row for each transaction, so erasures do not wait for each other.
        yield* sql`
          INSERT INTO idempotency_withdrawals (organization_id, transaction_id, withdrawn_at)
          VALUES (${organizationId}, pg_current_xact_id(), ${stamp(yield* DateTime.now)})
          ON CONFLICT DO NOTHING`
      }),
      sweep: Effect.fnUntraced(function* (organizationId) {
        const withdrawn = yield* sweepInBatches(
          (most) => sql`
            WITH withdrawn AS MATERIALIZED (
              SELECT k.actor, k.key FROM idempotency_keys AS k
              WHERE k.organization_id = ${organizationId} AND k.sealed_answer IS NOT NULL
                -- Organizations without erasures skip the scan.
                AND EXISTS (SELECT 1 FROM idempotency_withdrawals WHERE organization_id = ${organizationId})
                AND ${isWithdrawn}
              LIMIT ${most} FOR UPDATE SKIP LOCKED
            )
            UPDATE idempotency_keys AS t SET sealed_answer = NULL FROM withdrawn
            WHERE t.organization_id = ${organizationId} AND t.actor = withdrawn.actor AND t.key = withdrawn.key
            RETURNING 1`
        )
        const oldestKept = yield* before(life)
        const expired = yield* sweepInBatches(
          (most) => sql`
            WITH old AS MATERIALIZED (
              SELECT actor, key FROM idempotency_keys
              WHERE organization_id = ${organizationId} AND stored_at <= ${stamp(oldestKept)}
              LIMIT ${most} FOR UPDATE SKIP LOCKED
            )
            DELETE FROM idempotency_keys AS t USING old
            WHERE t.organization_id = ${organizationId} AND t.actor = old.actor AND t.key = old.key RETURNING 1`
        )
        yield* sql`
          DELETE FROM idempotency_withdrawals
          WHERE organization_id = ${organizationId} AND withdrawn_at <= ${stamp(yield* before(erasureLife))}`
        return withdrawn + expired
      })
    })
  })
)

import { knownAddressLifetime, KnownAddresses, maxKnownAddresses } from "@parley/domain/platform"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { stamp } from "../../kernel/columns.ts"
import { sweepInBatches } from "../../kernel/sweepInBatches.ts"
import { storagePort } from "../../kernel/tenantPort.ts"

export const layer = Layer.effect(
  KnownAddresses,
  Effect.map(SqlClient.SqlClient, (sql) =>
    storagePort(KnownAddresses, {
      slotOf: Effect.fnUntraced(function* (account, address, since) {
        const [row] = yield* sql<{ readonly slot: number }>`
          SELECT slot FROM login_addresses
          WHERE account = ${account} AND address = ${address} AND seen_at > ${stamp(since)} ORDER BY slot LIMIT 1`
        return row?.slot ?? null
      }),
      note: Effect.fnUntraced(function* (account, address, now) {
        // The row of the address, or else a free slot, or else the slot of the address seen longest ago.
        yield* sql`
          INSERT INTO login_addresses AS known (account, slot, address, seen_at)
          SELECT ${account}, s.slot, ${address}, ${stamp(now)}::timestamptz
          FROM generate_series(0, ${maxKnownAddresses - 1}::integer) AS s (slot)
          LEFT JOIN login_addresses AS l ON l.account = ${account} AND l.slot = s.slot
          ORDER BY (l.address IS NOT DISTINCT FROM ${address}) DESC, l.seen_at NULLS FIRST, s.slot LIMIT 1
          ON CONFLICT (account, slot) DO UPDATE SET address = excluded.address, seen_at = excluded.seen_at
          WHERE known.address <> excluded.address OR known.seen_at <= excluded.seen_at - interval '1 hour'`
      }),
      forget: Effect.fnUntraced(function* (account) {
        yield* sql`DELETE FROM login_addresses WHERE account = ${account}`
      }),
      sweep: Effect.gen(function* () {
        const since = DateTime.subtractDuration(yield* DateTime.now, knownAddressLifetime)
        return yield* sweepInBatches(
          (most) => sql`
            DELETE FROM login_addresses WHERE (account, slot) IN (
              SELECT account, slot FROM login_addresses WHERE seen_at <= ${stamp(since)}
              LIMIT ${most} FOR UPDATE SKIP LOCKED
            ) RETURNING 1`
        )
      })
    })
  )
)

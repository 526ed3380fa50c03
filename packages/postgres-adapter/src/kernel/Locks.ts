import { Locks } from "@parley/domain/kernel"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { advisoryKey } from "./advisoryKey.ts"
import { tenantPort } from "./tenantPort.ts"

export const layer = Layer.effect(
  Locks,
  Effect.map(SqlClient.SqlClient, (sql) =>
    tenantPort(Locks, {
      exclusive: Effect.fnUntraced(function* (organization, name) {
        yield* sql`SELECT FROM pg_advisory_xact_lock(${advisoryKey(sql, "lock", organization.id, name)})`
      }),
      shared: Effect.fnUntraced(function* (organization, name) {
        yield* sql`SELECT FROM pg_advisory_xact_lock_shared(${advisoryKey(sql, "lock", organization.id, name)})`
      })
    })
  )
)

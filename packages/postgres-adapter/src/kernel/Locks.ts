import { CurrentOrganization, Locks } from "@parley/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { advisoryKey } from "./advisoryKey.ts"
import { driverFailuresDie } from "./defects.ts"

export const layer = Layer.effect(
  Locks,
  Effect.map(SqlClient.SqlClient, (sql) =>
    Locks.of({
      exclusive: Effect.fnUntraced(function* (name) {
        const organization = yield* CurrentOrganization
        yield* sql`SELECT FROM pg_advisory_xact_lock(${advisoryKey(sql, "lock", organization.id, name)})`
      }, driverFailuresDie),
      shared: Effect.fnUntraced(function* (name) {
        const organization = yield* CurrentOrganization
        yield* sql`SELECT FROM pg_advisory_xact_lock_shared(${advisoryKey(sql, "lock", organization.id, name)})`
      }, driverFailuresDie)
    })
  )
)

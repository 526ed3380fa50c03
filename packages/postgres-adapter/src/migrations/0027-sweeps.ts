import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What has expired is deleted organization by organization. */
export const sweeps = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`DROP INDEX idempotency_keys_age`
  yield* sql`CREATE INDEX idempotency_keys_age ON idempotency_keys (organization_id, stored_at)`
  yield* sql`DROP INDEX docs_codes_expiry`
  yield* sql`CREATE INDEX docs_codes_expiry ON docs_codes (organization_id, expires_at)`
  yield* sql`DROP INDEX files_to_sweep`
  yield* sql`CREATE INDEX files_to_sweep ON files (organization_id, state, begun_at) WHERE state <> 'complete'`
  yield* sql`DROP INDEX contact_import_faults_by_age`
  yield* sql`CREATE INDEX contact_import_faults_by_age ON contact_import_faults (organization_id, imported_at)`
  yield* sql`DROP INDEX media_to_sweep`
  yield* sql`CREATE INDEX media_to_sweep ON media (organization_id, created_at) WHERE NOT is_used`
  yield* sql`DROP INDEX deliveries_applied`
  yield* sql`CREATE INDEX deliveries_applied ON deliveries (organization_id, applied_at) WHERE state = 'applied'`
})

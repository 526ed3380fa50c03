import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Journeys to shops are finished by their starter, with a verifier and a one-time code. */
export const parkedStoreCodes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // States live for ten minutes. Those of before have no challenge, so no starter can finish them.
  yield* sql`DELETE FROM store_authorizations`
  yield* sql`ALTER TABLE store_authorizations DROP COLUMN permissions`
  yield* sql`ALTER TABLE store_authorizations ADD COLUMN code_challenge text COLLATE "C" NOT NULL`

  // No key to the connection: a completing call holds its row while it waits for the lock of stores, and a removal would wait the other way round.
  yield* sql`
    CREATE TABLE store_parked_codes (
      organization_id uuid NOT NULL REFERENCES organizations,
      digest text COLLATE "C" NOT NULL,
      store_connection_id uuid NOT NULL,
      provider text COLLATE "C" NOT NULL,
      shop_domain text COLLATE "C" NOT NULL,
      actor_kind text COLLATE "C" NOT NULL,
      actor_id text COLLATE "C" NOT NULL,
      code_challenge text COLLATE "C" NOT NULL,
      sealed_code text COLLATE "C" NOT NULL,
      expires_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, digest)
    )`
  // Failures in a row of the lane that reads a store, and when it tries again.
  yield* sql`ALTER TABLE store_connections ADD COLUMN retry json`
  yield* sql`CREATE INDEX store_parked_codes_by_expiry ON store_parked_codes (organization_id, expires_at)`
})

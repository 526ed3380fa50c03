import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Starters complete journeys to shops, with a verifier and a one-time code. */
export const parkedStoreCodes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // States live for ten minutes. Earlier states have no challenge, so no starter can complete them.
  yield* sql`DELETE FROM store_authorizations`
  yield* sql`ALTER TABLE store_authorizations DROP COLUMN permissions`
  yield* sql`ALTER TABLE store_authorizations ADD COLUMN code_challenge text COLLATE "C" NOT NULL`

  // No foreign key to the connection: a completing call locks its row and then waits for the lock of stores, and a removal uses the opposite order.
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
  // Consecutive failures of the lane that reads a store, and the time of its next attempt.
  yield* sql`ALTER TABLE store_connections ADD COLUMN retry json`
  yield* sql`CREATE INDEX store_parked_codes_by_expiry ON store_parked_codes (organization_id, expires_at)`
})

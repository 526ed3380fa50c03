import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Records of shops that could not be read. */
export const skippedRecords = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE store_skipped_records (
      organization_id uuid NOT NULL REFERENCES organizations,
      store_connection_id uuid NOT NULL,
      kind text COLLATE "C" NOT NULL,
      external_id text COLLATE "C" NOT NULL,
      reason text NOT NULL,
      reader_version text COLLATE "C" NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, store_connection_id, kind, external_id),
      CONSTRAINT store_skipped_records_connection FOREIGN KEY (organization_id, store_connection_id)
        REFERENCES store_connections ON DELETE CASCADE
    )`
})

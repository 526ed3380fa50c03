import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Files, and their bytes in chunks of one size. */
export const files = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE files (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      state text NOT NULL,
      size bigint,
      begun_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id)
    )`
  yield* sql`CREATE INDEX files_to_sweep ON files (state, begun_at) WHERE state <> 'complete'`

  yield* sql`
    CREATE TABLE file_chunks (
      organization_id uuid NOT NULL,
      file_id uuid NOT NULL,
      number integer NOT NULL,
      bytes bytea NOT NULL,
      PRIMARY KEY (organization_id, file_id, number),
      CONSTRAINT file_chunks_file FOREIGN KEY (organization_id, file_id) REFERENCES files ON DELETE CASCADE
    )`

  // What is uploaded is mostly compressed already, or read once: the time to compress it is not worth the room.
  yield* sql`ALTER TABLE file_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL`
})

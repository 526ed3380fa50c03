import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Imports of contacts: what was asked for, the files that came, and the rows that were bad. */
export const imports = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE contact_imports (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      job_id uuid NOT NULL,
      file_id uuid NOT NULL,
      details jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id)
    )`
  yield* sql`CREATE INDEX contact_imports_file ON contact_imports (organization_id, file_id)`

  // A row goes when its file does: what is here is what the sweep has to look at.
  yield* sql`
    CREATE TABLE contact_files (
      organization_id uuid NOT NULL REFERENCES organizations,
      file_id uuid NOT NULL,
      expected_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, file_id)
    )`

  yield* sql`
    CREATE TABLE contact_import_faults (
      organization_id uuid NOT NULL REFERENCES organizations,
      import_id uuid NOT NULL,
      number integer NOT NULL,
      line integer NOT NULL,
      "column" text,
      reason text NOT NULL,
      cells jsonb NOT NULL,
      imported_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, import_id, number)
    )`
  yield* sql`CREATE INDEX contact_import_faults_by_age ON contact_import_faults USING brin (imported_at)`
})

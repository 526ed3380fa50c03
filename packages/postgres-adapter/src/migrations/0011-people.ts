import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The suppression list, whose digests outlive contacts, and who may be one person. */
export const people = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // One for each organization, so that nobody sees in two lists that they are about the same person.
  yield* sql`
    CREATE TABLE suppression_keys (
      organization_id uuid PRIMARY KEY REFERENCES organizations,
      sealed_key text NOT NULL
    )`
  yield* sql`
    CREATE TABLE suppressions (
      organization_id uuid NOT NULL REFERENCES organizations,
      digest text COLLATE "C" NOT NULL,
      at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, digest)
    )`

  // Each stands twice, once from either side. Whose identities they are, contact_identities says, also after a merge.
  yield* sql`
    CREATE TABLE duplicate_links (
      organization_id uuid NOT NULL REFERENCES organizations,
      kind text COLLATE "C" NOT NULL,
      key text COLLATE "C" NOT NULL,
      other_kind text COLLATE "C" NOT NULL,
      other_key text COLLATE "C" NOT NULL,
      id uuid NOT NULL,
      source text NOT NULL,
      found_at timestamptz NOT NULL,
      dismissed_at timestamptz,
      PRIMARY KEY (organization_id, kind, key, other_kind, other_key)
    )`
})

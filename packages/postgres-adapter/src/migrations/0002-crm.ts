import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Contacts, their identities and the words of their names. */
const contacts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Both extensions are trusted: they need no superuser.
  yield* sql`CREATE EXTENSION IF NOT EXISTS pg_trgm`
  yield* sql`CREATE EXTENSION IF NOT EXISTS btree_gin`

  // Tags are in the row too: a change of tags updates the version anyway, and a read needs no join. The fill factor leaves space for the next
  // version on the page.
  yield* sql`
    CREATE TABLE contacts (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      name text,
      name_key text COLLATE "C" NOT NULL,
      phone text COLLATE "C",
      email text COLLATE "C",
      username text,
      identities jsonb NOT NULL,
      locale text COLLATE "C",
      timezone text,
      attributes jsonb NOT NULL,
      tags uuid[] NOT NULL,
      marketing text NOT NULL,
      consent_source text,
      consent_changed_at timestamptz,
      blocked_at timestamptz,
      last_seen_at timestamptz,
      last_inbound_at timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      version integer NOT NULL,
      search text COLLATE "C" NOT NULL,
      PRIMARY KEY (organization_id, id)
    ) WITH (fillfactor = 90)`
  yield* sql`CREATE INDEX contacts_by_name ON contacts (organization_id, name_key, id)`
  yield* sql`
    CREATE INDEX contacts_by_last_seen ON contacts (organization_id, (COALESCE(last_seen_at, '-infinity')), id)`
  yield* sql`CREATE INDEX contacts_by_creation ON contacts (organization_id, created_at)`
  yield* sql`CREATE INDEX contacts_by_consent ON contacts (organization_id, marketing, id)`
  yield* sql`CREATE INDEX contacts_blocked ON contacts (organization_id, id) WHERE blocked_at IS NOT NULL`
  yield* sql`CREATE INDEX contacts_without_phone ON contacts (organization_id, id) WHERE phone IS NULL`
  yield* sql`CREATE INDEX contacts_without_email ON contacts (organization_id, id) WHERE email IS NULL`
  yield* sql`CREATE INDEX contacts_search ON contacts USING gin (organization_id, search gin_trgm_ops)`
  // Days of the dates in the fields of a contact, for example `{birthday 02-28}`.
  yield* sql`
    CREATE FUNCTION contact_days(attributes jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $days$
      SELECT coalesce(array_agg(key || ' ' || substr(value, 6)), '{}') FROM jsonb_each_text(attributes)
      WHERE value ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'
    $days$`
  yield* sql`CREATE INDEX contacts_days ON contacts USING gin (organization_id, contact_days(attributes))`
  yield* sql`CREATE INDEX contacts_attributes ON contacts USING gin (organization_id, attributes)`
  // Contains only names whose search text differs from the name key. Searches for a prefix are limited to 16 characters.
  yield* sql`
    CREATE INDEX contacts_beginning ON contacts (organization_id, (left(search, 16)))
    WHERE NOT starts_with(search, name_key)`
  // Contains what most audiences need, so a million contacts are counted without reading their rows.
  yield* sql`CREATE INDEX contacts_audience ON contacts (organization_id, id) INCLUDE (phone, marketing, blocked_at)`

  // Separate from organizations, whose rows must not change with every contact. `ids_tell_time` is false after a contact was created with an id
  // of another time.
  yield* sql`
    CREATE TABLE contact_counts (
      organization_id uuid PRIMARY KEY REFERENCES organizations,
      count integer NOT NULL,
      ids_tell_time boolean NOT NULL DEFAULT true
    ) WITH (fillfactor = 50)`

  // Written before the contacts, so a conflict has nothing to undo. Therefore it has no foreign key.
  yield* sql`
    CREATE TABLE contact_identities (
      organization_id uuid NOT NULL REFERENCES organizations,
      kind text COLLATE "C" NOT NULL,
      key text COLLATE "C" NOT NULL,
      contact_id uuid NOT NULL,
      PRIMARY KEY (organization_id, kind, key)
    )`

  // Words of names, for searches with typos. An uncertain word may have lost its last contact.
  yield* sql`
    CREATE TABLE contact_search_words (
      organization_id uuid NOT NULL REFERENCES organizations,
      word text COLLATE "C" NOT NULL,
      is_uncertain boolean NOT NULL DEFAULT false,
      PRIMARY KEY (organization_id, word)
    )`
  yield* sql`
    CREATE INDEX contact_search_words_like ON contact_search_words USING gin (organization_id, word gin_trgm_ops)`
  yield* sql`
    CREATE INDEX contact_search_words_uncertain ON contact_search_words (organization_id, word) WHERE is_uncertain`
})

/** Tags, fields and segments. */
const fields = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE tags (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      name text NOT NULL,
      name_key text COLLATE "C" NOT NULL,
      color text NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      version integer NOT NULL,
      PRIMARY KEY (organization_id, id),
      CONSTRAINT tags_name UNIQUE (organization_id, name_key)
    ) WITH (fillfactor = 50)`

  // The number of contacts with a tag is the sum of its rows. A writer adds a row and merges unlocked ones, so no writer waits. Has no foreign key to
  // tags, like `contact_tags`.
  yield* sql`
    CREATE TABLE tag_counts (
      organization_id uuid NOT NULL REFERENCES organizations,
      tag_id uuid NOT NULL,
      id uuid NOT NULL DEFAULT gen_random_uuid(),
      contacts integer NOT NULL,
      PRIMARY KEY (organization_id, tag_id, id)
    )`

  // Has no foreign key to tags: a tag of millions of contacts is deleted immediately, and its rows later.
  yield* sql`
    CREATE TABLE contact_tags (
      organization_id uuid NOT NULL REFERENCES organizations,
      tag_id uuid NOT NULL,
      contact_id uuid NOT NULL,
      PRIMARY KEY (organization_id, tag_id, contact_id)
    )`

  yield* sql`
    CREATE TABLE removed_tags (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      PRIMARY KEY (organization_id, id)
    )`

  yield* sql`
    CREATE TABLE contact_fields (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      key text NOT NULL,
      folded_key text COLLATE "C" NOT NULL,
      name text NOT NULL,
      type text NOT NULL,
      choices jsonb,
      status text NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      version integer NOT NULL,
      PRIMARY KEY (organization_id, id),
      CONSTRAINT contact_fields_key UNIQUE (organization_id, folded_key)
    )`

  yield* sql`
    CREATE TABLE segments (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      name text NOT NULL,
      name_key text COLLATE "C" NOT NULL,
      filter jsonb NOT NULL,
      made_of uuid[] NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      version integer NOT NULL,
      PRIMARY KEY (organization_id, id),
      CONSTRAINT segments_name UNIQUE (organization_id, name_key)
    )`
})

/** Merges, possible duplicates and the timeline of contacts. */
const history = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE contact_merges (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      survivor_id uuid NOT NULL,
      merged_id uuid NOT NULL,
      before jsonb NOT NULL,
      merged jsonb NOT NULL,
      actor_kind text NOT NULL,
      actor_id text NOT NULL,
      at timestamptz NOT NULL,
      undone_at timestamptz,
      PRIMARY KEY (organization_id, id)
    )`
  yield* sql`CREATE INDEX contact_merges_survivor ON contact_merges (organization_id, survivor_id, id)`
  yield* sql`CREATE INDEX contact_merges_merged ON contact_merges (organization_id, merged_id)`

  // Each link has two rows, for both sides. `contact_identities` contains the contacts, also after a merge.
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

  // Has no foreign key to contacts, because entries outlive them. `transferred_by` lists the merges that transferred an entry, the last one at the
  // end.
  yield* sql`
    CREATE TABLE contact_notes (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      contact_id uuid NOT NULL,
      transferred_by uuid[] NOT NULL DEFAULT '{}',
      kind text NOT NULL,
      other_id uuid,
      merge_id uuid,
      actor_kind text NOT NULL,
      actor_id text NOT NULL,
      at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id)
    )`
  yield* sql`CREATE INDEX contact_notes_contact ON contact_notes (organization_id, contact_id, at, id)`
})

/** Consent, and digests of suppressed identities that outlive contacts. */
const consent = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Has no foreign key to contacts, because the ledger outlives them.
  yield* sql`
    CREATE TABLE consent_changes (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      contact_id uuid NOT NULL,
      transferred_by uuid[] NOT NULL DEFAULT '{}',
      purpose text NOT NULL,
      state text NOT NULL,
      source text NOT NULL,
      evidence text,
      actor_kind text NOT NULL,
      actor_id text NOT NULL,
      run_id uuid,
      at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id)
    )`
  yield* sql`CREATE INDEX consent_changes_contact ON consent_changes (organization_id, contact_id, at, id)`

  // One key per organization, so the lists of two organizations cannot be compared.
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
})

/** Imports of contacts, their files and the rejected rows. */
const imports = Effect.gen(function* () {
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

  // A row is deleted with its file. The sweep reads only this table.
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
      of_contacts boolean NOT NULL,
      imported_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, import_id, number)
    )`
  yield* sql`CREATE INDEX contact_import_faults_by_age ON contact_import_faults (organization_id, imported_at)`
})

/** Tables of contacts, consent and imports. */
export const crm = Effect.all([contacts, fields, history, consent, imports], { discard: true })

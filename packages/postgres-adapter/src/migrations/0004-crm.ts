import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Contacts, what they are known by, what sorts them, and what happened with them. */
export const crm = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Both are trusted: whoever may create tables here may create them.
  yield* sql`CREATE EXTENSION IF NOT EXISTS pg_trgm`
  yield* sql`CREATE EXTENSION IF NOT EXISTS btree_gin`

  // Tags stand in the row too, because whoever changes them changes its version anyway: a row is read without a join,
  // and no index has to be touched for it. There is room on the page for the next version.
  yield* sql`
    CREATE TABLE contacts (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      name text,
      name_key text COLLATE "C" NOT NULL,
      phone text COLLATE "C",
      email text COLLATE "C",
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
  yield* sql`CREATE INDEX contacts_attributes ON contacts USING gin (organization_id, attributes)`

  // Apart from organizations, whose rows must not change with every contact. Ids tell the time as long as no contact came
  // with an id that was made at another time than the contact.
  yield* sql`
    CREATE TABLE contact_counts (
      organization_id uuid PRIMARY KEY REFERENCES organizations,
      count integer NOT NULL,
      ids_tell_time boolean NOT NULL DEFAULT true
    ) WITH (fillfactor = 50)`

  // Written before the contacts, so that a clash has nothing to undo: hence no foreign key.
  yield* sql`
    CREATE TABLE contact_identities (
      organization_id uuid NOT NULL REFERENCES organizations,
      kind text COLLATE "C" NOT NULL,
      key text COLLATE "C" NOT NULL,
      contact_id uuid NOT NULL,
      PRIMARY KEY (organization_id, kind, key)
    )`

  // The words of names, for searches with typing errors. A doubted one may have lost its last contact.
  yield* sql`
    CREATE TABLE contact_words (
      organization_id uuid NOT NULL REFERENCES organizations,
      word text COLLATE "C" NOT NULL,
      doubted boolean NOT NULL DEFAULT false,
      PRIMARY KEY (organization_id, word)
    )`
  yield* sql`CREATE INDEX contact_words_like ON contact_words USING gin (organization_id, word gin_trgm_ops)`
  yield* sql`CREATE INDEX contact_words_doubted ON contact_words (organization_id, word) WHERE doubted`

  yield* sql`
    CREATE TABLE tags (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      name text NOT NULL,
      name_key text COLLATE "C" NOT NULL,
      color text NOT NULL,
      contact_count integer NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      version integer NOT NULL,
      PRIMARY KEY (organization_id, id),
      CONSTRAINT tags_name UNIQUE (organization_id, name_key)
    ) WITH (fillfactor = 50)`

  // No foreign key to tags: a tag of millions goes at once, and is swept up later.
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
      label text NOT NULL,
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

  // No foreign keys to contacts: the ledger outlives them. `handed_by` are the merges that handed an entry over, the
  // last one at the end.
  yield* sql`
    CREATE TABLE consent_changes (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      contact_id uuid NOT NULL,
      handed_by uuid[] NOT NULL DEFAULT '{}',
      purpose text NOT NULL,
      state text NOT NULL,
      source text NOT NULL,
      evidence text,
      actor_kind text NOT NULL,
      actor_id text NOT NULL,
      at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id)
    )`
  yield* sql`CREATE INDEX consent_changes_contact ON consent_changes (organization_id, contact_id, at, id)`

  yield* sql`
    CREATE TABLE contact_notes (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      contact_id uuid NOT NULL,
      handed_by uuid[] NOT NULL DEFAULT '{}',
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

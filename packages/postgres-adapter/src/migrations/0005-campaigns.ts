import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Broadcasts and the settings of all broadcasts. */
const broadcasts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // `list_revision` increases when pending recipients change outside of sending, so a claim detects that it has read old recipients.
  yield* sql`
    CREATE TABLE broadcasts (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      recipient_prefix text COLLATE "C" NOT NULL,
      name text NOT NULL,
      name_key text COLLATE "C" NOT NULL,
      chat_account_id uuid,
      template_id uuid,
      variables json NOT NULL,
      variants json,
      hold_out integer NOT NULL,
      split_key text NOT NULL,
      audience json,
      exclude json,
      audience_snapshot_id uuid,
      retry json,
      throttle_per_minute integer,
      ignore_frequency_caps boolean NOT NULL,
      ignore_quiet_hours boolean NOT NULL,
      reply_hours integer NOT NULL,
      uplift_days integer NOT NULL,
      status text COLLATE "C" NOT NULL,
      schedule json,
      waiting json,
      pause json,
      failure json,
      end_reason text,
      source json,
      list_revision integer NOT NULL DEFAULT 0,
      frozen_at timestamptz,
      started_at timestamptz,
      ended_at timestamptz,
      recipients_kept_until timestamptz,
      recipients_deleted_at timestamptz,
      created_by uuid,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      version integer NOT NULL,
      PRIMARY KEY (organization_id, id),
      CONSTRAINT broadcasts_prefix UNIQUE (organization_id, recipient_prefix)
    )`
  yield* sql`CREATE INDEX broadcasts_by_status ON broadcasts (organization_id, status, id)`
  yield* sql`
    CREATE INDEX broadcasts_active ON broadcasts (organization_id, chat_account_id, id)
    WHERE status IN ('scheduled', 'sending', 'paused')`
  yield* sql`CREATE INDEX broadcasts_by_name ON broadcasts USING gin (organization_id, name_key gin_trgm_ops)`
  yield* sql`
    CREATE INDEX broadcasts_expiring ON broadcasts (organization_id, recipients_kept_until)
    WHERE recipients_kept_until IS NOT NULL AND recipients_deleted_at IS NULL`
  yield* sql`
    CREATE INDEX broadcasts_started ON broadcasts (organization_id, started_at, id) WHERE started_at IS NOT NULL`

  yield* sql`
    CREATE TABLE broadcast_settings (
      organization_id uuid PRIMARY KEY REFERENCES organizations,
      quiet_hours json,
      frequency_caps json NOT NULL,
      opt_out_words json NOT NULL,
      opt_in_words json NOT NULL,
      opt_out_reply json,
      attribution_hours integer NOT NULL,
      version integer NOT NULL
    )`

  // Recipients that a broadcast reserves of the plan's monthly limit. The amount only decreases, so only a reservation has to count.
  yield* sql`
    CREATE TABLE broadcast_reservations (
      organization_id uuid NOT NULL,
      broadcast_id uuid NOT NULL,
      month timestamptz NOT NULL,
      amount integer NOT NULL CHECK (amount >= 0),
      PRIMARY KEY (organization_id, broadcast_id),
      CONSTRAINT broadcast_reservations_broadcast FOREIGN KEY (organization_id, broadcast_id) REFERENCES broadcasts
        ON DELETE CASCADE
    ) WITH (fillfactor = 50)`
  yield* sql`CREATE INDEX broadcast_reservations_by_month ON broadcast_reservations (organization_id, month)`
})

/** Recipients of broadcasts and the progress of sending. */
const recipients = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Each status change of a recipient changes these counters in the same transaction, so this row is written most often.
  yield* sql`
    CREATE TABLE broadcast_progress (
      organization_id uuid NOT NULL,
      broadcast_id uuid NOT NULL,
      matched integer NOT NULL DEFAULT 0,
      pending integer NOT NULL DEFAULT 0,
      in_flight integer NOT NULL DEFAULT 0,
      in_doubt integer NOT NULL DEFAULT 0,
      sent integer NOT NULL DEFAULT 0,
      delivered integer NOT NULL DEFAULT 0,
      read integer NOT NULL DEFAULT 0,
      failed integer NOT NULL DEFAULT 0,
      excluded integer NOT NULL DEFAULT 0,
      held_out integer NOT NULL DEFAULT 0,
      never_sent integer NOT NULL DEFAULT 0,
      replied integer NOT NULL DEFAULT 0,
      opted_out integer NOT NULL DEFAULT 0,
      frozen_after uuid,
      list_size integer NOT NULL DEFAULT 0,
      list_position integer NOT NULL DEFAULT 0,
      has_recalled boolean NOT NULL DEFAULT false,
      fence bigint NOT NULL DEFAULT 0,
      claimed_at timestamptz,
      in_doubt_at timestamptz,
      progress_reported_at timestamptz,
      stopped_at timestamptz,
      PRIMARY KEY (organization_id, broadcast_id),
      CONSTRAINT broadcast_progress_adds_up CHECK (matched = pending + in_flight + in_doubt + sent + delivered + read
        + failed + excluded + held_out + never_sent),
      CONSTRAINT broadcast_progress_broadcast FOREIGN KEY (organization_id, broadcast_id) REFERENCES broadcasts
        ON DELETE CASCADE
    ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200)`

  // Written when the audience is frozen, and again with the result, which doubles the row: therefore the fill factor. No index contains the status,
  // so the second write changes none. `waits_until` changes only with waiting recipients. `split_due_at` is the time when a recipient of a hold-out
  // was due at first, because `due_at` moves when a recipient is postponed.
  yield* sql`
    CREATE TABLE broadcast_recipients (
      organization_id uuid NOT NULL,
      broadcast_id uuid NOT NULL,
      seq integer NOT NULL,
      contact_id uuid NOT NULL,
      conversation_id uuid,
      address_kind text COLLATE "C",
      address text COLLATE "C",
      transferred_by uuid[],
      variant "char",
      split_due_at timestamptz,
      status text COLLATE "C" NOT NULL,
      reason text,
      error json,
      due_at timestamptz,
      waits_until timestamptz
        GENERATED ALWAYS AS (CASE WHEN status = 'waiting' THEN due_at END) STORED,
      postponed_until timestamptz,
      attempts smallint NOT NULL DEFAULT 0,
      "values" json,
      provider_message_id text COLLATE "C",
      called_at timestamptz,
      sent_at timestamptz,
      delivered_at timestamptz,
      read_at timestamptz,
      failed_at timestamptz,
      replied_at timestamptz,
      opted_out_at timestamptz,
      PRIMARY KEY (organization_id, broadcast_id, seq),
      CONSTRAINT broadcast_recipients_broadcast FOREIGN KEY (organization_id, broadcast_id) REFERENCES broadcasts
        ON DELETE CASCADE
    ) WITH (fillfactor = 50)`
  yield* sql`
    CREATE INDEX broadcast_recipients_waiting ON broadcast_recipients
    (organization_id, broadcast_id, waits_until, seq) WHERE waits_until IS NOT NULL`
  // A contact has one own recipient per broadcast, and the recipients of contacts that were merged into it.
  yield* sql`
    CREATE UNIQUE INDEX broadcast_recipients_own ON broadcast_recipients
    (organization_id, contact_id, broadcast_id, (CASE WHEN transferred_by IS NULL THEN 0 ELSE seq END))`
  yield* sql`
    CREATE INDEX broadcast_recipients_transferred ON broadcast_recipients (organization_id, broadcast_id, contact_id)
    WHERE transferred_by IS NOT NULL`

  // Recipients that are claimed and have no result. A row is stored before the provider is called and deleted with the last result.
  yield* sql`
    CREATE TABLE broadcast_claims (
      organization_id uuid NOT NULL,
      broadcast_id uuid NOT NULL,
      id uuid NOT NULL,
      fence bigint NOT NULL,
      seqs integer[] NOT NULL,
      contact_ids uuid[] NOT NULL,
      "values" json NOT NULL,
      claimed_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, broadcast_id, id),
      CONSTRAINT broadcast_claims_broadcast FOREIGN KEY (organization_id, broadcast_id) REFERENCES broadcasts
        ON DELETE CASCADE
    ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200)`
})

/** Counted results, and the reports that stay when recipients are deleted. */
const results = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE broadcast_counts (
      organization_id uuid NOT NULL,
      broadcast_id uuid NOT NULL,
      variant text COLLATE "C" NOT NULL,
      status text COLLATE "C" NOT NULL,
      cause text COLLATE "C" NOT NULL,
      recipients integer NOT NULL,
      replied integer NOT NULL,
      opted_out integer NOT NULL,
      PRIMARY KEY (organization_id, broadcast_id, variant, status, cause),
      CONSTRAINT broadcast_counts_broadcast FOREIGN KEY (organization_id, broadcast_id) REFERENCES broadcasts
        ON DELETE CASCADE
    ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200)`

  yield* sql`
    CREATE TABLE broadcast_button_taps (
      organization_id uuid NOT NULL,
      broadcast_id uuid NOT NULL,
      variant text COLLATE "C" NOT NULL,
      button text COLLATE "C" NOT NULL,
      taps integer NOT NULL,
      PRIMARY KEY (organization_id, broadcast_id, variant, button),
      CONSTRAINT broadcast_button_taps_broadcast FOREIGN KEY (organization_id, broadcast_id) REFERENCES broadcasts
        ON DELETE CASCADE
    ) WITH (fillfactor = 50)`

  yield* sql`
    CREATE TABLE broadcast_reports (
      organization_id uuid NOT NULL,
      broadcast_id uuid NOT NULL,
      report json NOT NULL,
      PRIMARY KEY (organization_id, broadcast_id),
      CONSTRAINT broadcast_reports_broadcast FOREIGN KEY (organization_id, broadcast_id) REFERENCES broadcasts
        ON DELETE CASCADE
    )`
})

/** Stored audiences. */
const audiences = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE audience_snapshots (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      made_from json NOT NULL,
      matched integer NOT NULL,
      created_at timestamptz NOT NULL,
      expires_at timestamptz,
      PRIMARY KEY (organization_id, id)
    )`
  yield* sql`CREATE INDEX audience_snapshots_by_expiry ON audience_snapshots (organization_id, expires_at)`

  // Read in the order of contacts, so a merged contact keeps its row and `transferred_to` names the other one.
  yield* sql`
    CREATE TABLE audience_snapshot_contacts (
      organization_id uuid NOT NULL,
      snapshot_id uuid NOT NULL,
      contact_id uuid NOT NULL,
      address_kind text COLLATE "C",
      address text COLLATE "C",
      reason text,
      transferred_to uuid,
      transferred_by uuid[],
      PRIMARY KEY (organization_id, snapshot_id, contact_id),
      CONSTRAINT audience_snapshot_contacts_snapshot FOREIGN KEY (organization_id, snapshot_id)
        REFERENCES audience_snapshots ON DELETE CASCADE
    )`
  yield* sql`
    CREATE INDEX audience_snapshot_contacts_transferred ON audience_snapshot_contacts
    (organization_id, transferred_to) WHERE transferred_to IS NOT NULL`
})

/** Tables of broadcasts and audiences. */
export const campaigns = Effect.all([broadcasts, recipients, results, audiences], { discard: true })

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Broadcasts, their recipients, and how far they are. */
export const campaigns = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

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
      throttle_per_minute integer,
      ignore_frequency_caps boolean NOT NULL,
      ignore_quiet_hours boolean NOT NULL,
      reply_hours integer NOT NULL,
      uplift_days integer NOT NULL,
      status text COLLATE "C" NOT NULL,
      schedule json,
      starts_at timestamptz,
      waiting json,
      pause json,
      failure json,
      end_reason text,
      source json,
      audience_snapshot_id uuid,
      frozen_at timestamptz,
      started_at timestamptz,
      ended_at timestamptz,
      recipients_kept_until timestamptz,
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

  // Every change of a recipient's status changes the counters in the same transaction, so this row is written most of all.
  yield* sql`
    CREATE TABLE broadcast_progress (
      organization_id uuid NOT NULL REFERENCES organizations,
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
      listed integer NOT NULL DEFAULT 0,
      mark integer NOT NULL DEFAULT 0,
      told_at timestamptz,
      PRIMARY KEY (organization_id, broadcast_id),
      CONSTRAINT broadcast_progress_adds_up CHECK (matched = pending + in_flight + in_doubt + sent + delivered + read
        + failed + excluded + held_out + never_sent),
      CONSTRAINT broadcast_progress_broadcast FOREIGN KEY (organization_id, broadcast_id) REFERENCES broadcasts
        ON DELETE CASCADE
    ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200)`

  // Written once when the audience is frozen, and once by the result. No index is on the status, so that the second write needs none.
  yield* sql`
    CREATE TABLE broadcast_recipients (
      organization_id uuid NOT NULL REFERENCES organizations,
      broadcast_id uuid NOT NULL,
      seq integer NOT NULL,
      contact_id uuid NOT NULL,
      address_kind text COLLATE "C",
      address text COLLATE "C",
      variant "char",
      status text COLLATE "C" NOT NULL,
      due_at timestamptz,
      attempts smallint NOT NULL DEFAULT 0,
      reason text,
      error json,
      provider_message_id text COLLATE "C",
      "values" json,
      sent_at timestamptz,
      delivered_at timestamptz,
      read_at timestamptz,
      failed_at timestamptz,
      replied_at timestamptz,
      opted_out_at timestamptz,
      conversation_id uuid,
      PRIMARY KEY (organization_id, broadcast_id, seq),
      CONSTRAINT broadcast_recipients_contact UNIQUE (organization_id, contact_id, broadcast_id),
      CONSTRAINT broadcast_recipients_broadcast FOREIGN KEY (organization_id, broadcast_id) REFERENCES broadcasts
        ON DELETE CASCADE
    ) WITH (fillfactor = 70)`
  yield* sql`
    CREATE INDEX broadcast_recipients_waiting ON broadcast_recipients (organization_id, broadcast_id, due_at, seq)
    WHERE status = 'waiting'`

  // What is claimed and has no result yet. The row is there before the provider is called, and goes when all results are stored.
  yield* sql`
    CREATE TABLE broadcast_windows (
      organization_id uuid NOT NULL REFERENCES organizations,
      broadcast_id uuid NOT NULL,
      id uuid NOT NULL,
      fence bigint NOT NULL,
      seqs integer[] NOT NULL,
      contact_ids uuid[] NOT NULL,
      "values" json NOT NULL,
      claimed_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, broadcast_id, id),
      CONSTRAINT broadcast_windows_broadcast FOREIGN KEY (organization_id, broadcast_id) REFERENCES broadcasts
        ON DELETE CASCADE
    ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200)`

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
  yield* sql`
    CREATE TABLE audience_snapshot_contacts (
      organization_id uuid NOT NULL REFERENCES organizations,
      snapshot_id uuid NOT NULL,
      contact_id uuid NOT NULL,
      address_kind text COLLATE "C",
      address text COLLATE "C",
      reason text,
      PRIMARY KEY (organization_id, snapshot_id, contact_id),
      CONSTRAINT audience_snapshot_contacts_snapshot FOREIGN KEY (organization_id, snapshot_id)
        REFERENCES audience_snapshots ON DELETE CASCADE
    )`

  // What a broadcast takes of the plan's recipients of a month. It only becomes less, so that only who reserves has to count.
  yield* sql`
    CREATE TABLE broadcast_reservations (
      organization_id uuid NOT NULL REFERENCES organizations,
      broadcast_id uuid NOT NULL,
      month timestamptz NOT NULL,
      amount integer NOT NULL CHECK (amount >= 0),
      PRIMARY KEY (organization_id, broadcast_id),
      CONSTRAINT broadcast_reservations_broadcast FOREIGN KEY (organization_id, broadcast_id) REFERENCES broadcasts
        ON DELETE CASCADE
    ) WITH (fillfactor = 50)`
  yield* sql`CREATE INDEX broadcast_reservations_by_month ON broadcast_reservations (organization_id, month)`

  yield* sql`
    CREATE TABLE broadcast_settings (
      organization_id uuid NOT NULL REFERENCES organizations,
      quiet_hours json,
      frequency_caps json NOT NULL,
      opt_out_words json NOT NULL,
      opt_in_words json NOT NULL,
      opt_out_reply json,
      attribution_hours integer NOT NULL,
      version integer NOT NULL,
      PRIMARY KEY (organization_id)
    )`
})

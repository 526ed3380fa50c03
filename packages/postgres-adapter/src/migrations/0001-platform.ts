import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Organizations, users and members. */
const organizations = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE organizations (
      id uuid PRIMARY KEY,
      name text NOT NULL,
      slug text NOT NULL CONSTRAINT organizations_slug UNIQUE,
      plan text NOT NULL,
      timezone text NOT NULL,
      locale text NOT NULL,
      currency text NOT NULL,
      status text NOT NULL,
      created_at timestamptz NOT NULL,
      version integer NOT NULL
    )`

  yield* sql`
    CREATE TABLE users (
      id uuid PRIMARY KEY,
      email text NOT NULL CONSTRAINT users_email UNIQUE,
      email_verified_at timestamptz,
      name text NOT NULL,
      avatar_url text,
      status text NOT NULL,
      password_hash text NOT NULL,
      must_change_password boolean NOT NULL DEFAULT false,
      created_at timestamptz NOT NULL
    )`

  yield* sql`
    CREATE TABLE members (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      user_id uuid,
      email text NOT NULL,
      role text NOT NULL,
      status text NOT NULL,
      availability text NOT NULL DEFAULT 'available',
      capacity integer NOT NULL DEFAULT 20,
      invited_at timestamptz NOT NULL,
      invited_by uuid,
      invitation_digest text,
      invitation_expires_at timestamptz,
      invitation_delivery text,
      joined_at timestamptz,
      version integer NOT NULL,
      PRIMARY KEY (organization_id, id),
      CONSTRAINT members_email UNIQUE (organization_id, email),
      CONSTRAINT members_user UNIQUE (organization_id, user_id)
    )`
  yield* sql`CREATE INDEX members_by_user ON members (user_id) WHERE user_id IS NOT NULL`
  yield* sql`CREATE INDEX members_invitation ON members (invitation_digest) WHERE invitation_digest IS NOT NULL`
})

/** Sessions, tokens and the keys that sign and limit them. */
const credentials = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE sessions (
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL REFERENCES users,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      revoked_at timestamptz
    )`
  yield* sql`CREATE INDEX sessions_user ON sessions (user_id, expires_at)`
  yield* sql`CREATE INDEX sessions_expiry ON sessions (expires_at)`

  // Used digests stay as long as their session, which reveals that a token is used twice.
  yield* sql`
    CREATE TABLE refresh_tokens (
      digest text PRIMARY KEY,
      session_id uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
      spent_at timestamptz
    )`
  yield* sql`CREATE INDEX refresh_tokens_session ON refresh_tokens (session_id)`

  yield* sql`
    CREATE TABLE signing_keys (
      kid text PRIMARY KEY,
      sealed_private_key text NOT NULL,
      public_key text NOT NULL,
      created_at timestamptz NOT NULL
    )`

  // Stored by email and not by user: a link is created before the user is looked up.
  yield* sql`
    CREATE TABLE password_resets (
      digest text PRIMARY KEY,
      email text NOT NULL,
      expires_at timestamptz NOT NULL
    )`
  yield* sql`CREATE UNIQUE INDEX password_resets_email ON password_resets (email)`
  yield* sql`CREATE INDEX password_resets_expiry ON password_resets (expires_at)`

  // Accounts and addresses are keyed digests. Known addresses of an account have their own share of the login attempts.
  yield* sql`
    CREATE TABLE login_addresses (
      account text NOT NULL,
      slot smallint NOT NULL,
      address text NOT NULL,
      seen_at timestamptz NOT NULL,
      PRIMARY KEY (account, slot)
    )`
  yield* sql`CREATE INDEX login_addresses_seen ON login_addresses (seen_at)`

  yield* sql`
    CREATE TABLE automation_tokens (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      name text NOT NULL,
      permissions text[] NOT NULL,
      created_by uuid NOT NULL,
      created_at timestamptz NOT NULL,
      responsible_user_id uuid NOT NULL,
      adopted_at timestamptz,
      expires_at timestamptz NOT NULL,
      last_used_at timestamptz,
      revoked_at timestamptz,
      PRIMARY KEY (organization_id, id)
    )`
  yield* sql`CREATE INDEX automation_tokens_by_id ON automation_tokens (id)`

  // Of the installation: without an organization, so no tenant reaches a row.
  yield* sql`
    CREATE TABLE operator_tokens (
      id uuid PRIMARY KEY,
      name text NOT NULL,
      scopes text[] NOT NULL,
      allowed_addresses text[] NOT NULL,
      created_by text NOT NULL,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      last_used_at timestamptz,
      revoked_at timestamptz
    )`

  yield* sql`
    CREATE TABLE docs_codes (
      organization_id uuid NOT NULL REFERENCES organizations,
      digest text NOT NULL,
      user_id uuid NOT NULL,
      session_id uuid,
      expires_at timestamptz NOT NULL,
      redeemed_at timestamptz,
      PRIMARY KEY (organization_id, digest)
    )`
  yield* sql`CREATE INDEX docs_codes_by_digest ON docs_codes (digest)`
  yield* sql`CREATE INDEX docs_codes_expiry ON docs_codes (organization_id, expires_at)`
})

/** Idempotency keys and rate limits. */
const requests = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Callers without an organization use the nil UUID, so there is no foreign key.
  yield* sql`
    CREATE TABLE idempotency_keys (
      organization_id uuid NOT NULL,
      actor text NOT NULL,
      key text NOT NULL,
      fingerprint text NOT NULL,
      sealed_answer text,
      may_hold_contact_data boolean NOT NULL,
      seen_erasures pg_snapshot NOT NULL,
      stored_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, actor, key)
    )`
  yield* sql`CREATE INDEX idempotency_keys_age ON idempotency_keys (organization_id, stored_at)`
  yield* sql`
    CREATE TABLE idempotency_withdrawals (
      organization_id uuid NOT NULL REFERENCES organizations,
      transaction_id xid8 NOT NULL,
      withdrawn_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, transaction_id)
    )`

  // Unlogged: the counters live for minutes and can be lost in a crash, so a request needs no flush.
  yield* sql`
    CREATE UNLOGGED TABLE rate_limit_windows (
      bucket text PRIMARY KEY,
      used integer NOT NULL,
      granted integer NOT NULL,
      resets_at timestamptz NOT NULL
    ) WITH (fillfactor = 50)`
  yield* sql`CREATE INDEX rate_limit_windows_reset ON rate_limit_windows (resets_at)`
})

/** The audit trail, the event log, and the position of each consumer in it. */
const traces = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Has no foreign key: entries without an organization use the nil UUID.
  yield* sql`
    CREATE TABLE audit_events (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      actor_kind text NOT NULL,
      actor_id text NOT NULL,
      action text NOT NULL,
      target_kind text NOT NULL,
      target_id text NOT NULL,
      before jsonb,
      after jsonb,
      request_id text,
      at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id)
    )`
  yield* sql`CREATE INDEX audit_events_actor ON audit_events (organization_id, actor_id, id)`
  yield* sql`CREATE INDEX audit_events_target ON audit_events (organization_id, target_kind, target_id, id)`
  yield* sql`CREATE INDEX audit_events_action ON audit_events (organization_id, action, id)`
  yield* sql`CREATE INDEX audit_events_time ON audit_events (organization_id, at)`

  yield* sql`
    CREATE TABLE event_heads (
      organization_id uuid PRIMARY KEY REFERENCES organizations,
      head bigint NOT NULL
    ) WITH (fillfactor = 50)`

  yield* sql`
    CREATE TABLE events (
      organization_id uuid NOT NULL REFERENCES organizations,
      position bigint NOT NULL,
      type text NOT NULL,
      data jsonb NOT NULL,
      actor_kind text NOT NULL,
      actor_id text NOT NULL,
      at timestamptz NOT NULL,
      causation jsonb,
      PRIMARY KEY (organization_id, position)
    )`

  yield* sql`
    CREATE TABLE event_consumers (
      name text COLLATE "C" PRIMARY KEY,
      since timestamptz NOT NULL
    )`

  // A cursor moves with every batch. The fill factor leaves space for its next version on the page.
  yield* sql`
    CREATE TABLE event_cursors (
      organization_id uuid NOT NULL REFERENCES organizations,
      consumer text COLLATE "C" NOT NULL,
      position bigint NOT NULL,
      attempts integer NOT NULL DEFAULT 0,
      reason text,
      retry_at timestamptz,
      PRIMARY KEY (organization_id, consumer)
    ) WITH (fillfactor = 50)`

  yield* sql`
    CREATE TABLE parked_events (
      organization_id uuid NOT NULL REFERENCES organizations,
      consumer text COLLATE "C" NOT NULL,
      position bigint NOT NULL,
      type text NOT NULL,
      attempts integer NOT NULL,
      reason text NOT NULL,
      parked_at timestamptz NOT NULL,
      is_replayed boolean NOT NULL DEFAULT false,
      PRIMARY KEY (organization_id, consumer, position)
    )`
})

/** Lanes of background tasks, and the processes that own their shards. */
const background = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // At most one row. It stops the background work of a restored installation, and no archive contains it.
  yield* sql`
    CREATE TABLE installation_hold (
      is_held boolean PRIMARY KEY CHECK (is_held),
      since timestamptz NOT NULL,
      file text NOT NULL,
      snapshot_at timestamptz NOT NULL
    )`

  yield* sql`
    CREATE TABLE worker_processes (
      id uuid PRIMARY KEY,
      name text NOT NULL,
      release text NOT NULL,
      tasks text[] NOT NULL,
      heartbeat bigint NOT NULL,
      joined_at timestamptz NOT NULL,
      last_seen_at timestamptz NOT NULL
    ) WITH (fillfactor = 50)`

  // Has no foreign key to the processes: shards of a missing process are free, and a claim does not lock the process.
  yield* sql`
    CREATE TABLE task_shards (
      task text COLLATE "C" NOT NULL,
      shard smallint NOT NULL,
      process_id uuid,
      fence bigint NOT NULL,
      PRIMARY KEY (task, shard)
    ) WITH (fillfactor = 50)`

  // A lane states when its task is due; the tables of the task contain the items. The organization id is the only tenant data, so the table
  // can stay whole if the tables of tenants are distributed.
  yield* sql`
    CREATE TABLE lanes (
      organization_id uuid NOT NULL,
      task text COLLATE "C" NOT NULL,
      key text COLLATE "C" NOT NULL,
      shard smallint NOT NULL,
      priority smallint NOT NULL,
      due_at timestamptz NOT NULL,
      fence bigint NOT NULL,
      PRIMARY KEY (organization_id, task, key)
    ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02)`
  yield* sql`CREATE INDEX lanes_due ON lanes (task, priority, due_at)`
  yield* sql`CREATE INDEX lanes_by_organization ON lanes (task, organization_id, priority, due_at)`

  // A job changes with every step. The fill factor leaves space for its next version on the page.
  yield* sql`
    CREATE TABLE jobs (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      kind text NOT NULL,
      state text NOT NULL,
      progress_done integer NOT NULL,
      progress_total integer,
      counts jsonb NOT NULL,
      error text,
      error_code text,
      result_url text,
      cancel_requested boolean NOT NULL,
      creator_kind text NOT NULL,
      creator_id text NOT NULL,
      permissions text[] NOT NULL,
      input jsonb,
      checkpoint jsonb,
      attempts integer NOT NULL,
      started_under bigint,
      created_at timestamptz NOT NULL,
      started_at timestamptz,
      finished_at timestamptz,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id)
    ) WITH (fillfactor = 70)`
  yield* sql`CREATE INDEX jobs_unfinished ON jobs (organization_id, id) WHERE state IN ('queued', 'running')`

  // Progress of a background task that recomputes search texts. A migration would lock all rows until it ends.
  yield* sql`
    CREATE TABLE search_reindexes (
      organization_id uuid NOT NULL REFERENCES organizations,
      kind text NOT NULL,
      after_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
      PRIMARY KEY (organization_id, kind)
    )`

  yield* sql`
    CREATE TABLE emails (
      id uuid PRIMARY KEY,
      sealed_email text NOT NULL,
      expires_at timestamptz NOT NULL,
      attempts integer NOT NULL
    )`
  yield* sql`CREATE INDEX emails_expiry ON emails (expires_at)`
})

/** Webhook deliveries of providers. */
const inbound = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Has no foreign key: one statement stores deliveries of many organizations, and one of these must not fail the others. Ids contain the time,
  // so the table can be partitioned by month.
  yield* sql`
    CREATE TABLE inbound_deliveries (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      provider text NOT NULL,
      source text NOT NULL,
      lane text COLLATE "C" NOT NULL DEFAULT 'all',
      state text NOT NULL,
      digest text COLLATE "C" NOT NULL,
      body bytea NOT NULL,
      received_at timestamptz NOT NULL,
      due_at timestamptz NOT NULL,
      applied_at timestamptz,
      attempts integer NOT NULL DEFAULT 0,
      reason text,
      event_count integer,
      unknown_count integer,
      PRIMARY KEY (organization_id, id),
      CONSTRAINT inbound_deliveries_digest UNIQUE (organization_id, digest)
    ) WITH (autovacuum_vacuum_scale_factor = 0.02)`
  yield* sql`
    CREATE INDEX inbound_deliveries_parked ON inbound_deliveries (organization_id, id) WHERE state = 'parked'`
  yield* sql`
    CREATE INDEX inbound_deliveries_applied ON inbound_deliveries (organization_id, applied_at)
    WHERE state = 'applied'`
  yield* sql`
    CREATE INDEX inbound_deliveries_waiting_in_lane ON inbound_deliveries (organization_id, lane, id)
    WHERE state = 'waiting'`

  // A body is read once, so compression does not pay.
  yield* sql`ALTER TABLE inbound_deliveries ALTER COLUMN body SET STORAGE EXTERNAL`
})

/** Files, stored in chunks of equal size. */
const files = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE files (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      state text NOT NULL,
      size bigint,
      started_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id)
    )`
  yield* sql`CREATE INDEX files_to_sweep ON files (organization_id, state, started_at) WHERE state <> 'complete'`

  yield* sql`
    CREATE TABLE file_chunks (
      organization_id uuid NOT NULL,
      file_id uuid NOT NULL,
      number integer NOT NULL,
      bytes bytea NOT NULL,
      PRIMARY KEY (organization_id, file_id, number),
      CONSTRAINT file_chunks_file FOREIGN KEY (organization_id, file_id) REFERENCES files ON DELETE CASCADE
    )`

  // Most files are compressed already or read once, so compression does not pay.
  yield* sql`ALTER TABLE file_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL`
})

/** Tables of the kernel and the platform. */
export const platform = Effect.all([organizations, credentials, requests, traces, background, inbound, files], {
  discard: true
})

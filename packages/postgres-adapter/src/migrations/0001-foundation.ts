import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** People, organizations, what belongs to them, and the tables of the kernel. */
export const foundation = Effect.gen(function* () {
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
      name text NOT NULL,
      avatar_url text,
      status text NOT NULL,
      created_at timestamptz NOT NULL,
      password_hash text NOT NULL
    )`

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

  // Spent digests stay as long as their session, so that one which comes again is known for what it is.
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

  yield* sql`
    CREATE TABLE members (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      user_id uuid,
      email text NOT NULL,
      role text NOT NULL,
      status text NOT NULL,
      invited_at timestamptz NOT NULL,
      joined_at timestamptz,
      invitation_digest text,
      invitation_expires_at timestamptz,
      version integer NOT NULL,
      PRIMARY KEY (organization_id, id),
      CONSTRAINT members_email UNIQUE (organization_id, email),
      CONSTRAINT members_user UNIQUE (organization_id, user_id)
    )`
  yield* sql`CREATE INDEX members_by_user ON members (user_id) WHERE user_id IS NOT NULL`
  yield* sql`CREATE INDEX members_invitation ON members (invitation_digest) WHERE invitation_digest IS NOT NULL`

  yield* sql`
    CREATE TABLE automation_tokens (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      name text NOT NULL,
      permissions text[] NOT NULL,
      created_by uuid NOT NULL,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      last_used_at timestamptz,
      revoked_at timestamptz,
      PRIMARY KEY (organization_id, id)
    )`
  yield* sql`CREATE INDEX automation_tokens_by_id ON automation_tokens (id)`

  yield* sql`
    CREATE TABLE docs_codes (
      organization_id uuid NOT NULL REFERENCES organizations,
      digest text NOT NULL,
      user_id uuid NOT NULL,
      expires_at timestamptz NOT NULL,
      redeemed_at timestamptz,
      PRIMARY KEY (organization_id, digest)
    )`
  yield* sql`CREATE INDEX docs_codes_by_digest ON docs_codes (digest)`
  yield* sql`CREATE INDEX docs_codes_expiry ON docs_codes (expires_at)`

  yield* sql`
    CREATE TABLE automations (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      name text NOT NULL,
      enabled boolean NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      version integer NOT NULL,
      PRIMARY KEY (organization_id, id)
    )`

  // No foreign key: the trail also records, under an organization id of its own, what concerns no organization.
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
      PRIMARY KEY (organization_id, position)
    )`

  // Text, because callers without an organization use keys too.
  yield* sql`
    CREATE TABLE idempotency_keys (
      organization_id text NOT NULL,
      actor text NOT NULL,
      key text NOT NULL,
      fingerprint text NOT NULL,
      sealed_answer text NOT NULL,
      stored_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, actor, key)
    )`
  yield* sql`CREATE INDEX idempotency_keys_age ON idempotency_keys (stored_at)`

  // Unlogged: counts of minutes need not outlive a crash of the server, and so cost no flush per request.
  yield* sql`
    CREATE UNLOGGED TABLE rate_limit_windows (
      bucket text PRIMARY KEY,
      used integer NOT NULL,
      granted integer NOT NULL,
      resets_at timestamptz NOT NULL
    ) WITH (fillfactor = 50)`
  yield* sql`CREATE INDEX rate_limit_windows_reset ON rate_limit_windows (resets_at)`
})

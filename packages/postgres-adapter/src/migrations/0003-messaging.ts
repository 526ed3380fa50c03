import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Chat accounts, message templates and daily limits. */
const chat = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Secrets are encrypted. No index makes a number unique over all organizations: a violation would tell one organization what another one has.
  // A removed number stays without its secrets, so it can be connected again with its history.
  yield* sql`
    CREATE TABLE chat_accounts (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      provider text NOT NULL,
      mode text NOT NULL,
      display_name text NOT NULL,
      phone text,
      url text,
      external_account_id text COLLATE "C" NOT NULL,
      external_phone_id text COLLATE "C" NOT NULL,
      messaging_account_id text,
      status text NOT NULL,
      quality_rating text NOT NULL,
      messaging_limit text,
      throughput_per_second integer,
      number_details jsonb,
      onboarding jsonb NOT NULL,
      last_checked_at timestamptz,
      last_error jsonb,
      restrictions jsonb NOT NULL DEFAULT '[]',
      sealed_access_token text,
      sealed_app_secret text,
      sealed_former_app_secret text,
      former_app_secret_until timestamptz,
      sealed_verify_token text,
      sealed_registration_pin text,
      sealed_pending_pin text,
      send_failures integer NOT NULL DEFAULT 0,
      send_backoff_until timestamptz,
      template_sync_requested_at timestamptz,
      template_sync_started boolean NOT NULL DEFAULT false,
      template_sync_revision integer NOT NULL DEFAULT 0,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      removed_at timestamptz,
      version integer NOT NULL,
      PRIMARY KEY (organization_id, id),
      CONSTRAINT chat_accounts_number UNIQUE (organization_id, provider, external_phone_id),
      CONSTRAINT chat_accounts_removed CHECK (
        CASE WHEN removed_at IS NULL THEN sealed_access_token IS NOT NULL
        ELSE num_nonnulls(sealed_access_token, sealed_app_secret, sealed_former_app_secret, sealed_verify_token,
          sealed_registration_pin, sealed_pending_pin) = 0 END)
    )`
  yield* sql`
    CREATE INDEX chat_accounts_platform_number ON chat_accounts (external_phone_id) WHERE mode = 'platform_app'`
  yield* sql`
    CREATE INDEX chat_accounts_platform_business ON chat_accounts (external_account_id) WHERE mode = 'platform_app'`
  yield* sql`
    CREATE INDEX chat_accounts_platform_payer ON chat_accounts (messaging_account_id)
    WHERE mode = 'platform_app' AND messaging_account_id IS NOT NULL`

  yield* sql`
    CREATE TABLE message_templates (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      chat_account_id uuid NOT NULL,
      name text COLLATE "C" NOT NULL,
      language text COLLATE "C" NOT NULL,
      category text NOT NULL,
      components jsonb NOT NULL,
      variables jsonb NOT NULL,
      status text NOT NULL,
      status_reason text,
      status_until timestamptz,
      rejection_reason text,
      rejection_advice text,
      quality text NOT NULL,
      quality_at timestamptz,
      announced_category text,
      category_changes_at timestamptz,
      time_to_live integer,
      library_name text,
      edit_times jsonb NOT NULL,
      external_id text,
      held_until timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      version integer NOT NULL,
      PRIMARY KEY (organization_id, id),
      CONSTRAINT message_templates_name UNIQUE (organization_id, chat_account_id, name, language),
      CONSTRAINT message_templates_account FOREIGN KEY (organization_id, chat_account_id) REFERENCES chat_accounts
        ON DELETE CASCADE
    )`
  yield* sql`CREATE INDEX message_templates_by_name ON message_templates (organization_id, name, language, id)`

  // Prices are data of the operator and belong to no organization. An empty country means all countries without an own rate.
  yield* sql`
    CREATE TABLE rates (
      currency text COLLATE "C" NOT NULL,
      category text COLLATE "C" NOT NULL,
      country text COLLATE "C" NOT NULL,
      valid_from date NOT NULL,
      amount bigint NOT NULL CHECK (amount >= 0),
      PRIMARY KEY (currency, category, country, valid_from)
    )`

  // A writer locks the row of the business, so all its numbers share the limit, in every process.
  yield* sql`
    CREATE TABLE daily_reach_counts (
      organization_id uuid NOT NULL REFERENCES organizations,
      provider text COLLATE "C" NOT NULL,
      business_id text COLLATE "C" NOT NULL,
      reached integer NOT NULL DEFAULT 0 CHECK (reached >= 0),
      PRIMARY KEY (organization_id, provider, business_id)
    ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200)`

  // Contains digests of recipients for one day.
  yield* sql`
    CREATE TABLE daily_reach (
      organization_id uuid NOT NULL REFERENCES organizations,
      provider text COLLATE "C" NOT NULL,
      business_id text COLLATE "C" NOT NULL,
      recipient bytea NOT NULL,
      reached_at timestamptz NOT NULL,
      former_at timestamptz,
      PRIMARY KEY (organization_id, provider, business_id, recipient)
    )`
  yield* sql`CREATE INDEX daily_reach_by_time ON daily_reach (organization_id, provider, business_id, reached_at)`
})

/** Conversations, the periods from opening to resolving, and what a merge of contacts joined. */
const conversations = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Every message changes the time of activity and therefore all indexes, so each index must be worth it. Conversations outlive their accounts. A
  // merge deletes a contact before it transfers the conversations, so the foreign key is checked at the commit. `transferred_by` lists the merges
  // that transferred a conversation, the last one at the end.
  yield* sql`
    CREATE TABLE conversations (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      contact_id uuid NOT NULL,
      chat_account_id uuid NOT NULL,
      recipient json,
      recipient_at timestamptz,
      other_windows json NOT NULL DEFAULT '[]',
      transferred_by uuid[] NOT NULL DEFAULT '{}',
      status text COLLATE "C" NOT NULL,
      priority text NOT NULL,
      assignee_id uuid,
      snoozed_until timestamptz,
      labels text[] COLLATE "C" NOT NULL,
      inbound_count integer NOT NULL,
      read_count integer NOT NULL,
      last_message json,
      last_inbound_at timestamptz,
      last_activity_at timestamptz NOT NULL,
      window_expires_at timestamptz,
      waiting_since timestamptz,
      wait_number integer NOT NULL DEFAULT 0,
      first_replied_at timestamptz,
      first_reply_id uuid,
      episode integer,
      episode_started_at timestamptz,
      episode_resolved_at timestamptz,
      episode_resolver_kind text,
      episode_resolver_id text,
      resolved_at timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      version integer NOT NULL,
      PRIMARY KEY (organization_id, id),
      CONSTRAINT conversations_contact FOREIGN KEY (organization_id, contact_id) REFERENCES contacts
        DEFERRABLE INITIALLY DEFERRED
    ) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05)`
  yield* sql`
    CREATE UNIQUE INDEX conversations_unresolved_pair ON conversations (organization_id, contact_id, chat_account_id)
    WHERE status <> 'resolved'`
  yield* sql`CREATE INDEX conversations_pair ON conversations (organization_id, contact_id, chat_account_id)`
  yield* sql`CREATE INDEX conversations_by_activity ON conversations (organization_id, last_activity_at, id)`
  yield* sql`CREATE INDEX conversations_by_status ON conversations (organization_id, status, last_activity_at, id)`
  yield* sql`
    CREATE INDEX conversations_unresolved ON conversations (organization_id, last_activity_at, id)
    WHERE status <> 'resolved'`
  yield* sql`
    CREATE INDEX conversations_by_assignee ON conversations (organization_id, assignee_id, last_activity_at, id)
    WHERE status <> 'resolved'`
  yield* sql`
    CREATE INDEX conversations_unread ON conversations (organization_id, last_activity_at, id)
    INCLUDE (status) WHERE inbound_count > read_count`
  yield* sql`CREATE INDEX conversations_by_creation ON conversations (organization_id, created_at, id)`
  yield* sql`
    CREATE INDEX conversations_labels ON conversations USING gin (organization_id, labels) WHERE labels <> '{}'`
  yield* sql`
    CREATE INDEX conversations_transferred ON conversations USING gin (organization_id, transferred_by)
    WHERE transferred_by <> '{}'`
  yield* sql`
    CREATE INDEX conversations_snoozed ON conversations (organization_id, snoozed_until, id)
    WHERE status = 'snoozed'`
  yield* sql`
    CREATE INDEX conversations_waiting ON conversations (organization_id, waiting_since, id)
    WHERE waiting_since IS NOT NULL`
  yield* sql`
    CREATE INDEX conversations_by_priority ON conversations (organization_id, priority, last_activity_at, id)
    WHERE priority <> 'none'`

  // Contains earlier episodes only. The current one is in the row of the conversation.
  yield* sql`
    CREATE TABLE conversation_episodes (
      organization_id uuid NOT NULL,
      conversation_id uuid NOT NULL,
      episode integer NOT NULL,
      started_at timestamptz NOT NULL,
      resolved_at timestamptz,
      resolver_kind text,
      resolver_id text,
      PRIMARY KEY (organization_id, conversation_id, episode),
      CONSTRAINT conversation_episodes_conversation FOREIGN KEY (organization_id, conversation_id)
        REFERENCES conversations ON DELETE CASCADE
    )`

  // The number of resolved conversations is the sum of an organization's rows. A writer adds a row and merges unlocked ones, so no writer waits.
  yield* sql`
    CREATE TABLE conversation_counts (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL DEFAULT gen_random_uuid(),
      resolved integer NOT NULL,
      PRIMARY KEY (organization_id, id)
    )`

  // Both conversations before a merge joined them, and after it.
  yield* sql`
    CREATE TABLE conversation_joins (
      organization_id uuid NOT NULL,
      merge_id uuid NOT NULL,
      kept_id uuid NOT NULL,
      other_id uuid NOT NULL,
      before json NOT NULL,
      after json NOT NULL,
      PRIMARY KEY (organization_id, merge_id, kept_id),
      CONSTRAINT conversation_joins_kept FOREIGN KEY (organization_id, kept_id) REFERENCES conversations
        ON DELETE CASCADE,
      CONSTRAINT conversation_joins_other FOREIGN KEY (organization_id, other_id) REFERENCES conversations
        ON DELETE CASCADE
    )`
  yield* sql`CREATE INDEX conversation_joins_by_kept ON conversation_joins (organization_id, kept_id)`
  yield* sql`CREATE INDEX conversation_joins_by_other ON conversation_joins (organization_id, other_id)`
})

/** Messages, notes, canned replies and media. */
const messages = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // The domain extracts `words` from the text, so all adapters find the same messages. A reply can arrive before the message that it refers to.
  // Until then only the provider's id is known, and each read looks it up.
  yield* sql`
    CREATE TABLE messages (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      conversation_id uuid NOT NULL,
      chat_account_id uuid NOT NULL,
      direction text NOT NULL,
      kind text NOT NULL,
      author_kind text NOT NULL,
      author_id text NOT NULL,
      author_run_id uuid,
      recipient json,
      text text,
      media json,
      media_id uuid,
      template json,
      interactive json,
      location json,
      contacts json,
      order_items json,
      referral json,
      details json,
      pricing json,
      raw json,
      reply_to_id uuid,
      reply_to_provider_id text COLLATE "C",
      status text NOT NULL,
      error json,
      provider_message_id text COLLATE "C",
      at timestamptz NOT NULL,
      sent_at timestamptz,
      delivered_at timestamptz,
      read_at timestamptz,
      played_at timestamptz,
      failed_at timestamptz,
      answered_wait_since timestamptz,
      wait_number integer,
      created_at timestamptz NOT NULL,
      words tsvector NOT NULL,
      PRIMARY KEY (organization_id, id),
      CONSTRAINT messages_conversation FOREIGN KEY (organization_id, conversation_id) REFERENCES conversations
        ON DELETE CASCADE
    ) WITH (fillfactor = 85)`
  yield* sql`CREATE INDEX messages_by_time ON messages (organization_id, conversation_id, at, id)`
  yield* sql`
    CREATE UNIQUE INDEX messages_provider ON messages (organization_id, chat_account_id, provider_message_id)
    WHERE provider_message_id IS NOT NULL`
  yield* sql`CREATE INDEX messages_media ON messages (organization_id, media_id) WHERE media_id IS NOT NULL`
  // Few messages are in a free entry point. Each read of a conversation looks for its latest end.
  yield* sql`
    CREATE INDEX messages_free_entry_point ON messages (organization_id, conversation_id)
    WHERE (pricing ->> 'freeEntryPointExpiresAt') IS NOT NULL`
  yield* sql`CREATE INDEX messages_words ON messages USING gin (organization_id, words)`
  // Each read looks for edits and revocations. There are few, so the index is small.
  yield* sql`
    CREATE INDEX messages_changes ON messages (organization_id, chat_account_id, reply_to_provider_id)
    WHERE kind IN ('edit', 'revocation')`

  // Receipts that arrived before their message.
  yield* sql`
    CREATE TABLE early_receipts (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL DEFAULT gen_random_uuid(),
      chat_account_id uuid NOT NULL,
      provider_message_id text COLLATE "C" NOT NULL,
      status text NOT NULL,
      at timestamptz NOT NULL,
      error json,
      pricing json,
      stored_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id)
    )`
  yield* sql`
    CREATE INDEX early_receipts_provider ON early_receipts (organization_id, chat_account_id, provider_message_id)`
  yield* sql`CREATE INDEX early_receipts_by_age ON early_receipts (organization_id, stored_at)`

  // Pricing facts outlive messages and contacts, so the row has a digest: the provider's id can contain a phone number.
  yield* sql`
    CREATE TABLE message_charges (
      organization_id uuid NOT NULL REFERENCES organizations,
      chat_account_id uuid NOT NULL,
      provider_message_digest bytea NOT NULL,
      message_id uuid,
      country text COLLATE "C",
      category text COLLATE "C",
      type text COLLATE "C",
      billable boolean,
      delivered_at timestamptz NOT NULL,
      priced_at timestamptz NOT NULL,
      rank text COLLATE "C" NOT NULL,
      PRIMARY KEY (organization_id, chat_account_id, provider_message_digest)
    )`
  yield* sql`CREATE INDEX message_charges_by_time ON message_charges (organization_id, delivered_at)`
  yield* sql`
    CREATE INDEX message_charges_by_message ON message_charges (organization_id, message_id)
    WHERE message_id IS NOT NULL`

  yield* sql`
    CREATE TABLE notes (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      conversation_id uuid NOT NULL,
      author_kind text NOT NULL,
      author_id text NOT NULL,
      text text NOT NULL,
      mentions uuid[] NOT NULL,
      created_at timestamptz NOT NULL,
      edited_at timestamptz,
      version integer NOT NULL,
      PRIMARY KEY (organization_id, id),
      CONSTRAINT notes_conversation FOREIGN KEY (organization_id, conversation_id) REFERENCES conversations
        ON DELETE CASCADE
    )`
  yield* sql`CREATE INDEX notes_by_conversation ON notes (organization_id, conversation_id, id)`
  yield* sql`CREATE INDEX notes_by_time ON notes (organization_id, conversation_id, created_at, id)`

  yield* sql`
    CREATE TABLE canned_replies (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      shortcut text COLLATE "C" NOT NULL,
      text text NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      version integer NOT NULL,
      PRIMARY KEY (organization_id, id),
      CONSTRAINT canned_replies_shortcut UNIQUE (organization_id, shortcut)
    )`

  yield* sql`
    CREATE TABLE media (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      kind text NOT NULL,
      mime_type text NOT NULL,
      filename text,
      size integer,
      state text NOT NULL,
      file_id uuid,
      remote json,
      unavailable_since timestamptz,
      is_used boolean NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id)
    )`
  yield* sql`CREATE INDEX media_to_sweep ON media (organization_id, created_at) WHERE NOT is_used`
})

/** Messages that wait to be sent. */
const sending = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Positions follow each other per conversation, because a writer locks the conversation.
  yield* sql`CREATE SEQUENCE send_queue_positions`

  yield* sql`
    CREATE TABLE send_queue (
      organization_id uuid NOT NULL,
      message_id uuid NOT NULL,
      conversation_id uuid NOT NULL,
      chat_account_id uuid NOT NULL,
      position bigint NOT NULL DEFAULT nextval('send_queue_positions'),
      due_at timestamptz NOT NULL,
      attempts integer NOT NULL DEFAULT 0,
      is_started boolean NOT NULL DEFAULT false,
      started_by uuid,
      revision integer NOT NULL DEFAULT 0,
      PRIMARY KEY (organization_id, message_id),
      CONSTRAINT send_queue_message FOREIGN KEY (organization_id, message_id) REFERENCES messages ON DELETE CASCADE
    ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02)`
  yield* sql`CREATE INDEX send_queue_by_position ON send_queue (organization_id, conversation_id, position)`
  yield* sql`
    CREATE TABLE message_codes (
      organization_id uuid NOT NULL,
      message_id uuid NOT NULL,
      sealed_code text NOT NULL,
      expires_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, message_id),
      CONSTRAINT message_codes_message FOREIGN KEY (organization_id, message_id) REFERENCES messages ON DELETE CASCADE
    )`
  yield* sql`CREATE INDEX send_queue_by_account ON send_queue (organization_id, chat_account_id, due_at, message_id)`
})

/** Automatic assignment of conversations to members. */
const assignment = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE assignment_queue (
      organization_id uuid NOT NULL,
      conversation_id uuid NOT NULL,
      member_ids uuid[],
      sticky boolean NOT NULL,
      requested_by json NOT NULL,
      causation json,
      since timestamptz NOT NULL,
      PRIMARY KEY (organization_id, conversation_id),
      CONSTRAINT assignment_queue_conversation FOREIGN KEY (organization_id, conversation_id) REFERENCES conversations
        ON DELETE CASCADE
    )`

  yield* sql`
    CREATE TABLE member_assignment_turns (
      organization_id uuid NOT NULL REFERENCES organizations,
      user_id uuid NOT NULL,
      assigned_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, user_id)
    )`
})

/** Tables of chat accounts and the inbox. */
export const messaging = Effect.all([chat, conversations, messages, sending, assignment], { discard: true })

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Conversations, their messages and notes, what waits to be sent, and what answers are made of. */
export const inbox = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // With every message another time of activity is stored, so every index is written anew: each has to be worth it. The
  // accounts have no key to them, because conversations outlive them. A merge removes a contact before what was written
  // with it is handed over: hence the key is checked at the commit. `handed_by` are the merges that handed a conversation
  // over, the last one at the end.
  yield* sql`
    CREATE TABLE conversations (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      contact_id uuid NOT NULL,
      chat_account_id uuid NOT NULL,
      handed_by uuid[] NOT NULL DEFAULT '{}',
      status text COLLATE "C" NOT NULL,
      priority text NOT NULL,
      assignee_id uuid,
      snoozed_until timestamptz,
      labels text[] COLLATE "C" NOT NULL,
      inbound_count integer NOT NULL,
      read_count integer NOT NULL,
      last_message json,
      last_inbound_at timestamptz,
      window_expires_at timestamptz,
      resolved_at timestamptz,
      last_activity_at timestamptz NOT NULL,
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
    CREATE INDEX conversations_unread ON conversations (organization_id, last_activity_at, id) INCLUDE (status)
    WHERE inbound_count > read_count`
  yield* sql`CREATE INDEX conversations_by_creation ON conversations (organization_id, created_at, id)`
  yield* sql`CREATE INDEX conversations_labels ON conversations USING gin (organization_id, labels) WHERE labels <> '{}'`
  yield* sql`
    CREATE INDEX conversations_handed ON conversations USING gin (organization_id, handed_by) WHERE handed_by <> '{}'`
  yield* sql`
    CREATE INDEX conversations_snoozed ON conversations (snoozed_until, organization_id, id) WHERE status = 'snoozed'`

  // How many are resolved is the sum of an organization's rows. Whoever changes it adds a row, and takes up those that
  // nobody else has in hand: nobody ever waits for another.
  yield* sql`
    CREATE TABLE conversation_tallies (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL DEFAULT gen_random_uuid(),
      resolved integer NOT NULL,
      PRIMARY KEY (organization_id, id)
    )`

  // The words are those that the domain finds in the text, so that all adapters find the same. What a message answers may
  // come later than it: until then only the provider's id of that is known, and it is looked for with every reading.
  yield* sql`
    CREATE TABLE messages (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      conversation_id uuid NOT NULL,
      chat_account_id uuid NOT NULL,
      direction text NOT NULL,
      kind text NOT NULL,
      text text,
      media json,
      media_id uuid,
      template json,
      interactive json,
      location json,
      contacts json,
      reply_to_id uuid,
      reply_to_provider_id text COLLATE "C",
      author_kind text NOT NULL,
      author_id text NOT NULL,
      status text NOT NULL,
      error json,
      provider_message_id text COLLATE "C",
      at timestamptz NOT NULL,
      sent_at timestamptz,
      delivered_at timestamptz,
      read_at timestamptz,
      failed_at timestamptz,
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
  yield* sql`CREATE INDEX messages_words ON messages USING gin (organization_id, words)`

  yield* sql`
    CREATE TABLE early_receipts (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL DEFAULT gen_random_uuid(),
      chat_account_id uuid NOT NULL,
      provider_message_id text COLLATE "C" NOT NULL,
      status text NOT NULL,
      at timestamptz NOT NULL,
      error json,
      kept_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id)
    )`
  yield* sql`
    CREATE INDEX early_receipts_provider ON early_receipts (organization_id, chat_account_id, provider_message_id)`
  yield* sql`CREATE INDEX early_receipts_by_age ON early_receipts (organization_id, kept_at)`

  yield* sql`
    CREATE TABLE notes (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      conversation_id uuid NOT NULL,
      author_kind text NOT NULL,
      author_id text NOT NULL,
      body text NOT NULL,
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
      body text NOT NULL,
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
      refused_since timestamptz,
      is_used boolean NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id)
    )`
  yield* sql`CREATE INDEX media_to_sweep ON media (created_at) WHERE NOT is_used`

  // In the order of their places. They come one after the other, because whoever puts one in has taken the conversation.
  yield* sql`CREATE SEQUENCE sends_places`
  yield* sql`
    CREATE TABLE sends (
      organization_id uuid NOT NULL REFERENCES organizations,
      message_id uuid NOT NULL,
      conversation_id uuid NOT NULL,
      chat_account_id uuid NOT NULL,
      place bigint NOT NULL DEFAULT nextval('sends_places'),
      runnable_at timestamptz NOT NULL,
      sender text,
      attempts integer NOT NULL DEFAULT 0,
      has_begun boolean NOT NULL DEFAULT false,
      PRIMARY KEY (organization_id, message_id),
      CONSTRAINT sends_message FOREIGN KEY (organization_id, message_id) REFERENCES messages ON DELETE CASCADE
    ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02)`
  yield* sql`CREATE INDEX sends_by_place ON sends (organization_id, conversation_id, place)`
  yield* sql`CREATE INDEX sends_by_turn ON sends (runnable_at, message_id)`
})

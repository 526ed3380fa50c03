import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Who takes conversations that are handed out by themselves, what waits for somebody, and where contacts were told that nobody is there. */
export const availability = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    ALTER TABLE members ADD COLUMN availability text NOT NULL DEFAULT 'available',
      ADD COLUMN capacity integer NOT NULL DEFAULT 20`
  yield* sql`
    CREATE TABLE member_turns (
      organization_id uuid NOT NULL REFERENCES organizations,
      user_id uuid NOT NULL,
      handed_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, user_id)
    )`
  yield* sql`
    CREATE TABLE assignment_queue (
      organization_id uuid NOT NULL REFERENCES organizations,
      conversation_id uuid NOT NULL,
      member_ids uuid[],
      sticky boolean NOT NULL,
      asked_by json NOT NULL,
      causation json,
      since timestamptz NOT NULL,
      PRIMARY KEY (organization_id, conversation_id),
      CONSTRAINT assignment_queue_conversation FOREIGN KEY (organization_id, conversation_id) REFERENCES conversations
        ON DELETE CASCADE
    )`
  yield* sql`
    CREATE TABLE away_replies (
      organization_id uuid NOT NULL REFERENCES organizations,
      conversation_id uuid NOT NULL,
      schedule_id uuid NOT NULL,
      at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, conversation_id, schedule_id),
      CONSTRAINT away_replies_conversation FOREIGN KEY (organization_id, conversation_id) REFERENCES conversations
        ON DELETE CASCADE,
      CONSTRAINT away_replies_schedule FOREIGN KEY (organization_id, schedule_id) REFERENCES schedules ON DELETE CASCADE
    )`
  yield* sql`CREATE INDEX away_replies_by_schedule ON away_replies (organization_id, schedule_id)`
})

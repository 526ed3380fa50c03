import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Who follows the logs of events, how far each has come, and what could not be handled. */
export const subscriptions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE subscribers (
      name text COLLATE "C" PRIMARY KEY,
      since timestamptz NOT NULL
    )`

  // A cursor moves with every batch, so there is room on the page for its next version.
  yield* sql`
    CREATE TABLE subscriptions (
      organization_id uuid NOT NULL REFERENCES organizations,
      subscriber text COLLATE "C" NOT NULL,
      position bigint NOT NULL,
      attempts integer NOT NULL DEFAULT 0,
      reason text,
      retry_at timestamptz,
      PRIMARY KEY (organization_id, subscriber)
    ) WITH (fillfactor = 50)`

  yield* sql`
    CREATE TABLE parked_events (
      organization_id uuid NOT NULL REFERENCES organizations,
      subscriber text COLLATE "C" NOT NULL,
      position bigint NOT NULL,
      type text NOT NULL,
      attempts integer NOT NULL,
      reason text NOT NULL,
      parked_at timestamptz NOT NULL,
      is_replayed boolean NOT NULL DEFAULT false,
      PRIMARY KEY (organization_id, subscriber, position)
    )`
})

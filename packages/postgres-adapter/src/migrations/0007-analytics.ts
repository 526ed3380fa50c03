import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Figures by quarter hour and local day. A rollup version is a complete copy of them. */
const rollups = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE analytics_rollups (
      organization_id uuid PRIMARY KEY REFERENCES organizations,
      rollup_version integer NOT NULL,
      timezone text NOT NULL,
      attribution_hours integer,
      position bigint NOT NULL,
      rebuild_version integer,
      rebuild_position bigint,
      checked_at timestamptz
    )`

  // The figure comes before the quarter hour in the key, because a year of quarter hours is read for one figure.
  yield* sql`
    CREATE TABLE analytics_quarters (
      organization_id uuid NOT NULL REFERENCES organizations,
      rollup_version integer NOT NULL,
      scope uuid NOT NULL,
      figure text COLLATE "C" NOT NULL,
      quarter integer NOT NULL,
      step integer NOT NULL,
      amount bigint NOT NULL,
      PRIMARY KEY (organization_id, rollup_version, scope, figure, quarter, step)
    ) WITH (fillfactor = 50)`

  yield* sql`
    CREATE TABLE analytics_days (
      organization_id uuid NOT NULL REFERENCES organizations,
      rollup_version integer NOT NULL,
      scope uuid NOT NULL,
      date date NOT NULL,
      figure text COLLATE "C" NOT NULL,
      step integer NOT NULL,
      amount bigint NOT NULL,
      PRIMARY KEY (organization_id, rollup_version, scope, date, figure, step)
    ) WITH (fillfactor = 50)`

  // Counts of erased contacts, which a rebuild cannot read from the log.
  yield* sql`
    CREATE TABLE analytics_erased_counts (
      organization_id uuid NOT NULL REFERENCES organizations,
      scope uuid NOT NULL,
      figure text COLLATE "C" NOT NULL,
      quarter integer NOT NULL,
      step integer NOT NULL,
      amount bigint NOT NULL,
      PRIMARY KEY (organization_id, scope, figure, quarter, step)
    )`
})

/** What each record was counted as, to subtract it when the record changes. */
const counted = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE analytics_counted_records (
      organization_id uuid NOT NULL REFERENCES organizations,
      rollup_version integer NOT NULL,
      id uuid NOT NULL,
      part integer NOT NULL DEFAULT 0,
      counts json NOT NULL,
      PRIMARY KEY (organization_id, rollup_version, id, part)
    ) WITH (fillfactor = 90)`

  // Quarter hours with messages of contacts, to count contacts and days.
  yield* sql`
    CREATE TABLE analytics_presence (
      organization_id uuid NOT NULL REFERENCES organizations,
      rollup_version integer NOT NULL,
      conversation_id uuid NOT NULL,
      quarter integer NOT NULL,
      contact_id uuid NOT NULL,
      PRIMARY KEY (organization_id, rollup_version, conversation_id, quarter)
    )`
  yield* sql`
    CREATE INDEX analytics_presence_of_contact ON analytics_presence (organization_id, rollup_version, contact_id)`

  yield* sql`
    CREATE TABLE analytics_credits (
      organization_id uuid NOT NULL REFERENCES organizations,
      order_id uuid NOT NULL,
      broadcast_id uuid NOT NULL,
      PRIMARY KEY (organization_id, order_id)
    )`
})

/** Tables of analytics. */
export const analytics = Effect.all([rollups, counted], { discard: true })

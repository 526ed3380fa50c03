import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** How often the buttons of broadcasts were tapped. Of the reports that are kept already nobody knows it any more. */
export const buttonTaps = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE broadcast_taps (
      organization_id uuid NOT NULL REFERENCES organizations,
      broadcast_id uuid NOT NULL,
      variant text COLLATE "C" NOT NULL,
      button text COLLATE "C" NOT NULL,
      taps integer NOT NULL,
      PRIMARY KEY (organization_id, broadcast_id, variant, button),
      CONSTRAINT broadcast_taps_broadcast FOREIGN KEY (organization_id, broadcast_id) REFERENCES broadcasts
        ON DELETE CASCADE
    ) WITH (fillfactor = 50)`
  yield* sql`
    UPDATE broadcast_reports SET report = (report::jsonb || '{"taps": {}}' || jsonb_build_object('variants',
      CASE jsonb_typeof(report::jsonb -> 'variants') WHEN 'array'
        THEN (SELECT jsonb_agg(v || '{"taps": {}}') FROM jsonb_array_elements(report::jsonb -> 'variants') AS v)
        ELSE 'null' END))::json`
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Who was drawn for which group of a broadcast that holds contacts out, and when they were due then: `due_at` moves with whoever is put off, and
 * whoever is excluded in a claim was drawn before. Broadcasts that are listed already have nobody drawn.
 */
export const drawnRecipients = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE broadcast_recipients ADD COLUMN drawn_for timestamptz`
  // Reports that are kept tell the uplift of each variant, too.
  yield* sql`
    UPDATE broadcast_reports SET report = jsonb_set(report::jsonb, '{variants}', (
      SELECT jsonb_agg(v.variant || jsonb_build_object('uplift', NULL, 'upliftReason', report::jsonb -> 'upliftReason') ORDER BY v.place)
      FROM jsonb_array_elements(report::jsonb -> 'variants') WITH ORDINALITY AS v (variant, place)
    ))::json WHERE jsonb_typeof(report::jsonb -> 'variants') = 'array'`
})

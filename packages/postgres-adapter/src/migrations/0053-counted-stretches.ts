import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { countAnew } from "./countAnew.ts"

/** Conversations are counted in parts: each stretch by itself. */
export const countedStretches = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* countAnew
  yield* sql`ALTER TABLE analytics_kept ADD COLUMN part integer NOT NULL DEFAULT 0`
  yield* sql`
    ALTER TABLE analytics_kept DROP CONSTRAINT analytics_kept_pkey,
      ADD PRIMARY KEY (organization_id, edition, id, part)`
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What is counted of each organization, by quarter hours and local days, and of each record what it was counted as. An edition is a whole
 * copy of it. The figure comes before the time in quarter hours, because a year of them is read of one figure only.
 */
export const analytics = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE analytics_books (
      organization_id uuid NOT NULL REFERENCES organizations,
      edition integer NOT NULL,
      timezone text NOT NULL,
      position bigint NOT NULL,
      recount_edition integer,
      recount_position bigint,
      PRIMARY KEY (organization_id)
    )`
  yield* sql`
    CREATE TABLE analytics_kept (
      organization_id uuid NOT NULL REFERENCES organizations,
      edition integer NOT NULL,
      id uuid NOT NULL,
      counts json NOT NULL,
      PRIMARY KEY (organization_id, edition, id)
    ) WITH (fillfactor = 90)`
  yield* sql`
    CREATE TABLE analytics_quarters (
      organization_id uuid NOT NULL REFERENCES organizations,
      edition integer NOT NULL,
      scope uuid NOT NULL,
      figure text COLLATE "C" NOT NULL,
      quarter integer NOT NULL,
      step integer NOT NULL,
      amount bigint NOT NULL,
      PRIMARY KEY (organization_id, edition, scope, figure, quarter, step)
    ) WITH (fillfactor = 50)`
  yield* sql`
    CREATE TABLE analytics_days (
      organization_id uuid NOT NULL REFERENCES organizations,
      edition integer NOT NULL,
      scope uuid NOT NULL,
      date date NOT NULL,
      figure text COLLATE "C" NOT NULL,
      step integer NOT NULL,
      amount bigint NOT NULL,
      PRIMARY KEY (organization_id, edition, scope, date, figure, step)
    ) WITH (fillfactor = 50)`
  yield* sql`
    CREATE TABLE analytics_erased (
      organization_id uuid NOT NULL REFERENCES organizations,
      scope uuid NOT NULL,
      figure text COLLATE "C" NOT NULL,
      quarter integer NOT NULL,
      step integer NOT NULL,
      amount bigint NOT NULL,
      PRIMARY KEY (organization_id, scope, figure, quarter, step)
    )`
})

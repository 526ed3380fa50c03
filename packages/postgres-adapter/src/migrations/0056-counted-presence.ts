import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { countAnew } from "./countAnew.ts"

/** In which quarter hours contacts have written: on how many days, and who of them is one person, is counted from it. */
export const countedPresence = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE analytics_presence (
      organization_id uuid NOT NULL REFERENCES organizations,
      edition integer NOT NULL,
      conversation_id uuid NOT NULL,
      quarter integer NOT NULL,
      contact_id uuid NOT NULL,
      PRIMARY KEY (organization_id, edition, conversation_id, quarter)
    )`
  yield* sql`CREATE INDEX analytics_presence_of_contact ON analytics_presence (organization_id, edition, contact_id)`
  yield* countAnew
})

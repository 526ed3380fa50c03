import { PgTypes } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { searchForm } from "../crm/searchForm.ts"

const atOnce = 1_000

const beforeAll = "00000000-0000-0000-0000-000000000000"

/** Records of stores are found by two characters of scripts in which these are a word, as contacts are: such characters stand twice in what is searched. */
export const storeSearches = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  for (const kind of ["customers", "orders", "carts", "products"]) {
    const table = sql(`store_${kind}`)
    let after = [beforeAll, beforeAll]
    for (;;) {
      const rows = yield* sql<{ readonly organization_id: string; readonly id: string; readonly search: string }>`
        SELECT organization_id, id, search FROM ${table}
        WHERE (organization_id, id) > (${after[0]}::uuid, ${after[1]}::uuid) AND octet_length(search) > length(search)
        ORDER BY organization_id, id LIMIT ${atOnce}`
      const last = rows.at(-1)
      if (last === undefined) break
      after = [last.organization_id, last.id]
      const changed = rows.map((row) => ({ ...row, search: searchForm(row.search) }))
      yield* sql`
        UPDATE ${table} AS t SET search = r.search
        FROM json_to_recordset(${PgTypes.json(changed)}) AS r (organization_id uuid, id uuid, search text)
        WHERE t.organization_id = r.organization_id AND t.id = r.id AND t.search <> r.search`
    }
  }
})

import type { Ports } from "@parley/domain/composition"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type Answer, call } from "./Http.ts"
import { lists } from "./lists.ts"
import type { Tenant } from "./tenants.ts"
import { withQuery } from "./withQuery.ts"

/** Everything that can be seen of a tenant by its owner. */
export const seenByOwner = Effect.fnUntraced(function* (tenant: Tenant) {
  const what = { token: tenant.owner.token, organization: tenant.organization.id }
  const paths = yield* Effect.forEach(lists, ({ path }) => path(tenant))
  const answers: Array<Answer> = []
  for (const path of paths) answers.push(yield* call("GET", withQuery(path, "limit=100"), what))
  answers.push(yield* call("GET", "/api/v1/organization", what), yield* call("GET", "/api/v1/auth/me", what))
  return answers.map(({ text }) => text)
})

/** All rows of a tenant in the database by table, regardless of their visibility. */
export const heldInDatabase = Effect.fnUntraced(function* ({ organization }: Tenant) {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ readonly name: string; readonly key: string }>`
    SELECT t.relname::text AS name, k.attname::text AS key FROM pg_class AS t
    JOIN pg_attribute AS k ON k.attrelid = t.oid AND NOT k.attisdropped
      AND k.attname = CASE t.relname WHEN 'organizations' THEN 'id' ELSE 'organization_id' END
    WHERE t.relnamespace = 'public'::regnamespace AND t.relkind IN ('r', 'p') AND NOT t.relispartition
    ORDER BY t.relname`
  const selections = tables.map(
    ({ key, name }) => sql`
      SELECT ${sql.literal(`'${name}'`)} AS name, string_agg(r::text, ' ' ORDER BY r::text) AS rows
      FROM ${sql(name)} AS r WHERE ${sql(key)} = ${organization.id}`
  )
  return yield* sql<{
    readonly name: string
    readonly rows: string | null
  }>`${sql.join(" UNION ALL ", false)(selections)}`
}, Effect.orDie) satisfies (tenant: Tenant) => Effect.Effect<unknown, never, Ports | SqlClient.SqlClient>

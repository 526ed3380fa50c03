import { Effect } from "effect"
import { SqlClient } from "effect/sql"

interface Definition {
  readonly table: string
  readonly name: string
  readonly isConstraint: boolean
  readonly definition: string
}

/** Removes indexes and their dependents while the tables are filled, and rebuilds them at the end. */
export const withoutIndexes = <E, R>(tables: ReadonlyArray<string>, fill: Effect.Effect<void, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const names = Array.from(tables)
    const references = yield* sql<Definition>`
      SELECT t.relname::text AS "table", c.conname::text AS name, TRUE AS "isConstraint", pg_get_constraintdef(c.oid) AS definition
      FROM pg_constraint AS c JOIN pg_class AS t ON t.oid = c.conrelid JOIN pg_class AS r ON r.oid = c.confrelid
      WHERE c.contype = 'f' AND r.relnamespace = 'public'::regnamespace
        AND (t.relname = ANY(${names}) OR r.relname = ANY(${names}))`
    const indexes = yield* sql<Definition>`
      SELECT t.relname::text AS "table", n.relname::text AS name, c.oid IS NOT NULL AS "isConstraint",
        COALESCE(pg_get_constraintdef(c.oid), pg_get_indexdef(i.indexrelid)) AS definition
      FROM pg_index AS i JOIN pg_class AS t ON t.oid = i.indrelid JOIN pg_class AS n ON n.oid = i.indexrelid
      LEFT JOIN pg_constraint AS c ON c.conindid = i.indexrelid AND c.contype IN ('p', 'u')
      WHERE t.relnamespace = 'public'::regnamespace AND t.relname = ANY(${names})
      ORDER BY c.oid IS NULL, n.relname`
    for (const { isConstraint, name, table } of [...references, ...indexes]) {
      if (isConstraint) yield* sql`ALTER TABLE ${sql(table)} DROP CONSTRAINT ${sql(name)}`
      else yield* sql`DROP INDEX ${sql(name)}`
    }
    yield* fill
    for (const { definition, isConstraint, name, table } of [...indexes, ...references]) {
      yield* Effect.logInfo(`Building ${name}`)
      if (isConstraint) yield* sql`ALTER TABLE ${sql(table)} ADD CONSTRAINT ${sql(name)} ${sql.literal(definition)}`
      else yield* sql`${sql.literal(definition)}`
    }
  })

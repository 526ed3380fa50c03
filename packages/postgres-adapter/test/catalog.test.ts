import { assert, describe, it, layer } from "@effect/vitest"
import { layerServer } from "@parley/postgres-adapter/testing"
import { Effect, type Layer } from "effect"
import { SqlClient } from "effect/sql"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** The tables that belong to no tenant, and so are the only ones without `organization_id`. */
const shared = [
  "emails",
  "event_consumers",
  "installation_hold",
  "login_addresses",
  "operator_tokens",
  "organizations",
  "parley_migrations",
  "password_resets",
  "plugin_catalogue",
  "rate_limit_windows",
  "rates",
  "refresh_tokens",
  "sessions",
  "signing_keys",
  "task_shards",
  "users",
  "worker_processes"
]

const tenantTables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly name: string }>`
    SELECT relname::text AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY relname`
  const names = rows.map(({ name }) => name)
  return { names, tenant: names.filter((name) => !shared.includes(name)) }
})

interface Constraint {
  readonly table: string
  readonly name: string
  readonly kind: string
  readonly columns: ReadonlyArray<string>
  readonly target: string | null
  readonly targetColumns: ReadonlyArray<string> | null
}

const constraints = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<Constraint>`
    SELECT c.conrelid::regclass::text AS "table", c.conname::text AS name, c.contype::text AS kind,
      (SELECT array_agg(a.attname::text ORDER BY k.place) FROM unnest(c.conkey) WITH ORDINALITY AS k (number, place)
        JOIN pg_attribute AS a ON a.attrelid = c.conrelid AND a.attnum = k.number) AS columns,
      c.confrelid::regclass::text AS target,
      (SELECT array_agg(a.attname::text ORDER BY k.place) FROM unnest(c.confkey) WITH ORDINALITY AS k (number, place)
        JOIN pg_attribute AS a ON a.attrelid = c.confrelid AND a.attnum = k.number) AS "targetColumns"
    FROM pg_constraint AS c WHERE c.connamespace = 'public'::regnamespace AND c.contype IN ('p', 'u', 'f', 'x')`
)

interface Index {
  readonly table: string
  readonly name: string
  readonly isUnique: boolean
  readonly first: string | null
}

const indexes = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<Index>`
    SELECT i.indrelid::regclass::text AS "table", i.indexrelid::regclass::text AS name, i.indisunique AS "isUnique",
      (SELECT attname::text FROM pg_attribute WHERE attrelid = i.indrelid AND attnum = i.indkey[0]) AS first
    FROM pg_index AS i JOIN pg_class AS t ON t.oid = i.indrelid WHERE t.relnamespace = 'public'::regnamespace`
)

const catalogSuite = <E>(name: string, database: Layer.Layer<SqlClient.SqlClient, E>) =>
  layer(database)(name, (it) => {
    it.effect("has the shared tables, and others that each belong to a tenant", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { names, tenant } = yield* tenantTables
        assert.deepStrictEqual(
          shared.filter((table) => !names.includes(table)),
          [],
          "an exemption for a table that is not there"
        )
        assert.isAbove(tenant.length, 5)
        for (const table of tenant) {
          const [column] = yield* sql<{ readonly isNotNull: boolean }>`
            SELECT attnotnull AS "isNotNull" FROM pg_attribute
            WHERE attrelid = ${`public.${table}`}::regclass AND attname = 'organization_id'`
          assert.isTrue(column?.isNotNull, `${table}.organization_id`)
        }
      })
    )

    it.effect("has organization_id first in every primary key, unique constraint and foreign key of a tenant", () =>
      Effect.gen(function* () {
        const { tenant } = yield* tenantTables
        const all = (yield* constraints).filter(({ table }) => tenant.includes(table))
        for (const { columns, name, table } of all)
          assert.strictEqual(columns[0], "organization_id", `${table}.${name}`)
        for (const table of tenant) {
          assert.isTrue(
            all.some((each) => each.table === table && each.kind === "p"),
            `${table} has a primary key`
          )
        }
      })
    )

    it.effect("has foreign keys between tenants' tables only where the organization is the same", () =>
      Effect.gen(function* () {
        const { tenant } = yield* tenantTables
        for (const { columns, kind, name, target, targetColumns } of yield* constraints) {
          if (kind !== "f") continue
          const place = columns.indexOf("organization_id")
          const expected = target === "organizations" ? "id" : "organization_id"
          if (place >= 0) assert.strictEqual(targetColumns?.[place], expected, name)
          else assert.isFalse(tenant.includes(target ?? ""), `${name} reaches into a tenant's table without its tenant`)
        }
      })
    )

    it.effect("has no foreign key to organizations that another foreign key of the table implies", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const implied = yield* sql<{ readonly table: string }>`
          SELECT DISTINCT direct.conrelid::regclass::text AS "table"
          FROM pg_constraint AS direct JOIN pg_constraint AS other ON other.conrelid = direct.conrelid
          WHERE direct.contype = 'f' AND direct.confrelid = 'public.organizations'::regclass
            AND other.contype = 'f' AND other.oid <> direct.oid AND direct.conkey <@ other.conkey
            AND NOT EXISTS (SELECT FROM pg_attribute AS a
              WHERE a.attrelid = other.conrelid AND a.attnum = ANY(other.conkey) AND NOT a.attnotnull)`
        assert.deepStrictEqual(implied, [])
      })
    )

    it.effect("has organization_id first in every unique index of a tenant", () =>
      Effect.gen(function* () {
        const { tenant } = yield* tenantTables
        const unique = (yield* indexes).filter(({ isUnique, table }) => isUnique && tenant.includes(table))
        assert.isAtLeast(unique.length, tenant.length)
        for (const { first, name } of unique) assert.strictEqual(first, "organization_id", name)
      })
    )

    it.effect("keeps instants with their zone, and ids as UUIDs", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const columns = yield* sql<{ readonly table: string; readonly name: string; readonly type: string }>`
          SELECT table_name::text AS "table", column_name::text AS name, data_type::text AS type
          FROM information_schema.columns WHERE table_schema = 'public'`
        for (const { name, table, type } of columns) {
          assert.notStrictEqual(type, "timestamp without time zone", `${table}.${name}`)
          if (/_at$|^at$/.test(name)) assert.strictEqual(type, "timestamp with time zone", `${table}.${name}`)
          // The creator of an operator token is the name of an operator.
          const isUuid =
            /^id$|^organization_id$|^user_id$|^session_id$|^created_by$/.test(name) &&
            table !== "parley_migrations" &&
            `${table}.${name}` !== "operator_tokens.created_by"
          if (isUuid) assert.strictEqual(type, "uuid", `${table}.${name}`)
        }
      })
    )
  })

describe("the statements", () => {
  const source = join(import.meta.dirname, "../src")
  const files = globSync("**/*.ts", { cwd: source }).filter((file) => !file.startsWith("migrations/"))

  it.effect.each(files)("slice no array in %s: every tool can deparse trim_array", (file) =>
    Effect.sync(() => {
      assert.notMatch(readFileSync(join(source, file), "utf8"), /\w\[[\w${}]*:(?!:)/)
    })
  )
})

catalogSuite("the catalog", layerServer)

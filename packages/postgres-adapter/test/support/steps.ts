import { Database } from "@parley/postgres-adapter"
import { freshDatabase } from "@parley/postgres-adapter/testing"
import { Effect, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { Backfill, ContractStep, ExpandStep, IndexStep } from "../../src/migrations/index.ts"

/** Runs with a client of the database. */
export const on = (url: Redacted.Redacted, applicationName = "parley") =>
  Effect.provide(Database.layer({ url, maxConnections: 2, applicationName }))

/** A database without tables. */
export const emptied = Effect.gen(function* () {
  const url = yield* freshDatabase
  yield* Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`DROP SCHEMA public CASCADE`
    yield* sql`CREATE SCHEMA public`
  }).pipe(on(url))
  return url
})

type Run = ExpandStep["run"]

/** A made-up step. */
export const step = (
  id: number,
  run: Run,
  differing: Partial<Pick<ExpandStep, "brief" | "compatibleFrom" | "tables">> = {}
): ExpandStep => ({
  id,
  name: `step ${id}`,
  phase: "expand",
  compatibleFrom: "0.1.0",
  transactional: true,
  tables: [],
  brief: false,
  run,
  ...differing
})

/** A made-up step that removes what releases before 0.3.0 need. */
export const contractStep = (id: number, run: Run, backfill: Backfill | null = null): ContractStep => ({
  ...step(id, run, { compatibleFrom: "0.3.0" }),
  phase: "contract",
  backfill
})

/** A made-up step that builds an index on the column `id`. */
export const indexStep = (id: number, table: string, isUnique = false): IndexStep => ({
  id,
  name: `step ${id}`,
  phase: "expand",
  compatibleFrom: "0.1.0",
  transactional: false,
  index: { name: `${table}_id`, table, isUnique, on: "(id)" }
})

/** A run of one statement. */
export const statement = (text: string): Run =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.asVoid(sql.unsafe(text)))

/** Ends the session of the migration, like a crash of its process. */
export const crash = statement("SELECT pg_terminate_backend(pg_backend_pid())")

/** A run that creates a table. */
export const table = (name: string) => statement(`CREATE TABLE ${name} (id integer)`)

/** Names of the tables. */
export const tables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly name: string }>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`
  return rows.map(({ name }) => name)
})

/** Ids of the recorded steps. */
export const appliedIds = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly id: number }>`SELECT id FROM parley_migrations ORDER BY id`
  return rows.map(({ id }) => id)
})

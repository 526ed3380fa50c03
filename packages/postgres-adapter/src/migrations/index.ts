import type { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { foundation } from "./0001-foundation.ts"

/** One step of the schema. Steps are never changed once released: a later one mends an earlier one. */
export interface Migration {
  readonly id: number
  readonly name: string
  readonly run: Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient>
}

/** Every step of the schema, in order. */
export const migrations: ReadonlyArray<Migration> = [{ id: 1, name: "foundation", run: foundation }]

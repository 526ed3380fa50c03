import type { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

interface Step {
  readonly id: number
  readonly name: string
  /** `expand`: earlier releases still run on the result. `contract`: it removes what they need. */
  readonly phase: "expand" | "contract"
  /** Oldest release that runs on the schema after this step. */
  readonly compatibleFrom: string
}

/** A step that runs in its own transaction. It must not lock a table with rows, unless it is brief. */
export interface TransactionalStep extends Step {
  readonly transactional: true
  /** Existing tables that the step changes. */
  readonly tables: ReadonlyArray<string>
  /** Whether it locks these tables against calls, to change the catalogue only. It reads no row of them. */
  readonly brief: boolean
  readonly run: Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient>
}

/** A step that builds an index while calls read and write the table. */
export interface IndexStep extends Step {
  readonly transactional: false
  readonly index: {
    readonly name: string
    readonly table: string
    readonly isUnique: boolean
    /** The definition after the name of the table: `(organization_id, email) WHERE email IS NOT NULL`. */
    readonly on: string
  }
}

/** One step of the schema. */
export type Migration = TransactionalStep | IndexStep

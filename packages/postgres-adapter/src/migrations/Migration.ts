import type { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

interface Step {
  readonly id: number
  readonly name: string
  /** Oldest release that runs on the schema after this step. */
  readonly compatibleFrom: string
}

/** A background task that moves existing values to their new form. */
export interface Backfill {
  readonly task: string
  /** Whether no value is left in the old form. */
  readonly isFinished: Effect.Effect<boolean, SqlError.SqlError, SqlClient.SqlClient>
}

interface InTransaction extends Step {
  readonly transactional: true
  /** Existing tables that the step changes. */
  readonly tables: ReadonlyArray<string>
  /** Whether it locks these tables against calls, to change the catalogue only. It reads no row of them. */
  readonly brief: boolean
  readonly run: Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient>
}

/** A step with an own transaction. Earlier releases still run on the result. */
export interface ExpandStep extends InTransaction {
  readonly phase: "expand"
}

/** A step that removes what earlier releases need. */
export interface ContractStep extends InTransaction {
  readonly phase: "contract"
  /** The step runs after this task, because it removes the old values; `null` if it removes no values. */
  readonly backfill: Backfill | null
}

/** A step that runs in its own transaction. It must not lock a table with rows, unless it is brief. */
export type TransactionalStep = ExpandStep | ContractStep

/** A step that builds an index while calls read and write the table. */
export interface IndexStep extends Step {
  readonly phase: "expand"
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

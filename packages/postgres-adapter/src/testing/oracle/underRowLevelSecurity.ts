import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Predicate } from "effect"
import { SqlClient, type SqlConnection, SqlError } from "effect/sql"
import { classifyNone, makeClassifier, type Verdicts } from "../routing/makeClassifier.ts"
import { lockedTables, lockRows } from "./lockRows.ts"
import { type Lease, makeWitness } from "./makeWitness.ts"

/** PostgreSQL answers COMMIT of a failed transaction with ROLLBACK and no error. The plain client turns that into a failure, too. */
const commit = (connection: SqlConnection.Connection) =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) =>
    Predicate.hasProperty(result, "command") && result.command === "ROLLBACK"
      ? Effect.fail(
          new SqlError.SqlError({
            reason: new SqlError.UnknownError({ cause: result, message: "The COMMIT rolled back", operation: "commit" })
          })
        )
      : Effect.void
  )

/** Checks of the oracle in addition to the effects of statements. */
export interface OracleOptions {
  /**
   * Requires each unlisted statement to name one organization by equality. Stores the results, so statements that are proven for all values and rows
   * are not checked again.
   */
  readonly verdicts?: Verdicts
}

/** A client that runs each statement on its own connection, or on the connection of its transaction, under a witness. */
const makeOracle = Effect.fnUntraced(function* (client: PgClient.PgClient, { verdicts }: OracleOptions) {
  if ((yield* lockedTables(client)).length === 0) yield* lockRows(client)
  const tables = yield* lockedTables(client)
  const witness = makeWitness(
    tables,
    verdicts === undefined ? classifyNone : makeClassifier(tables, verdicts),
    verdicts
  )
  const lent = (lease: Lease) => Effect.map(client.reserve, (connection) => witness(connection, lease))
  const oracle = yield* SqlClient.make({
    acquirer: lent("statement"),
    transactionAcquirer: lent("transaction"),
    compiler: PgClient.makeCompiler(),
    driver: client.driver,
    commit,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: []
  })
  const { config, json, listen, notify } = client
  return Object.assign(oracle, { [PgClient.TypeId]: PgClient.TypeId, config, json, listen, notify })
})

/**
 * The oracle of tenant isolation, for a migrated database that is discarded afterwards. It is a client of the database with forced row level
 * security, which it sets up unless `layerLockedServer` has. Each statement reaches only its organization, among rows that all have a twin in another
 * one. A statement that would have reached more without limits is a defect. So every test that runs a statement proves that the statement names its
 * organization. The oracle is slow, and it does not isolate tenants in production.
 */
export const underRowLevelSecurity = <E>(
  client: Layer.Layer<PgClient.PgClient | SqlClient.SqlClient, E>,
  options: OracleOptions = {}
) =>
  PgClient.layerFrom(Effect.flatMap(PgClient.PgClient, (opened) => makeOracle(opened, options))).pipe(
    Layer.provide(client),
    Layer.orDie
  )

import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Predicate } from "effect"
import { SqlClient, type SqlConnection, SqlError } from "effect/sql"
import { classifyNone, makeClassifier, type Verdicts } from "../routing/makeClassifier.ts"
import { lockedTables, lockRows } from "./lockRows.ts"
import { type Lease, makeWitness } from "./makeWitness.ts"

/** PostgreSQL ends a transaction that has failed with a ROLLBACK and no error; the plain client makes that a failure too. */
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

/** What the oracle looks at beside what statements do. */
export interface OracleOptions {
  /**
   * With these each statement has to name one organization by equality, but for those that are listed. What it shows is noted,
   * and what is shown of all values and rows is not shown again.
   */
  readonly verdicts?: Verdicts
}

/** A client that leaves each statement a connection of its own, or that of its transaction, under the eye of a witness. */
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
 * The oracle of tenant isolation, for a migrated database that is thrown away afterwards: a client of it under row level
 * security that is forced, which it is made to be unless it was made so (`layerLockedServer`). Each statement reaches only the organization that its code runs in, among rows that all have
 * a twin in another one; a statement that would have reached more, had nothing held it back, is a defect. So any test
 * that runs a statement proves that it names its organization. It is slow, and not what keeps tenants apart where
 * Parley runs.
 */
export const underRowLevelSecurity = <E>(
  client: Layer.Layer<PgClient.PgClient | SqlClient.SqlClient, E>,
  options: OracleOptions = {}
) =>
  PgClient.layerFrom(Effect.flatMap(PgClient.PgClient, (opened) => makeOracle(opened, options))).pipe(
    Layer.provide(client),
    Layer.orDie
  )

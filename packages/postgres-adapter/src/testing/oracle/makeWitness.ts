import { CurrentOrganization } from "@parley/domain"
import { Context, Effect, Exit, Result, Stream } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"
import { isDeepStrictEqual } from "node:util"
import type { Classify } from "../routing/makeClassifier.ts"
import { elsewhere, everywhere, nowhere, oracleRole, outside } from "./scopes.ts"

/** Other units of work may commit between two readings, so that they differ honestly; a leak differs each time. */
const readings = 8

/** These reach no rows, and some must pass where nothing else does: in a transaction that has failed. */
const isTransactionControl = (statement: string) => /^(?:BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/.test(statement)

/** They wait for others, and see what those have left only afterwards: what they lock must be theirs before they are compared. */
const isLockingRead = (statement: string) => /^\s*SELECT\b[^]*\bFOR (?:NO KEY )?UPDATE\b/.test(statement)

type Outcome<A> = Result.Result<A, SqlError.SqlError>

const faultOf = ({ reason }: SqlError.SqlError) => `${reason._tag}: ${String(reason.cause)}`

const isSame = <A>(one: Outcome<A>, other: Outcome<A>) =>
  Result.isSuccess(one) && Result.isSuccess(other)
    ? isDeepStrictEqual(one.success, other.success)
    : Result.isFailure(one) && Result.isFailure(other) && faultOf(one.failure) === faultOf(other.failure)

const scopeOf = (context: Context.Context<never>) => Context.getOrUndefined(context, CurrentOrganization)?.id ?? outside

/** Where a connection is lent to: for one statement, or for a whole transaction. */
export type Lease = "statement" | "transaction"

/**
 * Makes a witness of connections: what runs on them runs in the scope of the organization that its code is in. What
 * reaches one of the tables there runs four times, and three of them are undone: it must do the same with nothing held
 * back as in its scope, and the same on the rows of all others as on none. An answer that differs is a defect: the
 * statement does not say whose rows it means.
 */
export const makeWitness = (tables: ReadonlyArray<string>, classify: Classify) => {
  const table = new RegExp(String.raw`\b(?:${tables.join("|")})\b`)

  return (connection: SqlConnection.Connection, lease: Lease): SqlConnection.Connection => {
    const declare = (scope: string) =>
      connection.execute(
        `SELECT set_config('role', '${oracleRole}', false), set_config('parley.organization', $1, false)`,
        [scope],
        undefined
      )
    const control = (statement: string) => connection.execute(statement, [], undefined)

    const outcome = <A>(scope: string, run: Effect.Effect<A, SqlError.SqlError>) =>
      Effect.andThen(declare(scope), Effect.result(run))

    const undone = <A>(scope: string, run: Effect.Effect<A, SqlError.SqlError>) =>
      Effect.tap(outcome(scope, run), control("ROLLBACK TO SAVEPOINT oracle"))

    const compare = Effect.fnUntraced(function* <A>(
      scope: string,
      statement: string,
      run: Effect.Effect<A, SqlError.SqlError>
    ) {
      if (isLockingRead(statement)) {
        const locked = yield* outcome(scope, run)
        if (Result.isFailure(locked)) return yield* Effect.fromResult(locked)
      }
      yield* control("SAVEPOINT oracle")
      for (let reading = 1; reading <= readings; reading++) {
        const ofOthers = isSame(yield* undone(elsewhere(scope), run), yield* undone(nowhere, run))
        const unbound = yield* undone(everywhere, run)
        const bound = yield* outcome(scope, run)
        if (ofOthers && isSame(unbound, bound)) {
          if (Result.isSuccess(bound)) yield* control("RELEASE SAVEPOINT oracle")
          return yield* Effect.fromResult(bound)
        }
        yield* control("ROLLBACK TO SAVEPOINT oracle")
      }
      return yield* Effect.die(new Error(`A statement reaches beyond its organization: ${statement}`))
    })

    const alone = <A, E>(effect: Effect.Effect<A, E>) =>
      Effect.acquireUseRelease(
        control("BEGIN"),
        () => effect,
        (_, exit) => (Exit.isSuccess(exit) ? control("COMMIT") : Effect.ignore(control("ROLLBACK")))
      )

    const compared = <A>(statement: string, run: Effect.Effect<A, SqlError.SqlError>) =>
      Effect.contextWith((context: Context.Context<never>) => {
        if (isTransactionControl(statement)) return run
        const scope = scopeOf(context)
        if (scope === outside || !table.test(statement)) return Effect.andThen(declare(scope), run)
        const whole = compare(scope, statement, run)
        return lease === "statement" ? alone(whole) : whole
      })

    const witnessed = <A>(
      statement: string,
      values: ReadonlyArray<unknown>,
      run: Effect.Effect<A, SqlError.SqlError>
    ) => Effect.tap(compared(statement, run), () => classify(connection, statement, values, lease === "transaction"))

    return {
      execute: (statement, values, ...rest) =>
        witnessed(statement, values, connection.execute(statement, values, ...rest)),
      executeRaw: (statement, values, ...rest) =>
        witnessed(statement, values, connection.executeRaw(statement, values, ...rest)),
      executeStream: (statement, values, ...rest) =>
        Stream.unwrap(
          Effect.map(witnessed(statement, values, connection.execute(statement, values, ...rest)), (rows) =>
            Stream.fromIterable(rows)
          )
        ),
      executeValues: (statement, values, ...rest) =>
        witnessed(statement, values, connection.executeValues(statement, values, ...rest)),
      executeValuesUnprepared: (statement, values, ...rest) =>
        witnessed(statement, values, connection.executeValuesUnprepared(statement, values, ...rest)),
      executeUnprepared: (statement, values, ...rest) =>
        witnessed(statement, values, connection.executeUnprepared(statement, values, ...rest))
    }
  }
}

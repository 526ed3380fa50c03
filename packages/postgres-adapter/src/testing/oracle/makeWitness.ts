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

/**
 * They change nothing and lock nothing, so that there is nothing to undo after them. A word that is part of a value only makes
 * a statement slower.
 */
const isPlainRead = (statement: string) =>
  /^\s*(?:SELECT|WITH)\b/.test(statement) &&
  !/\b(?:INSERT|UPDATE|DELETE|MERGE|SHARE|INTO|nextval|setval|set_config|pg_notify|pg_\w*advisory\w*)\b/i.test(
    statement
  )

type Outcome<A> = Result.Result<A, SqlError.SqlError>

const faultOf = ({ reason }: SqlError.SqlError) => `${reason._tag}: ${String(reason.cause)}`

const isSame = <A>(one: Outcome<A>, other: Outcome<A>) =>
  Result.isSuccess(one) && Result.isSuccess(other)
    ? isDeepStrictEqual(one.success, other.success)
    : Result.isFailure(one) && Result.isFailure(other) && faultOf(one.failure) === faultOf(other.failure)

const scopeOf = (context: Context.Context<never>) => Context.getOrUndefined(context, CurrentOrganization)?.id ?? outside

/** Makes undone what a reading did. */
type Undo = Effect.Effect<unknown, SqlError.SqlError>

/** Where a connection is lent to: for one statement, or for a whole transaction. */
export type Lease = "statement" | "transaction"

/**
 * Makes a witness of connections: what runs on them runs in the scope of the organization that its code is in. What
 * reaches one of the tables there runs four times, and what three of them change is undone: it must do the same with nothing
 * held back as in its scope, and the same on the rows of all others as on none. An answer that differs is a defect: the
 * statement does not say whose rows it means.
 */
export const makeWitness = (tables: ReadonlyArray<string>, classify: Classify) => {
  const table = new RegExp(String.raw`\b(?:${tables.join("|")})\b`)

  return (connection: SqlConnection.Connection, lease: Lease): SqlConnection.Connection => {
    // What is rolled back takes back what was declared since, so that nobody knows then what holds.
    let declared: string | null = null
    const forget = Effect.sync(() => {
      declared = null
    })
    const declare = (scope: string) =>
      Effect.suspend(() => {
        if (declared === scope) return Effect.void
        declared = null
        return Effect.tap(
          connection.execute(
            `SELECT set_config('role', '${oracleRole}', false), set_config('parley.organization', $1, false)`,
            [scope],
            undefined
          ),
          () =>
            Effect.sync(() => {
              declared = scope
            })
        )
      })
    const control = (statement: string) => connection.execute(statement, [], undefined)

    const outcome = <A>(scope: string, run: Effect.Effect<A, SqlError.SqlError>) =>
      Effect.andThen(declare(scope), Effect.result(run))

    const undone = <A>(scope: string, run: Effect.Effect<A, SqlError.SqlError>, undo: (outcome: Outcome<A>) => Undo) =>
      Effect.tap(outcome(scope, run), undo)

    /** One reading: what it did, or nothing where the scopes differ. */
    const read = Effect.fnUntraced(function* <A>(
      scope: string,
      run: Effect.Effect<A, SqlError.SqlError>,
      undo: (outcome: Outcome<A>) => Undo
    ) {
      const ofOthers = isSame(yield* undone(elsewhere(scope), run, undo), yield* undone(nowhere, run, undo))
      const unbound = yield* undone(everywhere, run, undo)
      const bound = yield* outcome(scope, run)
      return ofOthers && isSame(unbound, bound) ? bound : null
    })

    const reachesBeyond = (statement: string) =>
      Effect.die(new Error(`A statement reaches beyond its organization: ${statement}`))

    /** A plain read outside of a transaction, where not even a failure is to be undone. */
    const compareAlone = Effect.fnUntraced(function* <A>(
      scope: string,
      statement: string,
      run: Effect.Effect<A, SqlError.SqlError>
    ) {
      for (let reading = 1; reading <= readings; reading++) {
        const bound = yield* read(scope, run, () => Effect.void)
        if (bound !== null) return yield* Effect.fromResult(bound)
      }
      return yield* reachesBeyond(statement)
    })

    const compare = Effect.fnUntraced(function* <A>(
      scope: string,
      statement: string,
      run: Effect.Effect<A, SqlError.SqlError>
    ) {
      if (isLockingRead(statement)) {
        const locked = yield* outcome(scope, run)
        if (Result.isFailure(locked)) return yield* Effect.fromResult(locked)
      }
      const rollBack = Effect.tap(control("ROLLBACK TO SAVEPOINT oracle"), () =>
        Effect.sync(() => {
          declared = scope
        })
      )
      const leavesNothing = isPlainRead(statement)
      const undo = (outcome: Outcome<A>) => (leavesNothing && Result.isSuccess(outcome) ? Effect.void : rollBack)
      // Each time that a reading is rolled back this holds again.
      yield* declare(scope)
      yield* control("SAVEPOINT oracle")
      for (let reading = 1; reading <= readings; reading++) {
        const bound = yield* read(scope, run, undo)
        if (bound !== null) {
          if (Result.isSuccess(bound)) yield* control("RELEASE SAVEPOINT oracle")
          return yield* Effect.fromResult(bound)
        }
        yield* rollBack
      }
      return yield* reachesBeyond(statement)
    })

    const alone = <A, E>(effect: Effect.Effect<A, E>) =>
      Effect.acquireUseRelease(
        control("BEGIN"),
        () => effect,
        (_, exit) => (Exit.isSuccess(exit) ? control("COMMIT") : Effect.ignore(control("ROLLBACK")))
      )

    const compared = <A>(statement: string, run: Effect.Effect<A, SqlError.SqlError>) =>
      Effect.contextWith((context: Context.Context<never>) => {
        if (isTransactionControl(statement)) return Effect.ensuring(run, forget)
        const scope = scopeOf(context)
        if (scope === outside || !table.test(statement)) return Effect.andThen(declare(scope), run)
        if (lease === "transaction") return compare(scope, statement, run)
        return isPlainRead(statement) ? compareAlone(scope, statement, run) : alone(compare(scope, statement, run))
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

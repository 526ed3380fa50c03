import { CurrentOrganization } from "@parley/domain/kernel"
import { sequential } from "@parley/pg-pipeline"
import { Context, Effect, Exit, Result, Stream } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"
import { isDeepStrictEqual } from "node:util"
import { IsAboveTenants } from "../../kernel/aboveTenants.ts"
import type { Classify, Verdicts } from "../routing/makeClassifier.ts"
import { elsewhere, everywhere, nowhere, oracleRole, outside } from "./scopes.ts"

/** Concurrent commits can make two readings differ legitimately. A real leak differs in every reading. */
const readings = 8

/** Number of comparisons of a statement that changes rows and returns nothing: its result does not show the matches. */
const blindComparisons = 3

/** Transaction control reaches no rows. Some of these statements must pass in a failed transaction. */
const isTransactionControl = (statement: string) => /^(?:BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/.test(statement)

/** Statements that keep the declared scope. */
const keepsDeclared = (statement: string) => /^(?:BEGIN|SAVEPOINT|RELEASE)\b/.test(statement)

/** Locking reads wait for other transactions and then see their changes. They acquire their locks before the comparison. */
const isLockingRead = (statement: string) => /^\s*SELECT\b[^]*\bFOR (?:NO KEY )?UPDATE\b/.test(statement)

/** Plain reads change and lock nothing, so the witness has nothing to undo. A keyword inside a value only makes a statement slower. */
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

const scopeOf = (context: Context.Context<never>) =>
  Context.get(context, IsAboveTenants) ? outside : (Context.getOrUndefined(context, CurrentOrganization)?.id ?? outside)

/** Undoes the effects of a reading. */
type Undo = Effect.Effect<unknown, SqlError.SqlError>

const isEmpty = (answer: unknown) => Array.isArray(answer) && answer.length === 0

/** Duration of a connection loan: one statement or a whole transaction. */
export type Lease = "statement" | "transaction"

/**
 * Makes a witness of connections. Each statement runs in the scope of its organization. A statement on one of the tables runs four times, and three
 * of the runs are undone. Its result without limits must equal the result in its scope. Its result on all other rows must equal the result on none. A
 * different result is a defect: the statement does not name its organization. Statements with a proven plan are not compared repeatedly. PostgreSQL
 * planned them without values, and parameters limit each scan and each inserted row to one organization. If all these parameters are the current
 * organization, the scope removes nothing on any rows. The witness compares such a statement on its first run and on its first result, so the proof
 * does not depend on plans alone. The statement still runs in its scope, where no other rows are reachable. Statements without this limit, or with
 * the id of another organization, are compared each time.
 */
export const makeWitness = (tables: ReadonlyArray<string>, classify: Classify, verdicts: Verdicts | undefined) => {
  const table = new RegExp(String.raw`\b(?:${tables.join("|")})\b`)

  const isBound = (statement: string, values: ReadonlyArray<unknown>, scope: string) =>
    verdicts?.bound.get(statement)?.every((place) => values[place - 1] === scope) ?? false

  /** Whether another comparison would add no information. */
  const isShown = (statement: string) => {
    const compared = verdicts?.compared.get(statement)
    if (compared === undefined) return false
    return compared.hasFound || (!isPlainRead(statement) && compared.times >= blindComparisons)
  }

  const note = (statement: string, hasFound: boolean) => {
    const before = verdicts?.compared.get(statement)
    verdicts?.compared.set(statement, {
      times: (before?.times ?? 0) + 1,
      hasFound: hasFound || before?.hasFound === true
    })
  }

  return (connection: SqlConnection.Connection, lease: Lease): SqlConnection.Connection => {
    // A rollback also reverts later scope declarations. The current scope is unknown then.
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
            `SELECT set_config('role', '${oracleRole}', false), set_config('parley.organization', $1, false),
              set_config('plan_cache_mode', 'force_generic_plan', false)`,
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

    /** One reading: its result, or nothing if the scopes differ. */
    const read = Effect.fnUntraced(function* <A>(
      scope: string,
      statement: string,
      run: Effect.Effect<A, SqlError.SqlError>,
      undo: (outcome: Outcome<A>) => Undo
    ) {
      const ofOthers = yield* undone(elsewhere(scope), run, undo)
      const ofNobody = yield* undone(nowhere, run, undo)
      const unbound = yield* undone(everywhere, run, undo)
      const bound = yield* outcome(scope, run)
      if (!isSame(ofOthers, ofNobody) || !isSame(unbound, bound)) return null
      note(statement, !isSame(bound, ofNobody))
      return bound
    })

    const reachesBeyond = (statement: string) =>
      Effect.die(new Error(`A statement reaches beyond its organization: ${statement}`))

    /** A plain read outside of a transaction needs no undo, even after a failure. */
    const compareAlone = Effect.fnUntraced(function* <A>(
      scope: string,
      statement: string,
      run: Effect.Effect<A, SqlError.SqlError>
    ) {
      for (let reading = 1; reading <= readings; reading++) {
        const bound = yield* read(scope, statement, run, () => Effect.void)
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
      // This scope applies again after each rollback of a reading.
      yield* declare(scope)
      yield* control("SAVEPOINT oracle")
      for (let reading = 1; reading <= readings; reading++) {
        const bound = yield* read(scope, statement, run, undo)
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

    const compareNow = <A>(scope: string, statement: string, run: Effect.Effect<A, SqlError.SqlError>) => {
      if (lease === "transaction") return compare(scope, statement, run)
      return isPlainRead(statement) ? compareAlone(scope, statement, run) : alone(compare(scope, statement, run))
    }

    /** A plain read that has not returned rows yet. It is compared again only when it returns rows. */
    const compareFound = Effect.fnUntraced(function* <A>(
      scope: string,
      statement: string,
      run: Effect.Effect<A, SqlError.SqlError>
    ) {
      const bound = yield* outcome(scope, run)
      return yield* Result.isFailure(bound) || isEmpty(bound.success)
        ? Effect.fromResult(bound)
        : compareNow(scope, statement, run)
    })

    const compared = <A>(statement: string, values: ReadonlyArray<unknown>, run: Effect.Effect<A, SqlError.SqlError>) =>
      Effect.contextWith((context: Context.Context<never>) => {
        if (isTransactionControl(statement)) return keepsDeclared(statement) ? run : Effect.ensuring(run, forget)
        const scope = scopeOf(context)
        if (scope === outside || !table.test(statement)) return Effect.andThen(declare(scope), run)
        if (!isBound(statement, values, scope)) return compareNow(scope, statement, run)
        if (isShown(statement)) return Effect.andThen(declare(scope), run)
        const isAgain = verdicts?.compared.has(statement) === true
        return isAgain && isPlainRead(statement)
          ? compareFound(scope, statement, run)
          : compareNow(scope, statement, run)
      })

    const witnessed = <A>(
      statement: string,
      values: ReadonlyArray<unknown>,
      run: Effect.Effect<A, SqlError.SqlError>
    ) =>
      // The caller waits for each classification.
      Effect.tap(compared(statement, values, run), () =>
        classify(connection, statement, values, lease === "transaction")
      ).pipe(sequential)

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

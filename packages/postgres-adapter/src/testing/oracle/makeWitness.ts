import { CurrentOrganization } from "@parley/domain"
import { Context, Effect, Exit, Result, Stream } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"
import { isDeepStrictEqual } from "node:util"
import { oneByOne } from "../../connections/leavesWithNext.ts"
import { IsAboveTenants } from "../../kernel/aboveTenants.ts"
import type { Classify, Verdicts } from "../routing/makeClassifier.ts"
import { elsewhere, everywhere, nowhere, oracleRole, outside } from "./scopes.ts"

/** Other units of work may commit between two readings, so that they differ honestly; a leak differs each time. */
const readings = 8

/** How often what changes rows and answers nothing is compared: what it has found does not show. */
const blindComparisons = 3

/** These reach no rows, and some must pass where nothing else does: in a transaction that has failed. */
const isTransactionControl = (statement: string) => /^(?:BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/.test(statement)

/** What was declared before holds after these, too. */
const keepsDeclared = (statement: string) => /^(?:BEGIN|SAVEPOINT|RELEASE)\b/.test(statement)

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

const scopeOf = (context: Context.Context<never>) =>
  Context.get(context, IsAboveTenants) ? outside : (Context.getOrUndefined(context, CurrentOrganization)?.id ?? outside)

/** Makes undone what a reading did. */
type Undo = Effect.Effect<unknown, SqlError.SqlError>

const isEmpty = (answer: unknown) => Array.isArray(answer) && answer.length === 0

/** Where a connection is lent to: for one statement, or for a whole transaction. */
export type Lease = "statement" | "transaction"

/**
 * Makes a witness of connections: what runs on them runs in the scope of the organization that its code is in. What
 * reaches one of the tables there runs four times, and what three of them change is undone: it must do the same with nothing
 * held back as in its scope, and the same on the rows of all others as on none. An answer that differs is a defect: the
 * statement does not say whose rows it means.
 *
 * It is not compared again and again where that shows nothing new. PostgreSQL has planned it without values, and each scan and each row that is
 * inserted is limited by parameters to one organization: with whichever values these are this one, on whichever rows, the
 * limits of the scope take nothing away from it. That was compared when it ran first, and again when it first found
 * something, so that it does not rest on how plans are read alone. It still runs in its scope, where nothing else can be
 * reached. What is not limited so, or was called with another organization's id, is compared each time.
 */
export const makeWitness = (tables: ReadonlyArray<string>, classify: Classify, verdicts: Verdicts | undefined) => {
  const table = new RegExp(String.raw`\b(?:${tables.join("|")})\b`)

  const isBound = (statement: string, values: ReadonlyArray<unknown>, scope: string) =>
    verdicts?.bound.get(statement)?.every((place) => values[place - 1] === scope) ?? false

  /** Whether it would only be compared once more. */
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

    /** One reading: what it did, or nothing where the scopes differ. */
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

    /** A plain read outside of a transaction, where not even a failure is to be undone. */
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
      // Each time that a reading is rolled back this holds again.
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

    /** A plain read that has found nothing yet: only where it does is it worth another comparison. */
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
      // Whoever looks at statements waits for each of them.
      Effect.tap(compared(statement, values, run), () =>
        classify(connection, statement, values, lease === "transaction")
      ).pipe(oneByOne)

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

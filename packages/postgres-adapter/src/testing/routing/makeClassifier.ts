import { Effect, Result } from "effect"
import type { SqlConnection } from "effect/sql"
import { insertsOf } from "./insertsOf.ts"
import { isCut, type PlanNode, type Scan, scansOf } from "./readPlan.ts"
import { spanning, wholeTables } from "./spanning.ts"

const isOfRows = (statement: string) => /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(statement)

type Plans = ReadonlyArray<{ readonly Plan: PlanNode }>

interface Explained {
  readonly "QUERY PLAN": Plans
}

interface ExplainedAny {
  readonly plans: Plans | null
}

/** Results of the classification of statements. */
export interface Verdicts {
  /** Classified statements. */
  readonly known: Set<string>
  /** Entries of the list that statements use. */
  readonly needed: Set<string>
  /** Statements that could not be classified, with the reason. */
  readonly unread: Map<string, string>
  /** Statements that reach rows of one organization for all values, with the positions of the parameters that name it. */
  readonly bound: Map<string, ReadonlyArray<number>>
  /** Number of comparisons of each statement on the existing rows, and whether it returned rows. */
  readonly compared: Map<string, { readonly times: number; readonly hasFound: boolean }>
}

/** Empty verdicts. Oracles of one test share them, so each statement is classified once. */
export const makeVerdicts = (): Verdicts => ({
  known: new Set(),
  needed: new Set(),
  unread: new Map(),
  bound: new Map(),
  compared: new Map()
})

const singleSpaced = (statement: string) => statement.replaceAll(/\s+/g, " ")

/**
 * Classifies each new statement by the rows of its PostgreSQL plan. Every scan of a tenant table must be limited to the same organization, by
 * equality with a constant. PostgreSQL derives this through joins, subqueries and `WITH`. Every inserted row must belong to that organization. A
 * statement that violates this is a defect, unless the list of statements that span tenants names it.
 */
export const makeClassifier = (tables: ReadonlyArray<string>, verdicts: Verdicts) => {
  const locked = new Set(tables)
  const tenants = new Set(tables.filter((table) => table !== "organizations" && !(table in wholeTables)))
  const named = new RegExp(String.raw`\b(?:${Array.from(locked).join("|")})\b`)

  /** Plan of the statement for all values. */
  const explainAny = (connection: SqlConnection.Connection, statement: string) =>
    connection.execute("SELECT parley_plan_any($1) AS plans", [statement], undefined).pipe(
      Effect.map((rows) => {
        const [row] = rows as ReadonlyArray<ExplainedAny>
        return row?.plans?.[0]?.Plan ?? null
      }),
      Effect.orElseSucceed(() => null)
    )

  const explain = Effect.fnUntraced(function* (
    connection: SqlConnection.Connection,
    statement: string,
    values: ReadonlyArray<unknown>,
    isInside: boolean
  ) {
    const control = (text: string) => connection.execute(text, [], undefined)
    if (isInside && Result.isFailure(yield* Effect.result(control("SAVEPOINT classifier")))) return null
    yield* Effect.ignore(control("SELECT set_config('role', 'none', false)"))
    const rows = yield* Effect.result(connection.execute(`EXPLAIN (FORMAT JSON) ${statement}`, values, undefined))
    if (isInside) yield* Effect.ignore(control("ROLLBACK TO SAVEPOINT classifier"))
    if (Result.isFailure(rows)) {
      verdicts.unread.set(statement, String(rows.failure.reason.cause))
      return null
    }
    const [row] = rows.success as ReadonlyArray<Explained>
    return row?.["QUERY PLAN"][0]?.Plan ?? null
  })

  /** Positions of the parameters that limit all scans and inserts; nothing if one of them has no limit. */
  const readBound = Effect.fnUntraced(function* (connection: SqlConnection.Connection, statement: string) {
    const plan = yield* explainAny(connection, statement)
    if (plan === null) return null
    const scanned = scansOf(plan).map(({ organization, table }) => ({
      table,
      place: organization?.startsWith("$") === true ? Number(organization.slice(1)) : null
    }))
    const reached = [...scanned, ...insertsOf(statement)].filter(({ table }) => locked.has(table))
    const places = new Set(reached.flatMap(({ place }) => place ?? []))
    return reached.length > 0 && reached.every(({ place }) => place !== null) ? Array.from(places) : null
  })

  /** Rows that the statement reaches with these values, if that does not follow for all values. */
  const reachedWith = Effect.fnUntraced(function* (
    connection: SqlConnection.Connection,
    statement: string,
    values: ReadonlyArray<unknown>,
    isInside: boolean
  ) {
    const plan = yield* explain(connection, statement, values, isInside)
    if (plan === null || isCut(plan)) return null
    const inserted = insertsOf(statement).map(({ place, table }): Scan => {
      const value = place === null ? null : values[place - 1]
      return { table, organization: typeof value === "string" ? value : null }
    })
    return [...scansOf(plan), ...inserted].filter(({ table }) => tenants.has(table))
  })

  const classify: Classify = Effect.fnUntraced(function* (connection, statement, values, isInside) {
    if (verdicts.known.has(statement) || !isOfRows(statement) || !named.test(statement)) return
    const places = yield* readBound(connection, statement)
    if (places !== null) verdicts.bound.set(statement, places)
    const isOne = places !== null && new Set(places.map((place) => values[place - 1])).size === 1
    const reached = isOne ? [] : yield* reachedWith(connection, statement, values, isInside)
    if (reached === null) return
    verdicts.unread.delete(statement)
    verdicts.known.add(statement)
    const astray = reached.filter(({ organization }) => organization === null).map(({ table }) => table)
    const organizations = new Set(reached.map(({ organization }) => organization))
    if (astray.length === 0 && organizations.size <= 1) return
    const allowed = spanning.find(({ text }) => singleSpaced(statement).includes(text))
    if (allowed !== undefined) {
      verdicts.needed.add(allowed.text)
      return
    }
    const where = astray.length > 0 ? `It does not name one for ${astray.join(", ")}` : "It names several"
    return yield* Effect.die(
      new Error(`A statement does not name one organization by equality. ${where}: ${statement}`)
    )
  })

  return classify
}

/** Classifies a statement. */
export type Classify = (
  connection: SqlConnection.Connection,
  statement: string,
  values: ReadonlyArray<unknown>,
  isInside: boolean
) => Effect.Effect<void>

export const classifyNone: Classify = () => Effect.void

import { Effect, Result } from "effect"
import type { SqlConnection } from "effect/sql"
import { insertsOf } from "./insertsOf.ts"
import { isCut, type PlanNode, scansOf } from "./readPlan.ts"
import { spanning, wholeTables } from "./spanning.ts"

const isOfRows = (statement: string) => /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(statement)

interface Explained {
  readonly "QUERY PLAN": ReadonlyArray<{ readonly Plan: PlanNode }>
}

/** What statements have shown: which were read, which entries of the list they need, and what could not be read. */
export interface Verdicts {
  readonly known: Set<string>
  readonly needed: Set<string>
  readonly unread: Map<string, string>
}

/** Nothing is shown yet. A test that gives the same to several oracles has each statement read once for all of them. */
export const makeVerdicts = (): Verdicts => ({ known: new Set(), needed: new Set(), unread: new Map() })

const singleSpaced = (statement: string) => statement.replaceAll(/\s+/g, " ")

/**
 * Asks PostgreSQL of each statement, when it is met first, which rows it reaches: every scan of a tenant's table must be limited
 * to the same organization, by equality with a constant, as PostgreSQL itself derives it through joins, subqueries and `WITH`;
 * and every row that is inserted has to be that organization's. So the statement could be sent to the one shard that holds
 * it. What does not is a defect, unless it is on the list of those that span tenants.
 */
export const makeClassifier = (tables: ReadonlyArray<string>, verdicts: Verdicts) => {
  const tenants = new Set(tables.filter((table) => table !== "organizations" && !(table in wholeTables)))
  const named = new RegExp(String.raw`\b(?:${Array.from(tenants).join("|")})\b`)

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

  const classify = Effect.fnUntraced(function* (
    connection: SqlConnection.Connection,
    statement: string,
    values: ReadonlyArray<unknown>,
    isInside: boolean
  ) {
    if (verdicts.known.has(statement) || !isOfRows(statement) || !named.test(statement)) return
    const plan = yield* explain(connection, statement, values, isInside)
    if (plan === null || isCut(plan)) return
    verdicts.unread.delete(statement)
    verdicts.known.add(statement)
    const reached = [...scansOf(plan), ...insertsOf(statement, values)].filter(({ table }) => tenants.has(table))
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

/** Looks at what a statement reaches. */
export type Classify = (
  connection: SqlConnection.Connection,
  statement: string,
  values: ReadonlyArray<unknown>,
  isInside: boolean
) => Effect.Effect<void>

/** Looks at nothing. */
export const classifyNone: Classify = () => Effect.void

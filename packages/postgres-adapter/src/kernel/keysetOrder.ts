import type { Slice } from "@parley/domain/kernel"
import type { SqlClient, Statement } from "effect/sql"

/** Column of a sort field. Rows with equal values sort by id. */
export interface SortColumn {
  readonly name: string
  readonly type: "integer" | "text" | "timestamptz"
}

/** Field of a sort order, without its direction. */
type FieldOf<Sort extends string> = Sort extends `-${infer Field}` ? Field : Sort

/** Rows after a key in a sort order; a minus is descending. A field without a column sorts by id. */
export const keysetOrder = <Sort extends string>(
  sql: SqlClient.SqlClient,
  columns: Readonly<Record<FieldOf<Sort>, SortColumn | null>>,
  sort: Sort,
  after: Slice["after"]
): { readonly after: ReadonlyArray<Statement.Fragment>; readonly order: Statement.Fragment } => {
  const isDescending = sort.startsWith("-")
  const [direction, beyond] = isDescending ? ["DESC", "<"] : ["ASC", ">"]
  const column = new Map<string, SortColumn | null>(Object.entries(columns)).get(isDescending ? sort.slice(1) : sort)
  if (column === null || column === undefined) {
    return {
      after: after === null ? [] : [sql`id ${sql.literal(beyond)} ${after[0]}::uuid`],
      order: sql.literal(`id ${direction}`)
    }
  }
  const { name, type } = column
  const value = sql.literal(`::${type}`)
  return {
    after:
      after === null
        ? []
        : [sql`(${sql.literal(name)}, id) ${sql.literal(beyond)} (${after[0]}${value}, ${after[1]}::uuid)`],
    order: sql.literal(`${name} ${direction}, id ${direction}`)
  }
}

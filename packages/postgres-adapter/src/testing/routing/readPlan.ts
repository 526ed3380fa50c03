/** A node of a plan in PostgreSQL's JSON format. */
export interface PlanNode {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly Alias?: string
  readonly "Index Cond"?: string
  readonly "Recheck Cond"?: string
  readonly Filter?: string
  readonly "One-Time Filter"?: string
  readonly Plans?: ReadonlyArray<PlanNode>
}

/** Splits `((a) AND (b))` into `(a)` and `(b)`. Other top-level expressions stay in one piece. */
const pieces = (condition: string, word: " AND " | " OR "): ReadonlyArray<string> => {
  const inner = condition.startsWith("(") && condition.endsWith(")") ? condition.slice(1, -1) : condition
  const parts: Array<string> = []
  let depth = 0
  let isQuoted = false
  let start = 0
  for (let at = 0; at < inner.length; at += 1) {
    const char = inner[at]
    if (char === "'") isQuoted = !isQuoted
    if (isQuoted) continue
    if (char === "(") depth += 1
    if (char === ")") depth -= 1
    if (depth < 0) return [condition]
    if (depth === 0 && inner.startsWith(word, at)) {
      parts.push(inner.slice(start, at))
      start = at + word.length
    }
  }
  parts.push(inner.slice(start))
  return parts.length === 1 ? [condition] : parts
}

/**
 * Value that a condition requires of the organization. One part under AND proves it, or all parts under OR, as for several index lookups. Conditions
 * under NOT prove nothing.
 */
const provedBy = (condition: string, pattern: RegExp): string | null => {
  const found = pattern.exec(condition)?.[1]
  if (found !== undefined) return found
  const together = pieces(condition, " AND ")
  if (together.length > 1) return together.map((part) => provedBy(part, pattern)).find((one) => one !== null) ?? null
  const either = pieces(condition, " OR ")
  const [one = null, ...others] = either.length > 1 ? new Set(either.map((part) => provedBy(part, pattern))) : []
  return others.length === 0 ? one : null
}

const conditionsOf = (node: PlanNode): ReadonlyArray<string> =>
  [node["Index Cond"], node["Recheck Cond"], node.Filter].filter((condition) => condition !== undefined)

/** Limit of a scan's organization: a constant, a parameter position, or the organization of another scan. */
interface Bound {
  readonly table: string
  readonly alias: string
  readonly constant: string | null
  readonly others: ReadonlyArray<string>
}

const boundOf = (node: PlanNode, table: string): Bound => {
  const alias = node.Alias ?? table
  const own = String.raw`(?:${alias}\.)?${table === "organizations" ? "id" : "organization_id"}`
  const constant = new RegExp(String.raw`^\(?${own} = '?((?<=')[^']*|\$\d+)(?:'::(?:uuid|text))?\)?$`)
  const other = new RegExp(String.raw`^\(?${own} = (\w+)\.organization_id\)?$`)
  const conditions = conditionsOf(node)
  const first = (pattern: RegExp) => conditions.flatMap((condition) => provedBy(condition, pattern) ?? [])
  return { table, alias, constant: first(constant)[0] ?? null, others: first(other) }
}

const boundsOf = (node: PlanNode): ReadonlyArray<Bound> => {
  const table = node["Relation Name"]
  const below = (node.Plans ?? []).flatMap(boundsOf)
  return table === undefined || node["Node Type"] === "ModifyTable" ? below : [boundOf(node, table), ...below]
}

/**
 * Scan of a table and the organization that limits it; `null` without a limit. In a plan for all values, the organization is the position of its
 * parameter (`$1`).
 */
export interface Scan {
  readonly table: string
  readonly organization: string | null
}

/** All table scans of a plan, including targets of changes. A scan equal to a limited one is limited, too: correlated subqueries show this. */
export const scansOf = (plan: PlanNode): ReadonlyArray<Scan> => {
  const bounds = boundsOf(plan)
  const known = new Map(
    bounds.flatMap(({ alias, constant }) => (constant === null ? [] : [[alias, constant] as const]))
  )
  const constantOf = ({ constant, others }: Bound) =>
    constant ?? others.flatMap((other) => known.get(other) ?? [])[0] ?? null
  return bounds.map((bound) => ({ table: bound.table, organization: constantOf(bound) }))
}

/** Whether PostgreSQL removed a part of the plan because the values alone prove it empty. */
export const isCut = (node: PlanNode): boolean => node["One-Time Filter"] === "false" || (node.Plans ?? []).some(isCut)

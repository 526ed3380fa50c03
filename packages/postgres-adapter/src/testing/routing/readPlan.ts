/** A node of a plan, as PostgreSQL explains it in JSON. */
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

/** Cuts `((a) AND (b))` into `(a)` and `(b)`; what is not joined by this word at its top stays in one piece. */
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
 * What a condition holds the organization equal to: one of its parts under AND does so, or each of them under OR, as where
 * PostgreSQL asks an index once for each. What stands under NOT proves nothing.
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

/** What a scan's organization is equal to: a constant, or a place where one will stand; or that of another scan. */
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
 * A scan of a table, and the one organization that it is limited to, in the plan for any values the place of the parameter
 * that names it (`$1`); `null` when it is not.
 */
export interface Scan {
  readonly table: string
  readonly organization: string | null
}

/**
 * Every scan of a table in a plan, wherever it stands; what is changed is scanned, too. What is equal to a scan that is
 * limited to a constant is limited to it as well: subqueries that are asked for each row say it so.
 */
export const scansOf = (plan: PlanNode): ReadonlyArray<Scan> => {
  const bounds = boundsOf(plan)
  const known = new Map(
    bounds.flatMap(({ alias, constant }) => (constant === null ? [] : [[alias, constant] as const]))
  )
  const constantOf = ({ constant, others }: Bound) =>
    constant ?? others.flatMap((other) => known.get(other) ?? [])[0] ?? null
  return bounds.map((bound) => ({ table: bound.table, organization: constantOf(bound) }))
}

/** Whether PostgreSQL saw from the values alone that a part can find nothing, and left it out. */
export const isCut = (node: PlanNode): boolean => node["One-Time Filter"] === "false" || (node.Plans ?? []).some(isCut)

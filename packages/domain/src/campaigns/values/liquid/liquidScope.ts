import { timeOfDay } from "../Wording.ts"
import { LocalDay } from "./LocalDay.ts"
import { Structure } from "./Structure.ts"

/** Names of a variable, outermost first. */
export type NamedPath = ReadonlyArray<string>

/** Value at a path; `null` if empty. */
export type Written = string | number | boolean | Structure | null

type Scope = Record<string, unknown>

const emptyScope = (): Scope => Object.create(null)

const innerOf = (scope: Scope, name: string): Scope => {
  const inner = scope[name]
  return typeof inner === "object" && inner !== null && !(inner instanceof LocalDay) ? (inner as Scope) : emptyScope()
}

/** Merges a value with nested values that other paths have added before. */
const placed = (value: Written, before: unknown): unknown => {
  const day = typeof value === "string" ? timeOfDay(value) : null
  if (day !== null && typeof value === "string") return new LocalDay(value, day)
  if (typeof before !== "object" || before === null) return value
  return value instanceof Structure ? Object.assign(value, before) : before
}

/** Builds the scope of a source from its variables. */
export const liquidScope = (named: ReadonlyArray<NamedPath>, lookup: (path: NamedPath) => Written): object => {
  const scope = emptyScope()
  for (const path of named) {
    let place = scope
    for (const name of path.slice(0, -1)) {
      const inner = innerOf(place, name)
      place[name] = inner
      place = inner
    }
    const last = path.at(-1)
    if (last !== undefined) place[last] = placed(lookup(path), place[last])
  }
  return scope
}

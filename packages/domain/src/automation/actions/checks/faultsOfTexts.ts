import type { Schema } from "effect"
import { analyseLiquid, type NamedPath, type Vocabulary } from "../../../campaigns/index.ts"
import type { Fault } from "../../../kernel/index.ts"
import type { Action } from "../Action.ts"
import { hasLiquid, textsOf } from "../textsOf.ts"

const step = (name: string) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`

const faultsIn = (value: Schema.Json, vocabulary: Vocabulary<NamedPath>, pointer: string): ReadonlyArray<Fault> => {
  if (typeof value === "string") {
    if (!hasLiquid(value)) return []
    return analyseLiquid(value, vocabulary).faults.map((message) => ({ pointer, message }))
  }
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, each]) => faultsIn(each, vocabulary, pointer + step(name)))
}

/** What is wrong with the Liquid in the texts of an action. */
export const faultsOfTexts = (
  action: Action,
  vocabulary: Vocabulary<NamedPath>,
  pointer: string
): ReadonlyArray<Fault> =>
  textsOf[action.type].flatMap(([field]) => {
    const said: unknown = Reflect.get(action, field)
    return said === undefined ? [] : faultsIn(said as Schema.Json, vocabulary, `${pointer}/${field}`)
  })

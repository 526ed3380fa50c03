import { makePlainWording, timeOfDay, wordingOf } from "../Wording.ts"
import { analyse } from "./analyse.ts"
import { LocalDay } from "./LocalDay.ts"
import { makeLiquid } from "./makeLiquid.ts"
import type { Vocabulary } from "./Vocabulary.ts"

/** The names that lead to something, from the outermost on. */
export type NamedPath = ReadonlyArray<string>

/** What a text may write: what is empty is `null`. */
export type Written = string | number | boolean | null

/** Texts with Liquid over anything that has names. */
export interface Liquid {
  readonly vocabulary: Vocabulary<NamedPath>
  readonly lookup: (path: NamedPath) => Written
  /** In which language numbers and days are written; `null`: as programs write them. */
  readonly language: string | null
}

const isEmpty = (value: Written): value is null => value === null || (typeof value === "string" && value.trim() === "")

type Scope = Record<string, unknown>

const emptyScope = (): Scope => Object.create(null)

const innerOf = (scope: Scope, name: string): Scope => {
  const inner = scope[name]
  return typeof inner === "object" && inner !== null && !(inner instanceof LocalDay) ? (inner as Scope) : emptyScope()
}

const scopeOf = (named: ReadonlyArray<NamedPath>, lookup: Liquid["lookup"]): object => {
  const scope = emptyScope()
  for (const path of named) {
    const value = lookup(path)
    const day = typeof value === "string" ? timeOfDay(value) : null
    let place = scope
    for (const name of path.slice(0, -1)) {
      const inner = innerOf(place, name)
      place[name] = inner
      place = inner
    }
    const last = path.at(-1)
    if (last !== undefined) place[last] = day === null || typeof value !== "string" ? value : new LocalDay(value, day)
  }
  return scope
}

/** The text of a source; `null` where something that it writes is empty, or where it cannot be reckoned with what is there. */
export const liquidText = (source: string, { language, lookup, vocabulary }: Liquid): string | null => {
  if (!source.includes("{{") && !source.includes("{%")) return source
  const { faults, named, required } = analyse(source, vocabulary)
  if (faults.length > 0 || required.some((path) => isEmpty(lookup(path)))) return null
  const liquid = makeLiquid(language === null ? makePlainWording() : wordingOf(language))
  try {
    return String(liquid.renderSync(liquid.parse(source), scopeOf(named, lookup)))
  } catch {
    return null
  }
}

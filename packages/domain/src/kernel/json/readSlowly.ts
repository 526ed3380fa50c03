import { endOfString } from "./endOfString.ts"
import { isExactNumber } from "./exactNumber.ts"

/** What is wrong in a JSON text, and where in its value. */
export interface JsonFault {
  readonly path: ReadonlyArray<string | number>
  readonly message: string
}

const inexact = "Expected a number that can be kept as it is written; whole numbers of up to 15 digits always can"
const repeated = "Expected this field only once"

/** Nobody reads more. */
const mostFaults = 100

const plainToken = /[^\s"[\]{},:]+|[[\]{},:]/uy
const space = /\s*/uy

/** Reads one token after the other. */
const tokensOf = (json: string) => {
  let index = 0
  return (): string => {
    space.lastIndex = index
    space.test(json)
    const start = space.lastIndex
    if (json[start] === '"') index = endOfString(json, start) + 1
    else {
      plainToken.lastIndex = start
      plainToken.test(json)
      index = plainToken.lastIndex
    }
    return json.slice(start, index)
  }
}

/**
 * Reads a text that is known to be JSON, and finds keys that are there twice and numbers that would change. It does not leave
 * keys to `JSON.parse`: with V8 14.6, `{"a":1,"\u0062":2}` can come out as `{"a":1,"\\":2}` once a key `\` has been seen there.
 */
export const readSlowly = (json: string): { readonly value: unknown; readonly faults: ReadonlyArray<JsonFault> } => {
  const faults: Array<JsonFault> = []
  const next = tokensOf(json)
  const report = (fault: JsonFault) => {
    if (faults.length < mostFaults) faults.push(fault)
  }

  const readObject = (path: JsonFault["path"]): unknown => {
    const entries = new Map<string, unknown>()
    for (let at = next(); at !== "}"; at = next()) {
      if (at === ",") continue
      const key = String(JSON.parse(at))
      const inside = [...path, key]
      if (entries.has(key)) report({ path: inside, message: repeated })
      next()
      entries.set(key, read(next(), inside))
    }
    return Object.fromEntries(entries)
  }

  const readArray = (path: JsonFault["path"]): unknown => {
    const items: Array<unknown> = []
    for (let at = next(); at !== "]"; at = next()) {
      if (at !== ",") items.push(read(at, [...path, items.length]))
    }
    return items
  }

  const read = (at: string, path: JsonFault["path"]): unknown => {
    if (at === "{") return readObject(path)
    if (at === "[") return readArray(path)
    if (/^[-\d]/u.test(at) && !isExactNumber(at)) report({ path, message: inexact })
    return JSON.parse(at)
  }

  return { value: read(next(), []), faults }
}

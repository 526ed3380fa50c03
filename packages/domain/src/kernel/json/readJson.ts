import { type JsonFault, readSlowly } from "./readSlowly.ts"
import { surveyJson } from "./surveyJson.ts"

/** The value of a JSON text, or why it is not read. */
export type JsonReading = { readonly value: unknown } | { readonly faults: ReadonlyArray<JsonFault> }

/** How deep JSON may nest that callers send. */
export const deepestJson = 32

const refused = (message: string): JsonReading => ({ faults: [{ path: [], message }] })

const parsed = (json: string): JsonReading => {
  try {
    return { value: JSON.parse(json) }
  } catch {
    return refused("Expected valid JSON")
  }
}

/** Reads a JSON text so that nothing is lost on the way: a key that is there twice and a number that would change are faults. */
export const readJson = (json: string, mostLevels = deepestJson): JsonReading => {
  const survey = surveyJson(json, mostLevels)
  if (survey === "tooDeep") return refused(`Expected JSON that is nested at most ${mostLevels} levels deep`)
  const reading = parsed(json)
  if (survey === "plain" || "faults" in reading) return reading
  const { faults, value } = readSlowly(json)
  return faults.length === 0 ? { value } : { faults }
}

/** Whether a text, if it is JSON at all, is one that `JSON.parse` reads as it is written. It costs less than to read it. */
export const isPlainJson = (json: string, mostLevels = deepestJson): boolean => surveyJson(json, mostLevels) === "plain"

import { findStringEnd, scanJson } from "./jsonScan.ts"

const decimalPattern = /^-?(?<whole>\d+)(?:\.(?<fraction>\d+))?(?:[eE](?<exponent>[+-]?\d+))?$/u

interface Decimal {
  /** The digits without zeros at either end; empty for zero. */
  readonly digits: string
  /** Power of ten of the last digit. */
  readonly power: number
}

const parseDecimal = (literal: string): Decimal | null => {
  const { exponent = "0", fraction = "", whole } = decimalPattern.exec(literal)?.groups ?? {}
  if (whole === undefined) return null
  const digits = (whole + fraction).replace(/^0+/u, "")
  // Not a regular expression, because it would be quadratic for many zeros before another digit.
  let end = digits.length
  while (digits[end - 1] === "0") end -= 1
  return { digits: digits.slice(0, end), power: Number(exponent) - fraction.length + digits.length - end }
}

/**
 * Whether parsing preserves this number literal. Integers must be exact, and no number may become infinite or zero. Fractions are rounded at the
 * seventeenth digit, as usual.
 */
export const isExactNumber = (literal: string): boolean => {
  const value = Number(literal)
  const written = parseDecimal(literal)
  if (written === null || !Number.isFinite(value)) return false
  if (written.digits === "") return true
  if (value === 0) return false
  if (written.power < 0) return true
  const read = parseDecimal(String(Math.abs(value)))
  return read?.digits === written.digits && read.power === written.power
}

/** Issue in a JSON text, with its place in the value. */
export interface JsonIssue {
  readonly path: ReadonlyArray<string | number>
  readonly message: string
}

const inexactNumberMessage = "Expected a number that is stored exactly, for example a whole number of up to 15 digits"
const duplicateKeyMessage = "Expected this field only once"

/** More issues are of no use to a reader. */
const maxIssues = 100

const tokenPattern = /[^\s"[\]{},:]+|[[\]{},:]/uy
const whitespacePattern = /\s*/uy

/** Reads tokens sequentially. */
const makeTokenizer = (json: string) => {
  let index = 0
  return (): string => {
    whitespacePattern.lastIndex = index
    whitespacePattern.test(json)
    const start = whitespacePattern.lastIndex
    if (json[start] === '"') index = findStringEnd(json, start) + 1
    else {
      tokenPattern.lastIndex = start
      tokenPattern.test(json)
      index = tokenPattern.lastIndex
    }
    return json.slice(start, index)
  }
}

/**
 * Reads a valid JSON text, and finds duplicate keys and numbers that would change. It does not use the keys of `JSON.parse`: with V8 14.6,
 * `{"a":1,"\u0062":2}` can result in `{"a":1,"\\":2}` after a key `\` was parsed there.
 */
const findJsonIssues = (json: string): { readonly value: unknown; readonly faults: ReadonlyArray<JsonIssue> } => {
  const faults: Array<JsonIssue> = []
  const next = makeTokenizer(json)
  const report = (fault: JsonIssue) => {
    if (faults.length < maxIssues) faults.push(fault)
  }

  const readObject = (path: JsonIssue["path"]): unknown => {
    const entries = new Map<string, unknown>()
    for (let at = next(); at !== "}"; at = next()) {
      if (at === ",") continue
      const key = String(JSON.parse(at))
      const inside = [...path, key]
      if (entries.has(key)) report({ path: inside, message: duplicateKeyMessage })
      next()
      entries.set(key, read(next(), inside))
    }
    return Object.fromEntries(entries)
  }

  const readArray = (path: JsonIssue["path"]): unknown => {
    const items: Array<unknown> = []
    for (let at = next(); at !== "]"; at = next()) {
      if (at !== ",") items.push(read(at, [...path, items.length]))
    }
    return items
  }

  const read = (at: string, path: JsonIssue["path"]): unknown => {
    if (at === "{") return readObject(path)
    if (at === "[") return readArray(path)
    if (/^[-\d]/u.test(at) && !isExactNumber(at)) report({ path, message: inexactNumberMessage })
    return JSON.parse(at)
  }

  return { value: read(next(), []), faults }
}

/** Value of a JSON text, or the issues. */
export type JsonParseResult = { readonly value: unknown } | { readonly faults: ReadonlyArray<JsonIssue> }

/** Maximum nesting depth of JSON from callers. */
export const maxJsonDepth = 32

const rejectJson = (message: string): JsonParseResult => ({ faults: [{ path: [], message }] })

const parseJson = (json: string): JsonParseResult => {
  try {
    return { value: JSON.parse(json) }
  } catch {
    return rejectJson("Expected valid JSON")
  }
}

/** Reads a JSON text without data loss: duplicate keys and numbers that would change are issues. */
export const readJson = (json: string, mostLevels = maxJsonDepth): JsonParseResult => {
  const survey = scanJson(json, mostLevels)
  if (survey === "tooDeep") return rejectJson(`Expected JSON with at most ${mostLevels} nested levels`)
  const reading = parseJson(json)
  if (survey === "plain" || "faults" in reading) return reading
  const { faults, value } = findJsonIssues(json)
  return faults.length === 0 ? { value } : { faults }
}

/** Whether `JSON.parse` reads the text without loss, if it is JSON. It is cheaper than reading it. */
export const isPlainJson = (json: string, mostLevels = maxJsonDepth): boolean => scanJson(json, mostLevels) === "plain"

import { Predicate, type SchemaAST, type SchemaIssue } from "effect"
import type { Fault } from "./errors.ts"
import { choicesOf, discriminatorOf, expectationOf, fieldsOf } from "./validationExpectations.ts"

const closest = 2

/** How many letters have to be added, dropped, changed or swapped to make one word of the other; more than `most` is not counted. */
const distanceOf = (one: string, other: string, most: number): number => {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let before: Array<number> = []
  let last = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1)
      )
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]) {
        cost = Math.min(cost, (before[column - 2] ?? 0) + 1)
      }
      next.push(cost)
    }
    before = last
    last = next
  }
  return last[other.length] ?? 0
}

const plain = (name: string) => name.toLowerCase().replaceAll(/[-_.]/gu, "")

const longest = 64

/** The name that somebody may have meant; `null` if none comes close. */
const didYouMean = (written: string, known: ReadonlyArray<string>): string | null => {
  if (written.length > longest) return null
  const same = known.find((name) => plain(name) === plain(written))
  if (same !== undefined) return same
  // Of a short name, two letters are most of it.
  const most = written.length < 5 ? 1 : closest
  let best: string | null = null
  let distance = most + 1
  for (const name of known) {
    const found = distanceOf(written, name, most)
    if (found < distance && found < name.length) {
      best = name
      distance = found
    }
  }
  return best
}

type Path = ReadonlyArray<PropertyKey>

interface Found {
  readonly path: Path
  readonly message: string
  /** Whether something else stands there than any of this sort. */
  readonly isOfType: boolean
}

/** How faults of a value are told. */
export interface FaultManner {
  /** What its fields are called. */
  readonly noun: string
  /** What is said where a field stands more than once; `null` where a list is nothing else. */
  readonly repeated: string | null
}

const ofFields: FaultManner = { noun: "field", repeated: null }

const longestMessage = 1_000

/** Nobody reads more, and a small body can have a hundred thousand. */
export const mostFaults = 100

const valueAt = (input: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, key) => (Predicate.hasProperty(value, key) ? value[key] : undefined), input)

const wordsOf = (annotations: object | undefined): string | undefined => {
  const message = Predicate.hasProperty(annotations, "message") ? annotations.message : undefined
  if (typeof message === "string") return message
  const expected = Predicate.hasProperty(annotations, "expected") ? annotations.expected : undefined
  return typeof expected === "string" ? `Expected ${expected}` : undefined
}

const wrong = (path: Path, message: string): Found => ({ path, message, isOfType: false })

/** Says every fault of an issue in plain words, and where it is. */
const makeReader = (input: unknown, { noun, repeated }: FaultManner) => {
  const misnamed = (path: Path, ast: SchemaAST.AST): Found => {
    const meant = didYouMean(String(path.at(-1)), fieldsOf(ast))
    return wrong(path, `There is no such ${noun}${meant === null ? "" : `. Did you mean ${meant}?`}`)
  }

  const mistyped = (path: Path, ast: SchemaAST.AST): Found => {
    const isRepeated = repeated !== null && path.length > 0 && Array.isArray(valueAt(input, path))
    return { path, message: isRepeated ? repeated : expectationOf(ast), isOfType: true }
  }

  /** One of several: the fault is that none is meant, or what is wrong with the one that is. */
  const choose = (issue: SchemaIssue.AnyOf, path: Path): ReadonlyArray<Found> => {
    const value = valueAt(input, path)
    const choices = choicesOf(issue.ast)
    const discriminator = Predicate.isObject(value) ? discriminatorOf(choices) : null
    if (discriminator !== null && Predicate.isObject(value)) {
      const { name, values } = discriminator
      const said = value[name]
      if (typeof said !== "string" || !values.includes(said)) {
        return [wrong([...path, name], `Expected one of: ${values.join(", ")}`)]
      }
    }
    const each = issue.issues
      .map((issue) => read(issue, path))
      .filter((faults) => faults.every((fault) => fault.path.length > path.length || !fault.isOfType))
    const [best] = each.toSorted((one, other) => one.length - other.length)
    return best ?? [mistyped(path, issue.ast)]
  }

  const readSome = (issues: ReadonlyArray<SchemaIssue.Issue>, path: Path, words?: string): ReadonlyArray<Found> => {
    const found: Array<Found> = []
    for (const issue of issues) {
      if (found.length >= mostFaults) break
      found.push(...read(issue, path, words))
    }
    return found
  }

  const read = (issue: SchemaIssue.Issue, path: Path, words?: string): ReadonlyArray<Found> => {
    switch (issue._tag) {
      case "Filter":
        return read(issue.issue, path, words ?? wordsOf(issue.filter.annotations))
      case "Encoding":
        return read(issue.issue, path, words)
      case "Pointer":
        return read(issue.issue, [...path, ...issue.path], words)
      case "Composite":
        return readSome(issue.issues, path, words)
      case "AnyOf":
        return words === undefined ? choose(issue, path) : [wrong(path, words)]
      case "MissingKey":
        return [wrong(path, `This ${noun} is required`)]
      case "UnexpectedKey":
        return [misnamed(path, issue.ast)]
      case "InvalidType": {
        const own = wordsOf({ message: issue.ast.annotations?.message })
        return own === undefined ? [mistyped(path, issue.ast)] : [wrong(path, own)]
      }
      case "OneOf":
        return [wrong(path, words ?? expectationOf(issue.ast))]
      case "InvalidValue":
      case "Forbidden":
        return [wrong(path, words ?? wordsOf(issue.annotations) ?? "Expected another value")]
    }
  }
  return read
}

/** Nobody looks for a field by a longer name, and who sends one need not get it back. */
const longestSegment = 100

const segment = (key: PropertyKey) =>
  String(key).slice(0, longestSegment).toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1")

/** The JSON pointer to a place. */
export const pointerTo = (path: ReadonlyArray<PropertyKey>): string => ["", ...path.map(segment)].join("/")

/**
 * The first faults of a value that a schema refuses, in plain words and with pointers. The work is bounded by how many are told, not by
 * how many there are.
 */
export const faultsOfIssue = (
  issue: SchemaIssue.Issue,
  input: unknown,
  manner: FaultManner = ofFields
): ReadonlyArray<Fault> => {
  const faults = makeReader(input, manner)(issue, [])
    .slice(0, mostFaults)
    .map(({ message, path }) => ({ pointer: pointerTo(path), message: message.slice(0, longestMessage) }))
  return faults.filter(
    (fault, index) =>
      faults.findIndex(({ message, pointer }) => pointer === fault.pointer && message === fault.message) === index
  )
}

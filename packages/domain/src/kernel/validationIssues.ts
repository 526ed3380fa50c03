import { Predicate, type SchemaAST, type SchemaIssue } from "effect"
import type { ValidationIssue } from "./errors.ts"
import {
  toChoices,
  findDiscriminator,
  describeExpected,
  fieldNames,
  listChoices,
  textChoices
} from "./validationExpectations.ts"

const maxEditDistance = 2

/** Counts the insertions, deletions, replacements and swaps between two words, up to `most`. */
const editDistance = (one: string, other: string, most: number): number => {
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

const normalizeFieldName = (name: string) => name.toLowerCase().replaceAll(/[-_.]/gu, "")

const maxSuggestionInput = 64

/** Suggests the most similar name; `null` if none is similar. */
const suggestName = (written: string, known: ReadonlyArray<string>): string | null => {
  if (written.length > maxSuggestionInput) return null
  const same = known.find((name) => normalizeFieldName(name) === normalizeFieldName(written))
  if (same !== undefined) return same
  // In a short name, two letters are most of the name.
  const most = written.length < 5 ? 1 : maxEditDistance
  let best: string | null = null
  let distance = most + 1
  for (const name of known) {
    const found = editDistance(written, name, most)
    if (found < distance && found < name.length) {
      best = name
      distance = found
    }
  }
  return best
}

/** A shorter list of choices is shown as a whole. */
const maxListedChoices = 20

const maxNearest = 3

/** Finds the most similar names of a long list: names that contain the text, then names with few differences. */
const nearestNames = (written: string, known: ReadonlyArray<string>): ReadonlyArray<string> => {
  const text = normalizeFieldName(written)
  if (text.length < 3 || written.length > maxSuggestionInput) return []
  const most = Math.max(maxEditDistance, Math.floor(text.length / 5))
  return known
    .map((name) => {
      const other = normalizeFieldName(name)
      return { name, distance: other.includes(text) ? 0 : editDistance(text, other, most) }
    })
    .filter(({ distance }) => distance <= most)
    .toSorted((one, other) => one.distance - other.distance || one.name.length - other.name.length)
    .slice(0, maxNearest)
    .map(({ name }) => name)
}

const orList = (names: ReadonlyArray<string>): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`

/** Completes a message about an unknown name with the most similar names. */
export const withNearestNames = (message: string, written: string, known: ReadonlyArray<string>): string => {
  const nearest = nearestNames(written, known)
  return nearest.length === 0 ? message : `${message}. Did you mean ${orList(nearest)}?`
}

/** Describes the expected value. From a long list of choices it names the most similar ones. */
const describeMistyped = (ast: SchemaAST.AST, readValue: () => unknown): string => {
  const choices = textChoices(ast) ?? []
  const value = choices.length > maxListedChoices ? readValue() : null
  const nearest = typeof value === "string" ? nearestNames(value, choices) : []
  return nearest.length === 0
    ? describeExpected(ast)
    : `Expected one of ${choices.length} values. Did you mean ${orList(nearest)}?`
}

type Path = ReadonlyArray<PropertyKey>

interface FoundIssue {
  readonly path: Path
  readonly message: string
  /** Whether the value has a wrong type. */
  readonly isOfType: boolean
}

/** Wording of the issues. */
export interface IssueFormat {
  /** Noun for a field. */
  readonly noun: string
  /** Message for a repeated field; `null` where a list has no such meaning. */
  readonly repeated: string | null
}

const fieldIssueFormat: IssueFormat = { noun: "field", repeated: null }

const maxMessageLength = 1_000

/** More issues are of no use to a reader, and a small body can have a hundred thousand. */
export const maxValidationIssues = 100

const cutMessage = (message: string): string =>
  message.length <= maxMessageLength ? message : `${message.slice(0, maxMessageLength - 1).toWellFormed()}…`

const valueAt = (input: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, key) => (Predicate.hasProperty(value, key) ? value[key] : undefined), input)

const annotationMessage = (annotations: object | undefined): string | undefined => {
  const message = Predicate.hasProperty(annotations, "message") ? annotations.message : undefined
  if (typeof message === "string") return message
  const expected = Predicate.hasProperty(annotations, "expected") ? annotations.expected : undefined
  return typeof expected === "string" ? `Expected ${expected}` : undefined
}

const toFoundIssue = (path: Path, message: string): FoundIssue => ({ path, message, isOfType: false })

const remediesKeyword = "parley-field-remedies"

/** Annotation for fields that callers write into this object by mistake, with a remedy for each. */
export const fieldRemedies = (remedies: Readonly<Record<string, string>>) => ({ [remediesKeyword]: remedies })

const remedyOf = ({ annotations }: SchemaAST.AST, field: string): string | null => {
  const remedies = annotations?.[remediesKeyword] as Readonly<Record<string, string>> | undefined
  return remedies !== undefined && Object.hasOwn(remedies, field) ? (remedies[field] ?? null) : null
}

const furtherIssuesKeyword = "parley-further-issues"

type FurtherIssues = (value: unknown) => ReadonlyArray<ValidationIssue>

/**
 * Annotation for an object with rules beyond its schema. The rules read a value that the schema rejects, so one answer has the issues of both. A
 * value that the schema accepts is checked by its use case.
 */
export const furtherIssues = (find: FurtherIssues) => ({ [furtherIssuesKeyword]: find })

const readFurtherIssues = ({ annotations }: SchemaAST.AST, input: unknown, path: Path): ReadonlyArray<FoundIssue> => {
  const find = annotations?.[furtherIssuesKeyword] as FurtherIssues | undefined
  return find === undefined
    ? []
    : find(valueAt(input, path)).map(({ message, pointer }) =>
        toFoundIssue([...path, ...pointer.split("/").slice(1)], message)
      )
}

/** Describes every issue in plain words with its path. */
const makeIssueReader = (input: unknown, { noun, repeated }: IssueFormat) => {
  const misnamed = (path: Path, ast: SchemaAST.AST): FoundIssue => {
    const remedy = remedyOf(ast, String(path.at(-1)))
    if (remedy !== null) return toFoundIssue(path, `There is no such ${noun}. ${remedy}`)
    const meant = suggestName(String(path.at(-1)), fieldNames(ast))
    return toFoundIssue(path, `This ${noun} does not exist${meant === null ? "" : `. Did you mean ${meant}?`}`)
  }

  const mistyped = (path: Path, ast: SchemaAST.AST): FoundIssue => {
    const isRepeated = repeated !== null && path.length > 0 && Array.isArray(valueAt(input, path))
    return { path, message: isRepeated ? repeated : describeMistyped(ast, () => valueAt(input, path)), isOfType: true }
  }

  /** Reports one issue of a union: no member matches, or the errors of the intended member. */
  const choose = (issue: SchemaIssue.AnyOf, path: Path): ReadonlyArray<FoundIssue> => {
    const value = valueAt(input, path)
    const choices = toChoices(issue.ast)
    const discriminator = Predicate.isObject(value) ? findDiscriminator(choices) : null
    if (discriminator !== null && Predicate.isObject(value)) {
      const { name, values } = discriminator
      const found = value[name]
      if (typeof found !== "string" || !values.includes(found)) {
        return [toFoundIssue([...path, name], `Expected one of: ${listChoices(values)}`)]
      }
    }
    const each = issue.issues
      .map((issue) => read(issue, path))
      .filter((faults) => faults.every((fault) => fault.path.length > path.length || !fault.isOfType))
    const [best] = each.toSorted((one, other) => one.length - other.length)
    return best ?? [mistyped(path, issue.ast)]
  }

  const readSome = (
    issues: ReadonlyArray<SchemaIssue.Issue>,
    path: Path,
    words?: string
  ): ReadonlyArray<FoundIssue> => {
    const found: Array<FoundIssue> = []
    for (const issue of issues) {
      if (found.length >= maxValidationIssues) break
      found.push(...read(issue, path, words))
    }
    return found
  }

  const read = (issue: SchemaIssue.Issue, path: Path, words?: string): ReadonlyArray<FoundIssue> => {
    switch (issue._tag) {
      case "Filter":
        return read(issue.issue, path, words ?? annotationMessage(issue.filter.annotations))
      case "Encoding":
        return read(issue.issue, path, words)
      case "Pointer":
        return read(issue.issue, [...path, ...issue.path], words)
      case "Composite":
        return [...readSome(issue.issues, path, words), ...readFurtherIssues(issue.ast, input, path)]
      case "AnyOf":
        return words === undefined ? choose(issue, path) : [toFoundIssue(path, words)]
      case "MissingKey":
        return [toFoundIssue(path, `This ${noun} is required`)]
      case "UnexpectedKey":
        return [misnamed(path, issue.ast)]
      case "InvalidType": {
        const own = annotationMessage({ message: issue.ast.annotations?.message })
        return own === undefined ? [mistyped(path, issue.ast)] : [toFoundIssue(path, own)]
      }
      case "OneOf":
        return [toFoundIssue(path, words ?? describeExpected(issue.ast))]
      case "InvalidValue":
      case "Forbidden":
        return [toFoundIssue(path, words ?? annotationMessage(issue.annotations) ?? "Expected another value")]
    }
  }
  return read
}

/** No field has a longer name, and the response need not repeat one. */
const maxSegmentLength = 100

const toPointerSegment = (key: PropertyKey) =>
  String(key).slice(0, maxSegmentLength).toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1")

export const toJsonPointer = (path: ReadonlyArray<PropertyKey>): string => ["", ...path.map(toPointerSegment)].join("/")

/**
 * Returns the first issues of a value that a schema rejects, in plain words and with JSON pointers. The number of returned issues bounds the work,
 * not the number of issues in the value.
 */
export const toValidationIssues = (
  issue: SchemaIssue.Issue,
  input: unknown,
  manner: IssueFormat = fieldIssueFormat
): ReadonlyArray<ValidationIssue> => {
  const faults = makeIssueReader(input, manner)(issue, [])
    .slice(0, maxValidationIssues)
    .map(({ message, path }) => ({ pointer: toJsonPointer(path), message: cutMessage(message) }))
  return faults.filter(
    (fault, index) =>
      faults.findIndex(({ message, pointer }) => pointer === fault.pointer && message === fault.message) === index
  )
}

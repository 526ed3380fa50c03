import { type Fault } from "@parley/domain"
import { Predicate, type SchemaAST, type SchemaIssue } from "effect"
import type { RequestPart } from "../requestParts.ts"
import { didYouMean } from "./didYouMean.ts"
import { choicesOf, discriminatorOf, expectationOf, fieldsOf } from "./expectations.ts"
import { pointerOf } from "./pointerOf.ts"

type Path = ReadonlyArray<PropertyKey>

interface Found {
  readonly path: Path
  readonly message: string
  /** Whether something else stands there than any of this sort. */
  readonly isOfType: boolean
}

/** What the fields of each part of a request are called. */
const nouns = { Params: "part of the path", Headers: "header", Query: "parameter", Payload: "field" } as const

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
const makeReader = (input: unknown, part: RequestPart) => {
  const noun = nouns[part]

  const misnamed = (path: Path, ast: SchemaAST.AST): Found => {
    const meant = didYouMean(String(path.at(-1)), fieldsOf(ast))
    return wrong(path, `There is no such ${noun}${meant === null ? "" : `. Did you mean ${meant}?`}`)
  }

  const mistyped = (path: Path, ast: SchemaAST.AST): Found => {
    const isRepeated = part === "Query" && path.length > 0 && Array.isArray(valueAt(input, path))
    return { path, message: isRepeated ? "Expected this parameter only once" : expectationOf(ast), isOfType: true }
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

/** The first faults of an issue in a part of a request. The work is bounded by how many are told, not by how many there are. */
export const faultsOf = (issue: SchemaIssue.Issue, input: unknown, part: RequestPart): ReadonlyArray<Fault> => {
  const faults = makeReader(input, part)(issue, [])
    .slice(0, mostFaults)
    .map(({ message, path }) => ({ pointer: pointerOf(part, path), message: message.slice(0, longestMessage) }))
  return faults.filter(
    (fault, index) =>
      faults.findIndex(({ message, pointer }) => pointer === fault.pointer && message === fault.message) === index
  )
}

import {
  type FilteredValueToken,
  type TagToken,
  type Template,
  type Token,
  Tokenizer,
  TypeGuards
} from "liquidjs/dist/liquid.browser.mjs"
import { type ContactPath, formatContactPath, ValueField } from "../BroadcastValue.ts"
import { liquid, validateFilters } from "./filters.ts"

/** Paths that a source can reference. */
export interface Vocabulary<Path> {
  /** Returns the path of these names; `null` if it does not exist. */
  readonly read: (names: ReadonlyArray<string>) => Path | null
  /** Returns equal keys for equal paths. */
  readonly keyOf: (path: Path) => string
  /** Allowed paths, as text for messages. */
  readonly expected: string
  /** Owner of the paths, as text for messages. */
  readonly of: string
}

/** Removes duplicate paths. */
export const distinctPaths = <Path>(paths: ReadonlyArray<Path>, { keyOf }: Vocabulary<Path>): ReadonlyArray<Path> =>
  Array.from(new Map(paths.map((path) => [keyOf(path), path])).values())

const fields: ReadonlySet<string> = new Set(ValueField.literals)
const isField = (name: string): name is ValueField => fields.has(name)

/** Contact paths that broadcast values can reference. */
export const contactVocabulary: Vocabulary<ContactPath> = {
  read: ([field, key, ...others]) => {
    if (field === undefined || !isField(field) || others.length > 0) return null
    if (field !== "attribute") return key === undefined ? { field } : null
    return key === undefined ? null : { field, key }
  },
  keyOf: formatContactPath,
  expected: `${ValueField.literals.slice(0, -1).join(", ")} or attribute.key`,
  of: "the contact"
}

/** A reference of a template: a path, a literal, or an invalid operand. */
export type Operand<Path> =
  | { readonly kind: "path"; readonly path: Path }
  | { readonly kind: "literal"; readonly content: unknown }
  | { readonly kind: "fault"; readonly message: string }

/** A token of the template library. The declaration of this file must not reference the library's types. */
interface ValueToken {
  readonly kind: number
  readonly input: string
  readonly begin: number
  readonly end: number
}

/** Reads the operand of a value token. */
export const readOperand = <Path>(token: ValueToken, { expected, of, read }: Vocabulary<Path>): Operand<Path> => {
  const written = token.input.slice(token.begin, token.end)
  if (TypeGuards.isPropertyAccessToken(token)) {
    const names = token.props.map((prop) => ("content" in prop ? prop.content : null))
    const areTexts = token.variable === undefined && names.every((name) => typeof name === "string")
    const path = areTexts ? read(names) : null
    return path === null
      ? { kind: "fault", message: `The variable ${written} does not exist: expected ${expected}` }
      : { kind: "path", path }
  }
  return TypeGuards.isQuotedToken(token) || TypeGuards.isNumberToken(token) || TypeGuards.isLiteralToken(token)
    ? { kind: "literal", content: token.content }
    : { kind: "fault", message: `Expected a text, a number or a variable of ${of}, not ${written}` }
}

/** Facts about a source that need no values. */
export interface Analysis<Path> {
  /** Errors with their positions. */
  readonly faults: ReadonlyArray<string>
  /** All referenced paths. */
  readonly named: ReadonlyArray<Path>
  /** Paths written in any branch without `default`. Paths used only in conditions are not included. */
  readonly required: ReadonlyArray<Path>
}

/** Analysis with the parsed source, as the template library renders it. */
interface ParsedSource<Path> extends Analysis<Path> {
  readonly templates: ReadonlyArray<{ readonly token: ValueToken }>
}

const maxTagDepth = 3

interface AnalysisState<Path> {
  readonly vocabulary: Vocabulary<Path>
  readonly faults: Array<string>
  readonly named: Array<Path>
  readonly required: Array<Path>
}

/** Returns the position of a token in characters, starting at 1. */
const characterPosition = ({ begin, input }: Token) => Array.from(input.slice(0, begin)).length + 1

const withPosition = (token: Token, message: string) => `${message} (at character ${characterPosition(token)})`

const errorText = (error: unknown) =>
  error instanceof Error ? (error.message.split("\n", 1)[0] ?? "").replace(/, line:\d+, col:\d+$/u, "") : ""

const syntaxErrorMessage = (error: unknown) => `The Liquid is not valid: ${errorText(error)}`

/** Returns the number of operands of an operator. */
const operandsOf = (operator: string) => (operator === "not" ? 1 : 2)

/** Whether each operator has its operands, and no operand is left over. */
const isComplete = (postfix: ReadonlyArray<Token>): boolean => {
  let open = 0
  for (const token of postfix) {
    if (!TypeGuards.isOperatorToken(token)) open += 1
    else if (open < operandsOf(token.operator)) return false
    else open -= operandsOf(token.operator) - 1
  }
  return open === 1
}

/** Collects the paths among operands and reports the others as issues. */
const collectPaths = <Path>(tokens: ReadonlyArray<Token>, found: AnalysisState<Path>): ReadonlyArray<Path> =>
  tokens.flatMap((token) => {
    const operand = readOperand(token, found.vocabulary)
    if (operand.kind === "fault") found.faults.push(withPosition(token, operand.message))
    if (operand.kind !== "path") return []
    found.named.push(operand.path)
    return [operand.path]
  })

/** Reads the value at this position if it is the only content. */
const readValue = <Path>(token: Token, tokenizer: Tokenizer, found: AnalysisState<Path>): FilteredValueToken | null => {
  try {
    const value = tokenizer.readFilteredValue()
    tokenizer.skipBlank()
    if (tokenizer.end() && isComplete(value.initial.postfix)) return value
    found.faults.push(withPosition(token, "Expected one value, and nothing after it"))
  } catch (error) {
    found.faults.push(withPosition(token, syntaxErrorMessage(error)))
  }
  return null
}

const operands = (postfix: ReadonlyArray<Token>) => postfix.filter((token) => !TypeGuards.isOperatorToken(token))

const readOutput = <Path>(token: Token, tokenizer: Tokenizer, found: AnalysisState<Path>) => {
  const value = readValue(token, tokenizer, found)
  if (value === null) return
  const { filters, initial } = value
  if (initial.postfix.length !== 1) found.faults.push(withPosition(token, "Expected a value, not a comparison"))
  found.faults.push(...validateFilters(value).map(({ at, message }) => withPosition(at, message)))
  const written = collectPaths(operands(initial.postfix), found)
  if (!filters.some(({ name }) => name === "default")) found.required.push(...written)
  for (const { args } of filters) {
    found.required.push(
      ...collectPaths(
        args.filter((arg) => "kind" in arg),
        found
      )
    )
  }
}

const readCondition = <Path>(token: TagToken, found: AnalysisState<Path>) => {
  const value = readValue(token, token.tokenizer, found)
  if (value === null) return
  if (value.filters.length > 0) found.faults.push(withPosition(token, "Expected no filters in a condition"))
  collectPaths(operands(value.initial.postfix), found)
}

const readTags = <Path>(tags: ReadonlyArray<TagToken>, found: AnalysisState<Path>) => {
  let depth = 0
  for (const tag of tags) {
    switch (tag.name) {
      case "if":
        depth += 1
        if (depth > maxTagDepth)
          found.faults.push(withPosition(tag, `Expected at most ${maxTagDepth} nested conditions`))
        readCondition(tag, found)
        break
      case "elsif":
        readCondition(tag, found)
        break
      case "else":
        break
      case "endif":
        depth -= 1
        break
      default:
        found.faults.push(withPosition(tag, `Expected if, elsif, else or endif, not ${tag.name}`))
    }
  }
}

/** Returns the parsed source; empty if it has faults. */
const read = <Path>(source: string, found: AnalysisState<Path>): ReadonlyArray<Template> => {
  try {
    const tokens = new Tokenizer(source).readTopLevelTokens()
    readTags(tokens.filter(TypeGuards.isTagToken), found)
    for (const token of tokens.filter(TypeGuards.isOutputToken)) {
      readOutput(token, new Tokenizer(token.input, undefined, undefined, token.contentRange), found)
    }
    // Parses errors that single tokens do not show: an unclosed `if`, a surplus `else`.
    if (found.faults.length === 0) return liquid.parse(source)
  } catch (error) {
    found.faults.push(syntaxErrorMessage(error))
  }
  return []
}

/** Analyses a source without values, and parses it for its renderings. */
export const parseSource = <Path>(source: string, vocabulary: Vocabulary<Path>): ParsedSource<Path> => {
  const found: AnalysisState<Path> = { vocabulary, faults: [], named: [], required: [] }
  const templates = read(source, found)
  return {
    templates,
    faults: found.faults,
    named: distinctPaths(found.named, vocabulary),
    required: distinctPaths(found.required, vocabulary)
  }
}

/** Analyses a source without values. */
export const analyse = <Path>(source: string, vocabulary: Vocabulary<Path>): Analysis<Path> =>
  parseSource(source, vocabulary)

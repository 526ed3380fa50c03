import type { FilteredValueToken, Token } from "liquidjs/dist/liquid.browser.mjs"
import { readOperand, type Vocabulary } from "./analyse.ts"
import { soleOutput, outputValue } from "./liquidOutputs.ts"
import type { NamedPath } from "./liquidScope.ts"

/** Type of a value. A time is a text that is never numeric; money is an object with a text. */
export type ValueType = "text" | "time" | "number" | "boolean" | "money" | "list" | "object" | "null"

/** Possible types of a value; `null` if unknown. */
export type ValueTypes = ReadonlySet<ValueType> | null

/** Vocabulary with the types of its paths. */
export interface TypedVocabulary extends Vocabulary<NamedPath> {
  readonly typesOf: (path: NamedPath) => ValueTypes
}

const only = (type: ValueType): ValueTypes => new Set([type])

const text = only("text")
const number = only("number")

/** Result type of each filter. */
const filterResultTypes: Readonly<Record<string, ValueTypes>> = {
  upcase: text,
  downcase: text,
  capitalize: text,
  strip: text,
  truncate: text,
  date: text,
  url_encode: text,
  plus: number,
  minus: number,
  round: number
}

const either = (one: ValueTypes, other: ValueTypes): ValueTypes =>
  one === null || other === null ? null : new Set([...one, ...other])

const literalTypes = (content: unknown): ValueTypes => {
  if (typeof content === "number") return number
  if (typeof content === "boolean") return only("boolean")
  return typeof content === "string" ? text : only("null")
}

const tokenTypes = (token: Token | undefined, vocabulary: TypedVocabulary): ValueTypes => {
  const operand = token === undefined ? null : readOperand(token, vocabulary)
  if (operand?.kind === "path") return vocabulary.typesOf(operand.path)
  return operand?.kind === "literal" ? literalTypes(operand.content) : null
}

const typesWithoutText: ReadonlySet<ValueType> = new Set(["list", "object"])

/** Whether a value is always a list or an object. */
export const hasNoText = (types: ValueTypes): boolean =>
  types !== null && types.size > 0 && Array.from(types).every((type) => typesWithoutText.has(type))

/** Possible types of an output, and the filter that always rejects its input (`null`: none). */
export interface OutputTypes {
  readonly types: ValueTypes
  readonly misfit: string | null
}

const typesOfOutput = ({ filters, initial }: FilteredValueToken, vocabulary: TypedVocabulary): OutputTypes => {
  let types = tokenTypes(initial.postfix[0], vocabulary)
  for (const { args, name } of filters) {
    if (name === "default") {
      const [other] = args.flatMap((arg) => ("kind" in arg ? [arg] : []))
      types = either(types, tokenTypes(other, vocabulary))
      continue
    }
    if (hasNoText(types)) return { types, misfit: name }
    // Filters return nil for nil.
    const isNullable = types === null || types.has("null")
    types = isNullable ? either(filterResultTypes[name] ?? null, only("null")) : (filterResultTypes[name] ?? null)
  }
  return { types, misfit: null }
}

/** Possible types of a source that is exactly one output; `null` for any other source. */
export const findOutputTypes = (source: string, vocabulary: TypedVocabulary): OutputTypes | null => {
  const output = soleOutput(source)
  const value = output === null ? null : outputValue(output)
  return value === null ? null : typesOfOutput(value, vocabulary)
}

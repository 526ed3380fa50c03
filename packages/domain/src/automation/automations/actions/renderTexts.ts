import { Effect, type Schema } from "effect"
import { renderLiquidText, renderLiquidUrl, renderLiquidValue } from "../../../campaigns/index.ts"
import {
  coerceToSchema,
  type PluginSchema,
  toItemSchema,
  toMemberSchema,
  toPointerSegment
} from "../../../integrations/plugins/index.ts"
import { invalid } from "../../../kernel/index.ts"
import { hasLiquid } from "./Action.ts"
import type { ActionFacts } from "./ActionResult.ts"
import { ActionRefused } from "./errors.ts"
import { everyPath, lookupIn, valueIn, formatMoney } from "./variablePaths.ts"

/** Maximum length of a rendered text, in characters. */
const maxTextLength = 4_096

/** Maximum JSON length of all rendered values of a field, since each one can be a plugin output of 64 KiB. */
const maxRenderedLength = 64 * 1024

/** Error for a variable that is empty or invalid. */
export const missingVariable = (pointer: string, variable: string | null) =>
  new ActionRefused({ reason: "missing_variable", pointer, ...(variable !== null && { variable }) })

const requireTextLength = Effect.fnUntraced(function* <A>(made: A, pointer: string) {
  if (typeof made === "string" && Array.from(made).length > maxTextLength) {
    return yield* new ActionRefused({ reason: "text_too_long", pointer })
  }
  return made
})

/** Renders a text in a language; `null` for plain formats. */
export const renderText = Effect.fnUntraced(function* (
  source: string,
  { texts }: ActionFacts,
  language: string | null,
  pointer: string
) {
  const outcome = renderLiquidText(source, { vocabulary: everyPath, lookup: lookupIn(texts, language), language })
  if (outcome.kind === "missing") return yield* missingVariable(pointer, outcome.variable)
  return yield* requireTextLength(outcome.value, pointer)
})

/** Renders a URL. Its values are percent-encoded. */
export const renderUrl = Effect.fnUntraced(function* (source: string, { texts }: ActionFacts, pointer: string) {
  const outcome = renderLiquidUrl(source, { vocabulary: everyPath, lookup: lookupIn(texts, null) })
  if (outcome.kind === "missing") return yield* missingVariable(pointer, outcome.variable)
  return yield* requireTextLength(outcome.value, pointer)
})

type Place = { readonly pointer: string; readonly schema: PluginSchema }

type Render<E> = (text: string, place: Place) => Effect.Effect<Schema.Json, E>

const member = ({ pointer, schema }: Place, name: string): Place => ({
  pointer: pointer + toPointerSegment(name),
  schema: toMemberSchema(schema, name)
})

const item = ({ pointer, schema }: Place, index: number): Place => ({
  pointer: pointer + toPointerSegment(index),
  schema: toItemSchema(schema, index)
})

/** Renders all Liquid in a field, at any depth. */
const renderEach = <E>(value: Schema.Json, place: Place, render: Render<E>): Effect.Effect<Schema.Json, E> => {
  if (typeof value === "string") return hasLiquid(value) ? render(value, place) : Effect.succeed(value)
  if (Array.isArray(value)) {
    return Effect.forEach(value, (each, index) => renderEach(each, item(place, index), render))
  }
  if (typeof value !== "object" || value === null) return Effect.succeed(value)
  return Effect.map(
    Effect.forEach(Object.entries(value), ([name, each]) =>
      Effect.map(renderEach(each, member(place, name), render), (made) => [name, made] as const)
    ),
    Object.fromEntries
  )
}

/** Renders the texts of a field. */
export const renderTexts = (value: Schema.Json, facts: ActionFacts, language: string | null, pointer: string) =>
  renderEach(value, { pointer, schema: true }, (text, place) => renderText(text, facts, language, place.pointer))

/** Renders a typed field: a text that is exactly one output keeps its type and is coerced to the schema. */
export const renderValues = Effect.fnUntraced(function* (
  value: Schema.Json,
  { texts }: ActionFacts,
  schema: PluginSchema,
  pointer: string
) {
  const lookup = valueIn(texts)
  let made = 0
  return yield* renderEach(
    value,
    { pointer, schema },
    Effect.fnUntraced(function* (source: string, place: Place) {
      const outcome = renderLiquidValue(source, { vocabulary: everyPath, lookup, language: null })
      if (outcome.kind === "missing") return yield* missingVariable(place.pointer, outcome.variable)
      const found = yield* requireTextLength(outcome.value, place.pointer)
      made += JSON.stringify(found).length
      if (made > maxRenderedLength) return yield* invalid(pointer, "Expected at most 32 KiB of JSON")
      return coerceToSchema(place.schema, found, formatMoney(found, null))
    })
  )
})

import { Effect, Schema, SchemaIssue } from "effect"
import { liquidText, tidy } from "../../campaigns/index.ts"
import { faultOfInput, MessageTemplates, type TemplateVariable } from "../../chat/index.ts"
import { ContactFields, valueOfText } from "../../crm/index.ts"
import { Organizations } from "../../identity/index.ts"
import { ValidationFailed } from "../../kernel/index.ts"
import { Action, type ActionTemplate } from "./Action.ts"
import type { ActionFacts } from "./ActionFacts.ts"
import { ActionRefused } from "./Errors.ts"
import { everyPath, lookupIn } from "./TextPaths.ts"
import { hasLiquid, textsOf } from "./textsOf.ts"

/** So long is what comes of a text at most. */
const longestText = 4_096
const longestValue = 1_024

const formatted = SchemaIssue.makeFormatterStandardSchemaV1()

const decode = Schema.decodeUnknownEffect(Action, { errors: "all" })

/** What a text comes to in a language; programs have none. */
const textIn = Effect.fnUntraced(function* (source: string, { texts }: ActionFacts, language: string | null) {
  const text = liquidText(source, { vocabulary: everyPath, lookup: lookupIn(texts, language), language })
  if (text === null) return yield* new ActionRefused({ reason: "missing_variable" })
  if (Array.from(text).length > longestText) return yield* new ActionRefused({ reason: "text_too_long" })
  return text
})

const rendered = <E>(
  value: Schema.Json,
  render: (text: string) => Effect.Effect<string, E>
): Effect.Effect<Schema.Json, E> => {
  if (typeof value === "string") return hasLiquid(value) ? render(value) : Effect.succeed(value)
  if (Array.isArray(value)) return Effect.forEach(value, (each) => rendered(each, render))
  if (typeof value !== "object" || value === null) return Effect.succeed(value)
  return Effect.map(
    Effect.forEach(Object.entries(value), ([name, each]) =>
      Effect.map(rendered(each, render), (made) => [name, made] as const)
    ),
    Object.fromEntries
  )
}

const variableNamed = (key: string, variables: ReadonlyArray<TemplateVariable>) =>
  variables.find((variable) => variable.key === key) ?? null

/** The values of a template, as its language and its variables want them. What does not fit is as good as missing. */
const templateIn = Effect.fnUntraced(function* (said: ActionTemplate, facts: ActionFacts) {
  const { id, values = {} } = said
  if (!Object.values(values).some(hasLiquid)) return said
  const [template] = yield* (yield* MessageTemplates).find([id])
  const made = yield* Effect.forEach(
    Object.entries(values),
    Effect.fnUntraced(function* ([key, source]) {
      if (!hasLiquid(source)) return [key, source] as const
      const variable = variableNamed(key, template?.variables ?? [])
      const language = variable === null || variable.kind === "text" ? (template?.language ?? null) : null
      const text = tidy(yield* textIn(source, facts, language))
      const fits = text !== "" && Array.from(text).length <= longestValue
      const isFit = fits && (variable === null || faultOfInput(variable, text) === null)
      return isFit ? ([key, text] as const) : yield* new ActionRefused({ reason: "missing_variable" })
    })
  )
  return { id, values: Object.fromEntries(made) }
})

/** Attributes whose texts have come to what people would write in their fields. */
const attributesIn = Effect.fnUntraced(function* (said: object, made: object) {
  const fields = yield* (yield* ContactFields).all()
  return Object.fromEntries(
    Object.entries(made).map(([key, value]: [string, unknown]) => {
      const field = fields.find((each) => each.key === key)
      const source: unknown = Reflect.get(said, key)
      const isMade = typeof value === "string" && typeof source === "string" && hasLiquid(source)
      return [key, isMade && field !== undefined ? (valueOfText(field, value) ?? value) : value]
    })
  )
})

const languageOf = Effect.fnUntraced(function* ({ texts }: ActionFacts) {
  const own = lookupIn(texts, null)(["contact", "locale"])
  return typeof own === "string" ? own : (yield* (yield* Organizations).current()).locale
})

const fieldIn = Effect.fnUntraced(function* (
  action: Action,
  field: string,
  style: "words" | "plain" | "template",
  facts: ActionFacts
) {
  const said: unknown = Reflect.get(action, field)
  if (said === undefined) return {}
  if (style === "template") return { [field]: yield* templateIn(said as ActionTemplate, facts) }
  const language = style === "words" ? yield* languageOf(facts) : null
  const made = yield* rendered(said as Schema.Json, (text) => textIn(text, facts, language))
  const isOfContact = action.type === "set_attribute" && typeof made === "object" && made !== null
  return { [field]: isOfContact ? yield* attributesIn(action.attributes, made) : made }
})

/** The action with its texts as they are for what has happened. */
export const renderAction = Effect.fnUntraced(function* (action: Action, facts: ActionFacts) {
  const fields = textsOf[action.type]
  if (!fields.some(([field]) => hasLiquid(JSON.stringify(Reflect.get(action, field)) ?? ""))) return action
  const made = yield* Effect.forEach(fields, ([field, style]) => fieldIn(action, field, style, facts))
  return yield* decode(Object.assign({}, action, ...made)).pipe(
    Effect.mapError(({ issue }) => {
      const errors = formatted(issue).issues.map(({ message, path = [] }) => ({
        pointer: path.map((part) => `/${String(typeof part === "object" ? part.key : part)}`).join(""),
        message
      }))
      return new ValidationFailed({ errors })
    })
  )
})

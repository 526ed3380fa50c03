import { Effect, Schema, SchemaIssue } from "effect"
import { analyseLiquid, toSingleLine } from "../../../campaigns/index.ts"
import { ContactFields, parseCellValue } from "../../../crm/index.ts"
import { Plugins, type PluginSchema } from "../../../integrations/plugins/index.ts"
import { ValidationFailed } from "../../../kernel/index.ts"
import {
  templateValueIssue,
  MessageTemplates,
  type TemplateVariable,
  valuePointer
} from "../../../messaging/chat/index.ts"
import { Organizations } from "../../../platform/identity/index.ts"
import { Action, type ActionTemplate, hasLiquid, actionTextFields, type TextStyle } from "./Action.ts"
import type { ActionFacts } from "./ActionResult.ts"
import { missingVariable, renderText, renderTexts, renderUrl, renderValues } from "./renderTexts.ts"
import { everyPath, lookupIn } from "./variablePaths.ts"

const maxValueLength = 1_024

const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1()

const decode = Schema.decodeUnknownEffect(Action, { errors: "all" })

/** The only variable of a text; `null` for none or several. */
const soleVariable = (source: string): string | null => {
  const { named } = analyseLiquid(source, everyPath)
  return named.length === 1 ? (named[0]?.join(".") ?? null) : null
}

const variableNamed = (key: string, variables: ReadonlyArray<TemplateVariable>) =>
  variables.find((variable) => variable.key === key) ?? null

/** Renders the values of a template for its language and variables. Values that do not fit count as missing. */
const renderTemplate = Effect.fnUntraced(function* (input: ActionTemplate, facts: ActionFacts, pointer: string) {
  const { id, values = {} } = input
  if (!Object.values(values).some(hasLiquid)) return input
  const [template] = yield* (yield* MessageTemplates).find([id])
  const made = yield* Effect.forEach(
    Object.entries(values),
    Effect.fnUntraced(function* ([key, source]) {
      if (!hasLiquid(source)) return [key, source] as const
      const variable = variableNamed(key, template?.variables ?? [])
      const language = variable === null || variable.kind === "text" ? (template?.language ?? null) : null
      const at = valuePointer(`${pointer}/values`, key)
      const text = toSingleLine(yield* renderText(source, facts, language, at))
      const fits = text !== "" && Array.from(text).length <= maxValueLength
      const isFit = fits && (variable === null || templateValueIssue(variable, text) === null)
      return isFit ? ([key, text] as const) : yield* missingVariable(at, soleVariable(source))
    })
  )
  return { id, values: Object.fromEntries(made) }
})

/** Parses rendered attributes like the input of a member. */
const renderAttributes = Effect.fnUntraced(function* (template: object, made: object) {
  const fields = yield* (yield* ContactFields).all()
  return Object.fromEntries(
    Object.entries(made).map(([key, value]: [string, unknown]) => {
      const field = fields.find((each) => each.key === key)
      const source: unknown = Reflect.get(template, key)
      const isMade = typeof value === "string" && typeof source === "string" && hasLiquid(source)
      return [key, isMade && field !== undefined ? (parseCellValue(field, value) ?? value) : value]
    })
  )
})

const languageOf = Effect.fnUntraced(function* ({ texts }: ActionFacts) {
  const own = lookupIn(texts, null)(["contact", "locale"])
  return typeof own === "string" ? own : (yield* (yield* Organizations).current()).locale
})

/** Schema of a typed field. Without an enabled plugin it is missing, and the call fails later. */
const schemaOf = Effect.fnUntraced(function* (action: Action) {
  const anything: PluginSchema = true
  if (action.type !== "plugin_action") return anything
  const plugin = yield* (yield* Plugins).find(action.pluginId)
  const asked = plugin?.manifest.actions?.find(({ key }) => key === action.action)
  return asked === undefined ? anything : (asked.input as PluginSchema)
})

const renderField = Effect.fnUntraced(function* (action: Action, field: string, style: TextStyle, facts: ActionFacts) {
  const value: unknown = Reflect.get(action, field)
  if (value === undefined) return {}
  const pointer = `/${field}`
  if (style === "template") return { [field]: yield* renderTemplate(value as ActionTemplate, facts, pointer) }
  if (style === "url") return { [field]: yield* renderUrl(String(value), facts, pointer) }
  if (style === "typed") {
    return { [field]: yield* renderValues(value as Schema.Json, facts, yield* schemaOf(action), pointer) }
  }
  const language = style === "words" ? yield* languageOf(facts) : null
  const made = yield* renderTexts(value as Schema.Json, facts, language, pointer)
  // A name is one line, and a message can have several.
  if (action.type === "set_name" && typeof made === "string") return { [field]: toSingleLine(made) }
  const isOfContact = action.type === "set_attribute" && typeof made === "object" && made !== null
  return { [field]: isOfContact ? yield* renderAttributes(action.attributes, made) : made }
})

/** Renders the texts of an action for an event. */
export const renderAction = Effect.fnUntraced(function* (action: Action, facts: ActionFacts) {
  const fields = actionTextFields[action.type]
  if (!fields.some(([field]) => hasLiquid(JSON.stringify(Reflect.get(action, field)) ?? ""))) return action
  const made = yield* Effect.forEach(fields, ([field, style]) => renderField(action, field, style, facts))
  return yield* decode(Object.assign({}, action, ...made)).pipe(
    Effect.mapError(({ issue }) => {
      const errors = formatIssues(issue).issues.map(({ message, path = [] }) => ({
        pointer: path.map((part) => `/${String(typeof part === "object" ? part.key : part)}`).join(""),
        message
      }))
      return new ValidationFailed({ errors })
    })
  )
})

import { Effect, Schema } from "effect"
import {
  analyseLiquid,
  hasNoText,
  type NamedPath,
  findOutputTypes,
  type TypedVocabulary
} from "../../../campaigns/index.ts"
import type { ContactField } from "../../../crm/index.ts"
import type { ValidationIssue } from "../../../kernel/index.ts"
import { ScheduleId, WeeklySchedules } from "../../schedules/index.ts"
import { type Action, hasLiquid, actionTextFields } from "../actions/Action.ts"
import { everyPath } from "../actions/variablePaths.ts"

/** Variables and problems of a text, with its pointer. */
interface AnalysedText {
  readonly named: ReadonlyArray<NamedPath>
  readonly faults: ReadonlyArray<string>
  readonly pointer: string
}

const step = (name: string) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`

/** Problems for lists and objects in a text. */
const validateStructures = (
  source: string,
  named: ReadonlyArray<NamedPath>,
  vocabulary: TypedVocabulary,
  isTyped: boolean
) => {
  const output = isTyped ? findOutputTypes(source, vocabulary) : null
  if (output !== null) {
    const { misfit } = output
    return misfit === null ? [] : [`The filter ${misfit} takes a text or a number, not a list or an object`]
  }
  return named
    .filter((path) => hasNoText(vocabulary.typesOf(path)))
    .map((path) => {
      const name = path.join(".")
      const where = isTyped ? "Use it alone in the field" : "Use it alone in a field of JSON"
      return `${name} is a list or an object and has no text. ${where}, as {{ ${name} }}`
    })
}

const readText = (source: string, vocabulary: TypedVocabulary, isTyped: boolean, pointer: string): AnalysedText => {
  const { faults, named } = analyseLiquid(source, vocabulary)
  return { named, faults: faults.length > 0 ? faults : validateStructures(source, named, vocabulary, isTyped), pointer }
}

const analyseTexts = (
  value: Schema.Json,
  vocabulary: TypedVocabulary,
  isTyped: boolean,
  pointer: string
): ReadonlyArray<AnalysedText> => {
  if (typeof value === "string") return hasLiquid(value) ? [readText(value, vocabulary, isTyped, pointer)] : []
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, each]) => analyseTexts(each, vocabulary, isTyped, pointer + step(name)))
}

const sourcesIn = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return hasLiquid(value) ? [value] : []
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(sourcesIn) : []
}

/** All paths in the texts of an action, including unknown ones. */
export const findVariablePaths = (action: Action): ReadonlyArray<NamedPath> =>
  actionTextFields[action.type]
    .flatMap(([field]) => sourcesIn(Reflect.get(action, field)))
    .flatMap((source) => analyseLiquid(source, everyPath).named)

const keyOfField = ([group, name, key]: NamedPath): string | null => {
  if (group === "attribute") return name ?? null
  return group === "contact" && name === "attribute" ? (key ?? null) : null
}

/** Whether texts of an action can name attributes. Contact fields are loaded only then. */
export const usesAttributes = (action: Action): boolean =>
  actionTextFields[action.type].some(([field]) => {
    const text = JSON.stringify(Reflect.get(action, field)) ?? ""
    return hasLiquid(text) && text.includes("attribute")
  })

const idOfSchedule = ([group, id]: NamedPath): string | null => (group === "schedule" ? (id ?? null) : null)

const loadReferencedSchedules = Effect.fnUntraced(function* (texts: ReadonlyArray<AnalysedText>) {
  const ids = texts.flatMap(({ named }) => named.flatMap((path) => idOfSchedule(path) ?? []))
  const found = ids.length === 0 ? [] : yield* (yield* WeeklySchedules).find(ids.filter(Schema.is(ScheduleId)))
  return new Set<string>(found.map(({ id }) => id))
})

/** Finds problems of the Liquid in action texts, including unknown variables. */
export const validateActionTexts = Effect.fnUntraced(function* (
  action: Action,
  vocabulary: TypedVocabulary,
  contactFields: ReadonlyArray<ContactField>,
  pointer: string
) {
  const texts = actionTextFields[action.type].flatMap(([field, style]) => {
    const value: unknown = Reflect.get(action, field)
    return value === undefined
      ? []
      : analyseTexts(value as Schema.Json, vocabulary, style === "typed", `${pointer}/${field}`)
  })
  const fields = new Set<string>(contactFields.map(({ key }) => key))
  const schedules = yield* loadReferencedSchedules(texts)
  const goneOf = (path: NamedPath): ReadonlyArray<string> => {
    const [key, id] = [keyOfField(path), idOfSchedule(path)]
    if (key !== null) return fields.has(key) ? [] : [`There is no contact field with the key ${key}`]
    return id === null || schedules.has(id) ? [] : [`There is no schedule with the id ${id}`]
  }
  return texts.flatMap(({ faults, named, pointer: at }) =>
    [...faults, ...named.flatMap(goneOf)].map((message): ValidationIssue => ({ pointer: at, message }))
  )
})

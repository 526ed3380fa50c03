import { Exit, Predicate, Schema } from "effect"
import type { ValidationIssue } from "../../../kernel/index.ts"
import { TemplateCategory } from "./TemplateCategory.ts"
import { TemplateButton } from "./TemplateButton.ts"
import { TemplateCard, templateComponentNames, TemplateComponents } from "./TemplateComponents.ts"
import { validateButton, validateButtons } from "./templateButtonRules.ts"
import {
  validateCard,
  validateCategory,
  validateCombination,
  validateProviderFields,
  validateTimeToLive
} from "./templateKindRules.ts"
import { validateTexts } from "./templateTextRules.ts"

/** Reads a value by its structure. Checks such as a maximum length do not apply. */
const structureOf = <A, I>(schema: Schema.ConstraintCodec<A, I>) => {
  const decode = Schema.decodeUnknownExit(Schema.toCodecJson(schema), { disableChecks: true })
  return (value: unknown): A | undefined => {
    const exit = decode(value)
    return Exit.isSuccess(exit) ? exit.value : undefined
  }
}

const readComponents = structureOf(TemplateComponents)
const readButton = structureOf(TemplateButton)
const readCard = structureOf(TemplateCard)
const readCategory = structureOf(TemplateCategory)
const readSeconds = structureOf(Schema.Finite)

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const eachIn = <A>(
  list: unknown,
  read: (value: unknown) => A | undefined,
  validate: (item: A, at: number) => ReadonlyArray<ValidationIssue>
) =>
  listOf(list).flatMap((value, at) => {
    const item = read(value)
    return item === undefined ? [] : validate(item, at)
  })

/** Well-formed components, and the names of the malformed ones. */
const readParts = (given: object) => {
  const names = Object.keys(given).filter((name) => templateComponentNames.includes(name))
  const malformed = names.filter((name) => readComponents({ [name]: Reflect.get(given, name) }) === undefined)
  const others = Object.fromEntries(
    names.filter((name) => !malformed.includes(name)).map((name) => [name, Reflect.get(given, name)])
  )
  return { components: readComponents(others) ?? {}, malformed }
}

/** The content of a template is its body or its authentication. */
const contentNames: ReadonlyArray<string> = ["body", "authentication"]

const isAbout = ({ pointer }: ValidationIssue, malformed: ReadonlyArray<string>) => {
  const [, , name = ""] = pointer.split("/")
  return (
    malformed.includes(name) ||
    (contentNames.includes(name) && contentNames.some((content) => malformed.includes(content)))
  )
}

/** Lists without a malformed item have complete rules. Other lists have the rules of their valid items. */
const validateItems = (given: object, malformed: ReadonlyArray<string>) => [
  ...(malformed.includes("buttons")
    ? eachIn(Reflect.get(given, "buttons"), readButton, (button, at) =>
        validateButton(button, `/components/buttons/${at}`)
      )
    : []),
  ...(malformed.includes("cards")
    ? eachIn(Reflect.get(given, "cards"), readCard, (card, at) => validateCard(card, at, undefined))
    : [])
]

/** Longer than any valid template. The rules do not read a larger value, which bounds their work. */
const maxLength = 65_536

const findIssues = (value: unknown, isNew: boolean): ReadonlyArray<ValidationIssue> => {
  if (!Predicate.isObject(value) || JSON.stringify(value).length > maxLength) return []
  const given = Predicate.isObject(value["components"]) ? value["components"] : null
  const category = readCategory(value["category"])
  const seconds = readSeconds(value["timeToLive"])
  const ofTime = category === undefined || seconds === undefined ? [] : validateTimeToLive(category, seconds)
  if (given === null) return ofTime
  const { components, malformed } = readParts(given)
  const ofParts = [
    ...validateTexts(components),
    ...validateButtons(components.buttons ?? [], "/components/buttons"),
    ...validateCombination(components),
    ...(isNew ? validateProviderFields(components) : []),
    ...(category === undefined ? [] : validateCategory(category, components))
  ]
  return [...ofParts.filter((each) => !isAbout(each, malformed)), ...validateItems(given, malformed), ...ofTime]
}

/** Returns the issues of a new template that its schema rejects, apart from the issues of the schema. */
export const issuesOfMalformedTemplate = (value: unknown): ReadonlyArray<ValidationIssue> => findIssues(value, true)

/** Returns the issues of a change that its schema rejects. The change can contain fields that the provider has set. */
export const issuesOfMalformedChange = (value: unknown): ReadonlyArray<ValidationIssue> => findIssues(value, false)

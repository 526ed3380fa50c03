import { DateTime, Schema } from "effect"
import {
  type NamedPath,
  Structure,
  type Vocabulary,
  makeLocaleFormat,
  type ScopeValue
} from "../../../campaigns/index.ts"
import { exponentOf } from "../../../commerce/index.ts"
import { Money } from "../../../kernel/index.ts"
import { openingsGroup } from "../facts/Facts.ts"
import {
  isStepPath,
  isVariableGroup,
  moneyParts,
  resolveVariableTypes,
  type VariableGroup,
  variablesByGroup
} from "./variableTypes.ts"

const isMoney = Schema.is(Money)

/** Formats an amount for a language, or for programs (`null`); returns `null` if it is not an amount. */
export const formatMoney = (value: unknown, language: string | null): string | null => {
  if (!isMoney(value)) return null
  const { amountMinor, currency } = value
  const digits = exponentOf(currency)
  const amount = amountMinor / 10 ** digits
  if (language === null) return amount.toFixed(digits)
  const shown = { style: "currency", currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const
  return new Intl.NumberFormat(makeLocaleFormat(language).language, shown).format(amount)
}

/** Groups that are available for every event. */
const alwaysKnownGroups: ReadonlySet<string> = new Set(["contact", "event", "organization", "schedule"])

/** Groups of free JSON: the input and the steps of workflows, and the data of a call. Their members are unknown before the run. */
const freeFormGroups: Readonly<Record<string, string>> = {
  input: "input.name",
  steps: "steps.node.output",
  webhook: "webhook.name"
}

const maxPathDepth = 8

/** Variables of the event itself, such as `event.amount`. */
const eventVariables = (groups: ReadonlySet<string>) =>
  Array.from(groups).flatMap((group) => (group.startsWith("event.") ? [group.slice("event.".length)] : []))

const groupVariables = (group: VariableGroup, groups: ReadonlySet<string>): ReadonlyArray<string> => [
  ...Object.keys(variablesByGroup[group]),
  ...(group === "event" ? eventVariables(groups) : [])
]

const isMoneyPath = (path: NamedPath): boolean =>
  resolveVariableTypes(path, { fields: [], outputs: new Map() })?.has("money") ?? false

/** Whether a path has no further part, except a member of a money object. */
const isCompletePath = (path: NamedPath): boolean =>
  path.length === 2 || (path.length === 3 && Object.hasOwn(moneyParts, path[2] ?? "") && isMoneyPath(path.slice(0, 2)))

/** Whether a path names the next opening of a schedule. */
const isOpeningPath = ([group, , name, ...others]: NamedPath): boolean =>
  group === "schedule" && name === "nextOpenAt" && others.length === 0

const readPath = (path: NamedPath, groups: ReadonlySet<string>): NamedPath | null => {
  const [group, name, ...others] = path
  if (group === undefined) return null
  if (Object.hasOwn(freeFormGroups, group)) {
    const isKnown =
      groups.has(group) &&
      name !== undefined &&
      (group !== "steps" || (groups.has(`steps.${name}`) && isStepPath(others)))
    return isKnown && path.length <= maxPathDepth ? path : null
  }
  if (!groups.has(group) && !alwaysKnownGroups.has(group)) {
    // As in broadcast values, contact variables need no group.
    const isOurs = group === "attribute" || groupVariables("contact", groups).some((each) => each === group)
    return isOurs && group !== "id" && readPath(["contact", ...path], groups) !== null ? path : null
  }
  if (name === undefined) return null
  if (group === "contact" && name === "attribute") return others.length === 1 ? path : null
  if (group === "schedule") return others.length === 0 || isOpeningPath(path) ? path : null
  return isVariableGroup(group) && groupVariables(group, groups).includes(name) && isCompletePath(path) ? path : null
}

const listVariables = (groups: ReadonlySet<string>): string =>
  Object.keys(variablesByGroup)
    .filter(isVariableGroup)
    .filter((group) => groups.has(group) || alwaysKnownGroups.has(group))
    .flatMap((group) => groupVariables(group, groups).map((name) => `${group}.${name}`))
    .concat(Object.entries(freeFormGroups).flatMap(([group, shown]) => (groups.has(group) ? [shown] : [])))
    .join(", ")

/** Variables that texts can name with these groups. */
export const vocabularyOf = (groups: ReadonlySet<string>): Vocabulary<NamedPath> => ({
  read: (path) => readPath(path, groups),
  keyOf: (path) => JSON.stringify(path),
  expected: `${listVariables(groups)}, contact.attribute.key, schedule.id or schedule.id.nextOpenAt`,
  of: "what has happened"
})

/** Accepts every path. Paths were validated when the action was saved; missing values are empty. */
export const everyPath: Vocabulary<NamedPath> = {
  ...vocabularyOf(new Set()),
  read: (path) => (path.length > 0 && path.length <= maxPathDepth ? path : null)
}

const isContactPath = ([first, second]: NamedPath) => second === undefined || first === "attribute"

const readMember = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : null

/** Next opening of a schedule; `null` if the schedule is deleted or does not open. */
const openingOf = (texts: Readonly<Record<string, unknown>>, id: string): unknown => {
  const opensAt = readMember(texts[openingsGroup], id)
  return typeof opensAt === "function" ? opensAt() : null
}

const valueAt = (texts: Readonly<Record<string, unknown>>, path: NamedPath): unknown =>
  (isContactPath(path) ? ["contact", ...path] : path).reduce<unknown>(readMember, texts)

const foundAt = (texts: Readonly<Record<string, unknown>>, path: NamedPath): unknown =>
  isOpeningPath(path) ? openingOf(texts, path[1] ?? "") : valueAt(texts, path)

/** Encodes a fact as JSON. */
const jsonOf = (value: unknown): Schema.Json => {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value
  if (DateTime.isDateTime(value)) return DateTime.formatIso(DateTime.toUtc(value))
  if (Array.isArray(value)) return value.map(jsonOf)
  if (typeof value !== "object" || value === null) return null
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, jsonOf(each)]))
}

const toWritten = (found: unknown): Exclude<ScopeValue, Structure> => {
  if (typeof found === "string" || typeof found === "number" || typeof found === "boolean") return found
  return DateTime.isDateTime(found) ? DateTime.formatIso(DateTime.toUtc(found)) : null
}

/** Value at a path as text of a language; `null` for lists and objects. */
export const lookupIn =
  (texts: Readonly<Record<string, unknown>>, language: string | null) =>
  (path: NamedPath): ScopeValue => {
    const found = foundAt(texts, path)
    const money = formatMoney(found, language)
    return money === null ? toWritten(found) : new Structure(jsonOf(found), money)
  }

/** Typed value at a path, including lists and objects. */
export const valueIn =
  (texts: Readonly<Record<string, unknown>>) =>
  (path: NamedPath): ScopeValue => {
    const found = foundAt(texts, path)
    const isStructure = typeof found === "object" && found !== null && !DateTime.isDateTime(found)
    return isStructure ? new Structure(jsonOf(found), formatMoney(found, null)) : toWritten(found)
  }

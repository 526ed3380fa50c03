import { DateTime, Option } from "effect"
import {
  type FilteredValueToken,
  type FilterHandler,
  type FilterThis,
  type FilterToken,
  Liquid,
  type Token,
  TypeGuards
} from "liquidjs/dist/liquid.browser.mjs"
import {
  findUnknownDirective,
  formatTime,
  type LocaleFormat,
  makePlainLocaleFormat,
  parseDayMillis
} from "../LocaleFormat.ts"
import { Structure } from "./Structure.ts"
import { LocalDay } from "./liquidScope.ts"

/** Supported filters, with their minimum and maximum number of arguments. */
const filterArguments: Readonly<Record<string, readonly [least: number, most: number]>> = {
  default: [1, 1],
  upcase: [0, 0],
  downcase: [0, 0],
  capitalize: [0, 0],
  strip: [0, 0],
  truncate: [0, 2],
  date: [0, 1],
  plus: [1, 1],
  minus: [1, 1],
  round: [0, 1],
  url_encode: [0, 0]
}

/** Whether `default` replaces the value. A missing value such as `nil` is an object of the library. */
const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === false ||
  (typeof value === "object" && !(value instanceof LocalDay) && !(value instanceof Structure)) ||
  (typeof value === "string" && value.trim() === "")

/** Converts a Liquid value to text. A missing value such as `nil` is empty. */
const toText = (value: unknown, wording: LocaleFormat): string => {
  if (typeof value === "number") return wording.number(value)
  if (value instanceof LocalDay) return wording.day(value.time)
  if (value instanceof Structure) return Structure.textOf(value)
  return typeof value === "string" || typeof value === "boolean" ? String(value) : ""
}

const toPlainText = (value: unknown): string => {
  if (value instanceof LocalDay) return value.text
  if (value instanceof Structure) return Structure.textOf(value)
  return typeof value === "object" ? "" : String(value)
}

const toNumber = (given: unknown): number => {
  const value = given instanceof Structure ? Structure.textOf(given) : given
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value
  if (typeof number !== "number" || !Number.isFinite(number)) throw new TypeError("no number")
  return number
}

const toCount = (value: unknown, most: number): number => {
  const count = toNumber(value)
  if (!Number.isInteger(count) || count < 0 || count > most) throw new RangeError("no such count")
  return count
}

/** Parses a date or time to milliseconds; `null` if the text contains none. */
const parseTime = (text: string): number | null =>
  parseDayMillis(text) ??
  (/^\d{4}-\d{2}-\d{2}T/u.test(text) ? Option.getOrNull(Option.map(DateTime.make(text), DateTime.toEpochMillis)) : null)

const toTime = (value: unknown): number => {
  const time = value instanceof LocalDay ? value.time : parseTime(toPlainText(value))
  if (time === null) throw new TypeError("no day and no time")
  return time
}

/** Removes rounding errors from sums of fractions. */
const roundFloat = (number: number) => Number(number.toPrecision(15))

const roundTo = (number: number, digits: number) => {
  const scale = 10 ** digits
  return roundFloat(Math.round(roundFloat(number * scale)) / scale)
}

const truncateTo = (text: string, most: number, end: string) => {
  const characters = Array.from(text)
  return characters.length <= most
    ? text
    : [...characters.slice(0, Math.max(0, most - Array.from(end).length)), end].join("")
}

const maxDigits = 10
const maxTruncateLength = 1_024
const defaultTruncateLength = 50

/** Key of the format in a scope. A symbol, so no text can name it. */
const formatKey = Symbol("LocaleFormat")

const plainFormat = makePlainLocaleFormat()

/** Adds the format of numbers and dates to a scope. Without one, a rendering uses language-neutral formats. */
export const withLocaleFormat = (scope: object, format: LocaleFormat): object =>
  Object.assign(scope, { [formatKey]: format })

const formatOf = ({ context }: FilterThis): LocaleFormat => {
  const { environments }: { readonly environments: { readonly [formatKey]?: LocaleFormat } } = context
  return environments[formatKey] ?? plainFormat
}

type Handler = (value: unknown, format: LocaleFormat, ...args: ReadonlyArray<unknown>) => unknown

/**
 * Charges added length to the memory limit of the rendering, which limits the work of filter chains. Empty input stays empty, so `default` can be the
 * last filter.
 */
const withMemoryLimit = (handler: Handler): FilterHandler =>
  function (value, ...args) {
    if (isEmpty(value)) return null
    const result = handler(value, formatOf(this), ...args)
    this.context.memoryLimit.use(typeof result === "string" ? result.length : 1)
    return result
  }

const filters: Readonly<Record<string, FilterHandler>> = {
  default: (value, other) => (isEmpty(value) ? other : value),
  upcase: withMemoryLimit((value, format) => toText(value, format).toLocaleUpperCase(format.language)),
  downcase: withMemoryLimit((value, format) => toText(value, format).toLocaleLowerCase(format.language)),
  capitalize: withMemoryLimit((value, format) => {
    const [first = "", ...rest] = Array.from(toText(value, format))
    return first.toLocaleUpperCase(format.language) + rest.join("").toLocaleLowerCase(format.language)
  }),
  strip: withMemoryLimit((value, format) => toText(value, format).trim()),
  truncate: withMemoryLimit((value, format, most = defaultTruncateLength, end = "...") =>
    truncateTo(toText(value, format), toCount(most, maxTruncateLength), toText(end, format))
  ),
  date: withMemoryLimit((value, format, pattern) =>
    isEmpty(pattern) ? format.day(toTime(value)) : formatTime(toPlainText(pattern), toTime(value), format)
  ),
  plus: withMemoryLimit((value, _, other) => roundFloat(toNumber(value) + toNumber(other))),
  minus: withMemoryLimit((value, _, other) => roundFloat(toNumber(value) - toNumber(other))),
  round: withMemoryLimit((value, _, digits = 0) => roundTo(toNumber(value), toCount(digits, maxDigits))),
  url_encode: withMemoryLimit((value) => encodeURIComponent(toPlainText(value)).replaceAll("%20", "+"))
}

interface TokenIssue {
  readonly at: Token
  readonly message: string
}

const names = Object.keys(filterArguments).join(", ")

const argumentCountIssue = (count: number, [least, most]: readonly [number, number]): string | null => {
  if (count >= least && count <= most) return null
  return least === most
    ? `Expected ${least} values after the filter`
    : `Expected ${least} to ${most} values after the filter`
}

const dateFormatIssue = ([format]: FilterToken["args"]): string | null => {
  if (format === undefined || !("kind" in format) || !TypeGuards.isQuotedToken(format)) return null
  const directive = typeof format.content === "string" ? findUnknownDirective(format.content) : null
  return directive === null ? null : `The date format does not support ${directive}`
}

const filterIssue = ({ args, name }: FilterToken): string | null => {
  const counts = Object.hasOwn(filterArguments, name) ? filterArguments[name] : undefined
  if (counts === undefined) return `The filter ${name} does not exist: expected one of ${names}`
  if (args.some((arg) => !("kind" in arg))) return `Expected unnamed values after ${name}`
  const fault = argumentCountIssue(args.length, counts)
  if (fault !== null) return `${fault}: ${name}`
  return name === "date" ? dateFormatIssue(args) : null
}

/** A text is sent later than it is written, so `today` is ambiguous. */
const dateInputIssues = ({ filters: [first], initial: { postfix } }: FilteredValueToken): ReadonlyArray<TokenIssue> => {
  const [token] = postfix
  if (first?.name !== "date" || token === undefined || !TypeGuards.isQuotedToken(token)) return []
  return parseTime(String(token.content)) === null
    ? [{ at: token, message: "Expected a date such as 2026-03-01. now and today are not supported" }]
    : []
}

/** Returns the problems of a value's filters. */
export const validateFilters = (value: FilteredValueToken): ReadonlyArray<TokenIssue> => [
  ...dateInputIssues(value),
  ...value.filters.flatMap((filter) => {
    const message = filterIssue(filter)
    return message === null ? [] : [{ at: filter, message }]
  })
]

/** Twice 4,096 characters, because surrogate pairs count as two. Values of broadcasts have at most 1,000. */
const maxSourceLength = 8_192

/** Maximum characters that all filters of a rendering can produce together. */
const maxOutputLength = 100_000

const makeLiquid = (): Liquid => {
  const made = new Liquid({
    ownPropertyOnly: true,
    strictFilters: true,
    parseLimit: maxSourceLength,
    memoryLimit: maxOutputLength,
    templates: {},
    outputEscape(value) {
      const format = formatOf(this)
      const text = toText(value, format)
      return format.escape === undefined ? text : format.escape(text)
    }
  })
  for (const name of Object.keys(made.tags)) if (name !== "if") delete made.tags[name]
  for (const name of Object.keys(made.filters)) delete made.filters[name]
  Object.assign(made.filters, filters)
  return made
}

/**
 * Liquid with a restricted vocabulary: `if` is the only tag, and only our filters exist. A rendering has 10 milliseconds. A time limit would
 * need a clock and exclude contacts on a busy machine, so the work is limited instead. Without loops and assignments, each piece of a source renders
 * at most once. A source of 1,000 characters has fewer than 200 pieces and 200 filters, one of 4,096 fewer than 850. The time of a filter is
 * proportional to its input and output. All filters together produce at most 100,000 characters. The worst known case takes one to two milliseconds
 * on a busy machine.
 */
export const liquid: Liquid = makeLiquid()

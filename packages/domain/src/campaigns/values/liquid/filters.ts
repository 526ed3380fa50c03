import { DateTime, Option } from "effect"
import {
  type FilteredValueToken,
  type FilterHandler,
  type FilterToken,
  Liquid,
  type Token,
  TypeGuards
} from "liquidjs/dist/liquid.browser.mjs"
import { formatTime, parseDayMillis, findUnknownDirective, type LocaleFormat } from "../LocaleFormat.ts"
import { Structure } from "./Structure.ts"
import { LocalDay } from "./liquidScope.ts"

/** The filters there are, and how many arguments each of them takes at least and at most. */
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

/** Whether there is nothing that `default` would leave. What is no value, such as `nil`, is an object of the library. */
const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === false ||
  (typeof value === "object" && !(value instanceof LocalDay) && !(value instanceof Structure)) ||
  (typeof value === "string" && value.trim() === "")

/** A value of Liquid as text. What is none, such as `nil`, is empty. */
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

/** When that is which a text says, as milliseconds; `null` if it says no day and no time. */
const parseTime = (text: string): number | null =>
  parseDayMillis(text) ??
  (/^\d{4}-\d{2}-\d{2}T/u.test(text) ? Option.getOrNull(Option.map(DateTime.make(text), DateTime.toEpochMillis)) : null)

const toTime = (value: unknown): number => {
  const time = value instanceof LocalDay ? value.time : parseTime(toPlainText(value))
  if (time === null) throw new TypeError("no day and no time")
  return time
}

/** Sums of fractions are off in their last digits. */
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

type Handler = (value: unknown, ...args: ReadonlyArray<unknown>) => unknown

/**
 * What becomes longer than it was has to be paid for out of the memory of the rendering, so that no chain of filters works for long.
 * Nothing comes of nothing, so that `default` may stand at the end.
 */
const withMemoryLimit = (handler: Handler): FilterHandler =>
  function (value, ...args) {
    if (isEmpty(value)) return null
    const result = handler(value, ...args)
    this.context.memoryLimit.use(typeof result === "string" ? result.length : 1)
    return result
  }

/** What the filters do in a language. */
const makeFilters = (wording: LocaleFormat): Readonly<Record<string, FilterHandler>> => {
  const text = (value: unknown) => toText(value, wording)
  const { language } = wording
  return {
    default: (value, other) => (isEmpty(value) ? other : value),
    upcase: withMemoryLimit((value) => text(value).toLocaleUpperCase(language)),
    downcase: withMemoryLimit((value) => text(value).toLocaleLowerCase(language)),
    capitalize: withMemoryLimit((value) => {
      const [first = "", ...rest] = Array.from(text(value))
      return first.toLocaleUpperCase(language) + rest.join("").toLocaleLowerCase(language)
    }),
    strip: withMemoryLimit((value) => text(value).trim()),
    truncate: withMemoryLimit((value, most = defaultTruncateLength, end = "...") =>
      truncateTo(text(value), toCount(most, maxTruncateLength), text(end))
    ),
    date: withMemoryLimit((value, format) =>
      isEmpty(format) ? wording.day(toTime(value)) : formatTime(toPlainText(format), toTime(value), wording)
    ),
    plus: withMemoryLimit((value, other) => roundFloat(toNumber(value) + toNumber(other))),
    minus: withMemoryLimit((value, other) => roundFloat(toNumber(value) - toNumber(other))),
    round: withMemoryLimit((value, digits = 0) => roundTo(toNumber(value), toCount(digits, maxDigits))),
    url_encode: withMemoryLimit((value) => encodeURIComponent(toPlainText(value)).replaceAll("%20", "+"))
  }
}

interface TokenIssue {
  readonly at: Token
  readonly message: string
}

const names = Object.keys(filterArguments).join(", ")

const argumentCountIssue = (count: number, [least, most]: readonly [number, number]): string | null => {
  if (count >= least && count <= most) return null
  return least === most ? `Expected ${least} values after it` : `Expected ${least} to ${most} values after it`
}

const dateFormatIssue = ([format]: FilterToken["args"]): string | null => {
  if (format === undefined || !("kind" in format) || !TypeGuards.isQuotedToken(format)) return null
  const directive = typeof format.content === "string" ? findUnknownDirective(format.content) : null
  return directive === null ? null : `There is no ${directive} in formats of dates`
}

const filterIssue = ({ args, name }: FilterToken): string | null => {
  const counts = Object.hasOwn(filterArguments, name) ? filterArguments[name] : undefined
  if (counts === undefined) return `There is no filter ${name}: expected one of ${names}`
  if (args.some((arg) => !("kind" in arg))) return `Expected values without names after ${name}`
  const fault = argumentCountIssue(args.length, counts)
  if (fault !== null) return `${fault}: ${name}`
  return name === "date" ? dateFormatIssue(args) : null
}

/** What is sent at another time than it is written cannot say today. */
const dateInputIssues = ({ filters: [first], initial: { postfix } }: FilteredValueToken): ReadonlyArray<TokenIssue> => {
  const [token] = postfix
  if (first?.name !== "date" || token === undefined || !TypeGuards.isQuotedToken(token)) return []
  return parseTime(String(token.content)) === null
    ? [{ at: token, message: "Expected a date such as 2026-03-01: now and today are not known here" }]
    : []
}

/** What is wrong with the filters of a value. */
export const validateFilters = (value: FilteredValueToken): ReadonlyArray<TokenIssue> => [
  ...dateInputIssues(value),
  ...value.filters.flatMap((filter) => {
    const message = filterIssue(filter)
    return message === null ? [] : [{ at: filter, message }]
  })
]

/** Twice 4,096 characters, as they are counted by pairs of surrogates. No value of a broadcast is longer than 1,000. */
const maxSourceLength = 8_192

/** How many characters all filters of one rendering may make together. */
const maxOutputLength = 100_000

/**
 * Liquid with what values may use, and nothing else: no tag but `if`, no filter but ours.
 *
 * A rendering has 10 milliseconds. A limit of time would need a clock, and would leave contacts out because a machine was busy, so what
 * is limited is the work. There are no loops and nothing is assigned, so each piece of a source is rendered at most once, and a source
 * of 1,000 characters has fewer than 200 pieces and 200 filters, one of 4,096 fewer than 850. Each filter takes as long as the text that it is given and makes, and
 * all of them together make at most 100,000 characters. The worst that was found takes one to two milliseconds on a busy machine.
 */
export const makeLiquid = (wording: LocaleFormat): Liquid => {
  const liquid = new Liquid({
    ownPropertyOnly: true,
    strictFilters: true,
    parseLimit: maxSourceLength,
    memoryLimit: maxOutputLength,
    templates: {},
    outputEscape: (value) => toText(value, wording)
  })
  for (const name of Object.keys(liquid.tags)) if (name !== "if") delete liquid.tags[name]
  for (const name of Object.keys(liquid.filters)) delete liquid.filters[name]
  Object.assign(liquid.filters, makeFilters(wording))
  return liquid
}

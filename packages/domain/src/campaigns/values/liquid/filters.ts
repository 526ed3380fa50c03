import { DateTime, Option } from "effect"
import {
  type FilteredValueToken,
  type FilterHandler,
  type FilterToken,
  Liquid,
  type Token,
  TypeGuards
} from "liquidjs/dist/liquid.browser.mjs"
import { formatTime, timeOfDay, unknownDirective, type Wording } from "../Wording.ts"
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
const textOf = (value: unknown, wording: Wording): string => {
  if (typeof value === "number") return wording.number(value)
  if (value instanceof LocalDay) return wording.day(value.time)
  if (value instanceof Structure) return Structure.textOf(value)
  return typeof value === "string" || typeof value === "boolean" ? String(value) : ""
}

const plainText = (value: unknown): string => {
  if (value instanceof LocalDay) return value.text
  if (value instanceof Structure) return Structure.textOf(value)
  return typeof value === "object" ? "" : String(value)
}

const numberOf = (given: unknown): number => {
  const value = given instanceof Structure ? Structure.textOf(given) : given
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value
  if (typeof number !== "number" || !Number.isFinite(number)) throw new TypeError("no number")
  return number
}

const countOf = (value: unknown, most: number): number => {
  const count = numberOf(value)
  if (!Number.isInteger(count) || count < 0 || count > most) throw new RangeError("no such count")
  return count
}

/** When that is which a text says, as milliseconds; `null` if it says no day and no time. */
const timeOfText = (text: string): number | null =>
  timeOfDay(text) ??
  (/^\d{4}-\d{2}-\d{2}T/u.test(text) ? Option.getOrNull(Option.map(DateTime.make(text), DateTime.toEpochMillis)) : null)

const timeOf = (value: unknown): number => {
  const time = value instanceof LocalDay ? value.time : timeOfText(plainText(value))
  if (time === null) throw new TypeError("no day and no time")
  return time
}

/** Sums of fractions are off in their last digits. */
const exact = (number: number) => Number(number.toPrecision(15))

const rounded = (number: number, digits: number) => {
  const scale = 10 ** digits
  return exact(Math.round(exact(number * scale)) / scale)
}

const truncated = (text: string, most: number, end: string) => {
  const characters = Array.from(text)
  return characters.length <= most
    ? text
    : [...characters.slice(0, Math.max(0, most - Array.from(end).length)), end].join("")
}

const mostDigits = 10
const mostKept = 1_024
const usualLength = 50

type Handler = (value: unknown, ...args: ReadonlyArray<unknown>) => unknown

/**
 * What becomes longer than it was has to be paid for out of the memory of the rendering, so that no chain of filters works for long.
 * Nothing comes of nothing, so that `default` may stand at the end.
 */
const limited = (handler: Handler): FilterHandler =>
  function (value, ...args) {
    if (isEmpty(value)) return null
    const result = handler(value, ...args)
    this.context.memoryLimit.use(typeof result === "string" ? result.length : 1)
    return result
  }

/** What the filters do in a language. */
const filtersOf = (wording: Wording): Readonly<Record<string, FilterHandler>> => {
  const text = (value: unknown) => textOf(value, wording)
  const { language } = wording
  return {
    default: (value, other) => (isEmpty(value) ? other : value),
    upcase: limited((value) => text(value).toLocaleUpperCase(language)),
    downcase: limited((value) => text(value).toLocaleLowerCase(language)),
    capitalize: limited((value) => {
      const [first = "", ...rest] = Array.from(text(value))
      return first.toLocaleUpperCase(language) + rest.join("").toLocaleLowerCase(language)
    }),
    strip: limited((value) => text(value).trim()),
    truncate: limited((value, most = usualLength, end = "...") =>
      truncated(text(value), countOf(most, mostKept), text(end))
    ),
    date: limited((value, format) =>
      isEmpty(format) ? wording.day(timeOf(value)) : formatTime(plainText(format), timeOf(value), wording)
    ),
    plus: limited((value, other) => exact(numberOf(value) + numberOf(other))),
    minus: limited((value, other) => exact(numberOf(value) - numberOf(other))),
    round: limited((value, digits = 0) => rounded(numberOf(value), countOf(digits, mostDigits))),
    url_encode: limited((value) => encodeURIComponent(plainText(value)).replaceAll("%20", "+"))
  }
}

interface Placed {
  readonly at: Token
  readonly message: string
}

const names = Object.keys(filterArguments).join(", ")

const countFault = (count: number, [least, most]: readonly [number, number]): string | null => {
  if (count >= least && count <= most) return null
  return least === most ? `Expected ${least} values after it` : `Expected ${least} to ${most} values after it`
}

const formatFault = ([format]: FilterToken["args"]): string | null => {
  if (format === undefined || !("kind" in format) || !TypeGuards.isQuotedToken(format)) return null
  const directive = typeof format.content === "string" ? unknownDirective(format.content) : null
  return directive === null ? null : `There is no ${directive} in formats of dates`
}

const faultOf = ({ args, name }: FilterToken): string | null => {
  const counts = Object.hasOwn(filterArguments, name) ? filterArguments[name] : undefined
  if (counts === undefined) return `There is no filter ${name}: expected one of ${names}`
  if (args.some((arg) => !("kind" in arg))) return `Expected values without names after ${name}`
  const fault = countFault(args.length, counts)
  if (fault !== null) return `${fault}: ${name}`
  return name === "date" ? formatFault(args) : null
}

/** What is sent at another time than it is written cannot say today. */
const dayFault = ({ filters: [first], initial: { postfix } }: FilteredValueToken): ReadonlyArray<Placed> => {
  const [token] = postfix
  if (first?.name !== "date" || token === undefined || !TypeGuards.isQuotedToken(token)) return []
  return timeOfText(String(token.content)) === null
    ? [{ at: token, message: "Expected a date such as 2026-03-01: now and today are not known here" }]
    : []
}

/** What is wrong with the filters of a value. */
export const faultsOfFilters = (value: FilteredValueToken): ReadonlyArray<Placed> => [
  ...dayFault(value),
  ...value.filters.flatMap((filter) => {
    const message = faultOf(filter)
    return message === null ? [] : [{ at: filter, message }]
  })
]

/** Twice 4,096 characters, as they are counted by pairs of surrogates. No value of a broadcast is longer than 1,000. */
const longestSource = 8_192

/** How many characters all filters of one rendering may make together. */
const mostMade = 100_000

/**
 * Liquid with what values may use, and nothing else: no tag but `if`, no filter but ours.
 *
 * A rendering has 10 milliseconds. A limit of time would need a clock, and would leave contacts out because a machine was busy, so what
 * is limited is the work. There are no loops and nothing is assigned, so each piece of a source is rendered at most once, and a source
 * of 1,000 characters has fewer than 200 pieces and 200 filters, one of 4,096 fewer than 850. Each filter takes as long as the text that it is given and makes, and
 * all of them together make at most 100,000 characters. The worst that was found takes one to two milliseconds on a busy machine.
 */
export const makeLiquid = (wording: Wording): Liquid => {
  const liquid = new Liquid({
    ownPropertyOnly: true,
    strictFilters: true,
    parseLimit: longestSource,
    memoryLimit: mostMade,
    templates: {},
    outputEscape: (value) => textOf(value, wording)
  })
  for (const name of Object.keys(liquid.tags)) if (name !== "if") delete liquid.tags[name]
  for (const name of Object.keys(liquid.filters)) delete liquid.filters[name]
  Object.assign(liquid.filters, filtersOf(wording))
  return liquid
}

import type { FilterHandler } from "liquidjs/dist/liquid.browser.mjs"
import { DateTime, Option } from "effect"
import { timeOfDay, type Wording } from "../Wording.ts"
import { formatTime } from "./formatTime.ts"
import { LocalDay } from "./LocalDay.ts"
import { Structure } from "./Structure.ts"

/** The filters there are, and how many arguments each of them takes at least and at most. */
export const filterArguments: Readonly<Record<string, readonly [least: number, most: number]>> = {
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
export const textOf = (value: unknown, wording: Wording): string => {
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
export const timeOfText = (text: string): number | null =>
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
export const filtersOf = (wording: Wording): Readonly<Record<string, FilterHandler>> => {
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

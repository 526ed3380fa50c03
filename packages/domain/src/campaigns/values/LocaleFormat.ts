import { DateTime, Option } from "effect"
import type { AttributeValue, ContactField } from "../../crm/index.ts"

/** A date without a time, such as 2026-03-01. */
const datePattern = /^\d{4}-\d{2}-\d{2}$/u

/** Format of numbers and dates in a template's language. */
export interface LocaleFormat {
  readonly language: string
  readonly number: (value: number) => string
  readonly day: (time: number) => string
  /** Name of a date part, such as the month, long or short. */
  readonly name: (time: number, part: "month" | "weekday", length: "long" | "short") => string
  /** Escapes an output for its surroundings; absent for plain text. */
  readonly escape?: (text: string) => string
  /** Text of an attribute value of this type. */
  readonly attribute: (value: AttributeValue, type: ContactField["type"] | undefined) => string
}

/** The runtime does not accept every language tag. */
const findSupportedLocale = (language: string): string => {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(language)[0] ?? "en"
  } catch {
    return "en"
  }
}

/** Returns the start of a UTC day in milliseconds; `null` if the text is no date. */
export const parseDayMillis = (text: string): number | null =>
  datePattern.test(text)
    ? Option.getOrNull(
        Option.map(
          Option.filter(DateTime.make(`${text}T00:00:00Z`), (time) => DateTime.formatIsoDateUtc(time) === text),
          DateTime.toEpochMillis
        )
      )
    : null

/** Creates the format of a language, or of English for an unknown language. */
export const makeLocaleFormat = (language: string): LocaleFormat => {
  const known = findSupportedLocale(language)
  // Creating a formatter takes longer than the rest of a rendering, and most texts need none.
  let numbers: Intl.NumberFormat | null = null
  const dates = new Map<string, Intl.DateTimeFormat>()
  const date = (key: string, options: Intl.DateTimeFormatOptions) => {
    const format = dates.get(key) ?? new Intl.DateTimeFormat(known, { ...options, timeZone: "UTC" })
    dates.set(key, format)
    return format
  }
  const number = (value: number) => {
    numbers ??= new Intl.NumberFormat(known, { maximumFractionDigits: 10 })
    return numbers.format(value)
  }
  const writtenDay = (time: number) => date("day", { dateStyle: "long" }).format(time)
  return {
    language: known,
    number,
    day: writtenDay,
    name: (time, part, length) => date(`${part} ${length}`, { [part]: length }).format(time),
    attribute: (value, type) => {
      if (typeof value === "number") return number(value)
      const time = type === "date" && typeof value === "string" ? parseDayMillis(value) : null
      return time === null ? String(value) : writtenDay(time)
    }
  }
}

/** Creates a language-neutral format for URL suffixes and codes. Names are English. */
export const makePlainLocaleFormat = (): LocaleFormat => ({
  ...makeLocaleFormat("en"),
  number: String,
  day: (time) => DateTime.formatIsoDateUtc(DateTime.makeUnsafe(time)),
  attribute: String
})

/** Line breaks and other characters that a provider rejects in a variable. */
const lineBreaks = /\r\n|[\n\r\t\v\f\u0085\u2028\u2029]/gu

/** More consecutive spaces than a provider accepts. */
const longGaps = / {5,}/gu

/** Returns the text on one line. Line breaks become spaces, and long gaps shrink to four spaces. */
export const toSingleLine = (text: string): string =>
  text.replaceAll(lineBreaks, " ").replaceAll(longGaps, "    ").trim()

type FormatPart = (time: number, wording: LocaleFormat) => string

const two = (number: number) => String(number).padStart(2, "0")

const utc = (time: number) => DateTime.toPartsUtc(DateTime.makeUnsafe(time))

const toTwelveHour = (hour: number) => ((hour + 11) % 12) + 1

/** Formatters by directive, as in Liquid and in C. */
const directiveFormatters: Readonly<Record<string, FormatPart>> = {
  "%": () => "%",
  A: (time, { name }) => name(time, "weekday", "long"),
  a: (time, { name }) => name(time, "weekday", "short"),
  B: (time, { name }) => name(time, "month", "long"),
  b: (time, { name }) => name(time, "month", "short"),
  d: (time) => two(utc(time).day),
  e: (time) => String(utc(time).day),
  F: (time) => DateTime.formatIsoDateUtc(DateTime.makeUnsafe(time)),
  H: (time) => two(utc(time).hour),
  I: (time) => two(toTwelveHour(utc(time).hour)),
  l: (time) => String(toTwelveHour(utc(time).hour)),
  M: (time) => two(utc(time).minute),
  m: (time) => two(utc(time).month),
  p: (time) => (utc(time).hour < 12 ? "AM" : "PM"),
  S: (time) => two(utc(time).second),
  Y: (time) => String(utc(time).year).padStart(4, "0"),
  y: (time) => two(utc(time).year % 100)
}

const directivePattern = /%(-?)(.?)/gsu

/** Returns the first unknown directive of a format; `null` without one. */
export const findUnknownDirective = (format: string): string | null =>
  Array.from(format.matchAll(directivePattern)).find(
    ([, , letter = ""]) => !Object.hasOwn(directiveFormatters, letter)
  )?.[0] ?? null

/** Formats a UTC time with names in the language of `wording`. A dash, as in `%-d`, omits leading zeros. */
export const formatTime = (format: string, time: number, wording: LocaleFormat): string =>
  format.replaceAll(directivePattern, (_, dash: string, letter: string) => {
    const written = directiveFormatters[letter]?.(time, wording) ?? ""
    return dash === "" ? written : written.replace(/^0+(?=\d)/u, "")
  })

import { DateTime, Option } from "effect"
import type { AttributeValue, ContactField } from "../../crm/index.ts"

/** A day without a time, such as 2026-03-01. */
const datePattern = /^\d{4}-\d{2}-\d{2}$/u

/** How numbers and days are written in the language of a template. */
export interface LocaleFormat {
  readonly language: string
  readonly number: (value: number) => string
  readonly day: (time: number) => string
  /** The name of a part of a day, such as its month, in full or short. */
  readonly name: (time: number, part: "month" | "weekday", length: "long" | "short") => string
  /** What a contact has in a field of this type, as text. */
  readonly attribute: (value: AttributeValue, type: ContactField["type"] | undefined) => string
}

/** Not every tag of a language is one that the runtime takes. */
const findSupportedLocale = (language: string): string => {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(language)[0] ?? "en"
  } catch {
    return "en"
  }
}

/** The start of a day in UTC, as milliseconds; `null` if the text is none. */
export const parseDayMillis = (text: string): number | null =>
  datePattern.test(text)
    ? Option.getOrNull(
        Option.map(
          Option.filter(DateTime.make(`${text}T00:00:00Z`), (time) => DateTime.formatIsoDateUtc(time) === text),
          DateTime.toEpochMillis
        )
      )
    : null

/** The wording of a language; of English, if the language is not known. */
export const makeLocaleFormat = (language: string): LocaleFormat => {
  const known = findSupportedLocale(language)
  // To make one of these takes longer than all the rest of a rendering, and most texts need none.
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

/** The same in no language: for the ends of addresses, and for codes. Names are English ones. */
export const makePlainLocaleFormat = (): LocaleFormat => ({
  ...makeLocaleFormat("en"),
  number: String,
  day: (time) => DateTime.formatIsoDateUtc(DateTime.makeUnsafe(time)),
  attribute: String
})

/** Where a line ends, and whatever else a provider refuses in a variable. */
const lineBreaks = /\r\n|[\n\r\t\v\f\u0085\u2028\u2029]/gu

/** More spaces in a row than a provider takes. */
const longGaps = / {5,}/gu

/** A text on one line: its line breaks become spaces, and of a long gap four spaces stay. */
export const toSingleLine = (text: string): string =>
  text.replaceAll(lineBreaks, " ").replaceAll(longGaps, "    ").trim()

type FormatPart = (time: number, wording: LocaleFormat) => string

const two = (number: number) => String(number).padStart(2, "0")

const utc = (time: number) => DateTime.toPartsUtc(DateTime.makeUnsafe(time))

const toTwelveHour = (hour: number) => ((hour + 11) % 12) + 1

/** What stands for what in a format, as in Liquid and in C. */
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

/** The first thing in a format that stands for nothing; `null` if there is none. */
export const findUnknownDirective = (format: string): string | null =>
  Array.from(format.matchAll(directivePattern)).find(
    ([, , letter = ""]) => !Object.hasOwn(directiveFormatters, letter)
  )?.[0] ?? null

/** The time in this format, in UTC, its names in the language of the wording. A dash, as in `%-d`, leaves out zeros in front. */
export const formatTime = (format: string, time: number, wording: LocaleFormat): string =>
  format.replaceAll(directivePattern, (_, dash: string, letter: string) => {
    const written = directiveFormatters[letter]?.(time, wording) ?? ""
    return dash === "" ? written : written.replace(/^0+(?=\d)/u, "")
  })

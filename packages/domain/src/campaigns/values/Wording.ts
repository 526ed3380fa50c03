import { DateTime, Option } from "effect"
import type { AttributeValue, ContactField } from "../../crm/index.ts"

/** A day without a time, such as 2026-03-01. */
const day = /^\d{4}-\d{2}-\d{2}$/u

/** How numbers and days are written in the language of a template. */
export interface Wording {
  readonly language: string
  readonly number: (value: number) => string
  readonly day: (time: number) => string
  /** The name of a part of a day, such as its month, in full or short. */
  readonly name: (time: number, part: "month" | "weekday", length: "long" | "short") => string
  /** What a contact has in a field of this type, as text. */
  readonly attribute: (value: AttributeValue, type: ContactField["type"] | undefined) => string
}

/** Not every tag of a language is one that the runtime takes. */
const supported = (language: string): string => {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(language)[0] ?? "en"
  } catch {
    return "en"
  }
}

/** The start of a day in UTC, as milliseconds; `null` if the text is none. */
export const timeOfDay = (text: string): number | null =>
  day.test(text)
    ? Option.getOrNull(
        Option.map(
          Option.filter(DateTime.make(`${text}T00:00:00Z`), (time) => DateTime.formatIsoDateUtc(time) === text),
          DateTime.toEpochMillis
        )
      )
    : null

/** The wording of a language; of English, if the language is not known. */
export const wordingOf = (language: string): Wording => {
  const known = supported(language)
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
      const time = type === "date" && typeof value === "string" ? timeOfDay(value) : null
      return time === null ? String(value) : writtenDay(time)
    }
  }
}

/** The same in no language: for the ends of addresses, and for codes. Names are English ones. */
export const makePlainWording = (): Wording => ({
  ...wordingOf("en"),
  number: String,
  day: (time) => DateTime.formatIsoDateUtc(DateTime.makeUnsafe(time)),
  attribute: String
})

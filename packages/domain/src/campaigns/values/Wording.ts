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
  const numbers = new Intl.NumberFormat(known, { maximumFractionDigits: 10 })
  const dates = new Intl.DateTimeFormat(known, { dateStyle: "long", timeZone: "UTC" })
  const names = new Map<string, Intl.DateTimeFormat>()
  const number = (value: number) => numbers.format(value)
  const writtenDay = (time: number) => dates.format(time)
  return {
    language: known,
    number,
    day: writtenDay,
    name: (time, part, length) => {
      // To make one takes longer than all the rest of a rendering.
      const key = `${part} ${length}`
      const format = names.get(key) ?? new Intl.DateTimeFormat(known, { [part]: length, timeZone: "UTC" })
      names.set(key, format)
      return format.format(time)
    },
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

import { DateTime } from "effect"
import type { Wording } from "../Wording.ts"

type Part = (time: number, wording: Wording) => string

const two = (number: number) => String(number).padStart(2, "0")

const utc = (time: number) => DateTime.toPartsUtc(DateTime.makeUnsafe(time))

const hourOfTwelve = (hour: number) => ((hour + 11) % 12) + 1

/** What stands for what in a format, as in Liquid and in C. */
const parts: Readonly<Record<string, Part>> = {
  "%": () => "%",
  A: (time, { name }) => name(time, "weekday", "long"),
  a: (time, { name }) => name(time, "weekday", "short"),
  B: (time, { name }) => name(time, "month", "long"),
  b: (time, { name }) => name(time, "month", "short"),
  d: (time) => two(utc(time).day),
  e: (time) => String(utc(time).day),
  F: (time) => DateTime.formatIsoDateUtc(DateTime.makeUnsafe(time)),
  H: (time) => two(utc(time).hour),
  I: (time) => two(hourOfTwelve(utc(time).hour)),
  l: (time) => String(hourOfTwelve(utc(time).hour)),
  M: (time) => two(utc(time).minute),
  m: (time) => two(utc(time).month),
  p: (time) => (utc(time).hour < 12 ? "AM" : "PM"),
  S: (time) => two(utc(time).second),
  Y: (time) => String(utc(time).year).padStart(4, "0"),
  y: (time) => two(utc(time).year % 100)
}

const directive = /%(-?)(.?)/gsu

/** The first thing in a format that stands for nothing; `null` if there is none. */
export const unknownDirective = (format: string): string | null =>
  Array.from(format.matchAll(directive)).find(([, , letter = ""]) => !Object.hasOwn(parts, letter))?.[0] ?? null

/** The time in this format, in UTC, its names in the language of the wording. A dash, as in `%-d`, leaves out zeros in front. */
export const formatTime = (format: string, time: number, wording: Wording): string =>
  format.replaceAll(directive, (_, dash: string, letter: string) => {
    const written = parts[letter]?.(time, wording) ?? ""
    return dash === "" ? written : written.replace(/^0+(?=\d)/u, "")
  })

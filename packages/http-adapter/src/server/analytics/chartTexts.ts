import { type LocalDate, toLocalTime } from "@parley/domain/kernel"
import type { SeriesFigure, SeriesStep } from "@parley/domain/analytics"
import { DateTime } from "effect"
import type { Tick } from "./charts/ticks.ts"

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const

const partsOf = (date: LocalDate) => {
  const [year = "", month = "", day = ""] = date.split("-")
  return { year, month: Number(month), name: months[Number(month) - 1] ?? month, day: Number(day) }
}

/** Formats a day without its year: `21 Nov`. */
export const dayText = (date: LocalDate): string => {
  const { day, name } = partsOf(date)
  return `${day} ${name}`
}

/** Formats the days of a chart: `21 Nov 2026`, or `14 Nov to 20 Nov 2026`. */
export const rangeText = ({ from, to }: { readonly from: LocalDate; readonly to: LocalDate }): string => {
  const [first, last] = [partsOf(from), partsOf(to)]
  const end = `${dayText(to)} ${last.year}`
  if (from === to) return end
  return first.year === last.year ? `${dayText(from)} to ${end}` : `${dayText(from)} ${first.year} to ${end}`
}

/** Formats an instant in a time zone: `20 Nov 2026, 10:10 in Europe/Berlin`. */
export const instantText = (instant: DateTime.Utc, timezone: string): string => {
  const [date = "", time = ""] = toLocalTime(instant, DateTime.zoneMakeNamedUnsafe(timezone)).split("T")
  return `${dayText(date)} ${partsOf(date).year}, ${time.slice(0, "10:10".length)} in ${timezone}`
}

/** Writes a key as words: `marketing_lite` is "Marketing lite". */
export const toWords = (key: string): string => {
  const words = key.replaceAll(/[._]/gu, " ")
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const regions = new Intl.DisplayNames("en", { type: "region", fallback: "code" })

/** Names a country by its ISO 3166 code. */
export const countryText = (code: string): string => (/^[A-Z]{2}$/u.test(code) ? (regions.of(code) ?? code) : code)

const authors: Readonly<Record<string, string>> = {
  user: "members",
  operator: "operators",
  phone_app: "the phone app",
  token: "tokens",
  automation: "automations",
  broadcast: "broadcasts"
}

const durations: Readonly<Record<string, string>> = {
  firstResponse: "first response",
  reply: "reply",
  resolution: "resolution"
}

const otherFigures: Readonly<Record<string, string>> = {
  "conversations.resolvedByMachine": "Conversations resolved by machines",
  "conversations.open": "Open conversations",
  "conversations.waiting": "Waiting conversations",
  "messages.failed": "Failed messages",
  "contacts.new": "New contacts",
  "contacts.imported": "Imported contacts",
  "contacts.active": "Active contacts",
  "contacts.unsubscribed": "Unsubscribed contacts",
  "broadcasts.sent": "Broadcast messages sent",
  "broadcasts.delivered": "Broadcast messages delivered",
  "broadcasts.read": "Broadcast messages read",
  "broadcasts.replied": "Replies to broadcasts",
  "broadcasts.deliveredRate": "Delivered share of broadcasts",
  "broadcasts.readRate": "Read share of broadcasts",
  "broadcasts.repliedRate": "Replied share of broadcasts",
  "commerce.orders": "Orders",
  "commerce.gross": "Gross revenue",
  "commerce.refunded": "Refunds",
  "commerce.net": "Net revenue",
  "commerce.attributedOrders": "Attributed orders",
  "commerce.attributed": "Attributed revenue"
}

/** Names a figure: `messages.outbound.byAuthor.user` is "Outbound messages by members". */
export const figureText = (figure: SeriesFigure, currency?: string): string => {
  const suffix = currency === undefined ? "" : `, ${currency}`
  const other = otherFigures[figure]
  if (other !== undefined) return `${other}${suffix}`
  const [area = "", direction = "", , kind = ""] = figure.split(".")
  if (area === "messages") {
    const messages = `${toWords(direction)} messages`
    if (figure.endsWith(".total")) return messages
    if (figure.includes(".byAuthor.")) return `${messages} by ${authors[kind] ?? toWords(kind).toLowerCase()}`
    return `${messages}, ${toWords(kind).toLowerCase()}`
  }
  const duration = durations[area]
  if (duration === undefined) return toWords(figure)
  if (figure.endsWith(".count")) return `${toWords(duration)} count`
  return figure.endsWith(".medianSeconds") ? `Median ${duration} time` : `90th percentile of the ${duration} time`
}

/** Formats the name of a bucket: the hour of the time zone, the first day, or the month. */
export const bucketText = (bucket: string, by: SeriesStep, zone: DateTime.TimeZone): string => {
  if (by === "hour") return toLocalTime(DateTime.makeUnsafe(bucket), zone).replace("T", " ").slice(0, 16)
  if (by !== "month") return dayText(bucket)
  const { name, year } = partsOf(bucket)
  return `${name} ${year}`
}

const every = (ticks: ReadonlyArray<Tick>, step: number) => ticks.filter((_, index) => index % step === 0)

const hourTicks = (buckets: ReadonlyArray<string>, zone: DateTime.TimeZone) => {
  const times = buckets.map((bucket) => toLocalTime(DateTime.makeUnsafe(bucket), zone).split("T"))
  const starts = times.flatMap(([date = ""], index) =>
    date === times[index - 1]?.[0] ? [] : [{ index, label: dayText(date) }]
  )
  const isStart = new Set(starts.map(({ index }) => index))
  const ofHours = [1, 2, 3, 6, 12].map((step) =>
    times.flatMap(([date = "", time = ""], index): ReadonlyArray<Tick> => {
      if (isStart.has(index)) return [{ index, label: dayText(date) }]
      return Number(time.slice(0, 2)) % step === 0 ? [{ index, label: time.slice(0, 5) }] : []
    })
  )
  return [...ofHours, starts, every(starts, 2)]
}

const monthTicks = (ticks: ReadonlyArray<Tick>) => [1, 2, 3, 6, 12].map((step) => every(ticks, step))

/** Choices of labels below a chart over time: hours 1, 2, 3, 6 or 12, days 1, 2, 7 or 14, weeks 1, 2 or 4, and first days of months. */
export const bucketTicks = (
  buckets: ReadonlyArray<string>,
  by: SeriesStep,
  zone: DateTime.TimeZone
): ReadonlyArray<ReadonlyArray<Tick>> => {
  if (by === "hour") return hourTicks(buckets, zone)
  const ticks = buckets.map((bucket, index) => ({ index, label: bucketText(bucket, by, zone) }))
  if (by === "month") return monthTicks(ticks)
  if (by === "week") return [1, 2, 4, 13].map((step) => every(ticks, step))
  const firstDays = ticks.filter(({ index }) => buckets[index]?.endsWith("-01"))
  return [...[1, 2, 7, 14].map((step) => every(ticks, step)), ...monthTicks(firstDays)]
}

import type { Series } from "@parley/domain"
import { table } from "../console/Table.ts"
import { bar } from "./bar.ts"
import { headline } from "./range.ts"
import { shown } from "./shown.ts"
import { sparkline } from "./sparkline.ts"
import { screenWidth } from "./width.ts"

type Row = Series["series"][number]

const gap = 2

const mostOf = (values: ReadonlyArray<number | null>) =>
  values.reduce((high: number, value) => Math.max(high, value ?? 0), 0)

const widest = (texts: ReadonlyArray<string>) => texts.reduce((most, text) => Math.max(most, text.length), 0)

/** Hours are instants in UTC, whose seconds are always 0. */
const bucketName = (bucket: string) => bucket.replace(/:00(?:\.000)?Z$/u, "Z")

const bars = (buckets: ReadonlyArray<string>, { currency, figure, unit, values }: Row) => {
  const lines = buckets.map((bucket, index) => {
    const value = values[index] ?? null
    return { bucket: bucketName(bucket), value, text: shown(value, unit, currency) }
  })
  const [named, valued] = [widest(lines.map(({ bucket }) => bucket)), widest(lines.map(({ text }) => text))]
  // The heading of a figure may be longer than its values: it stands above the table.
  const width = screenWidth - named - Math.max(valued, "VALUE".length) - 2 * gap
  const drawn = table(lines, [
    { heading: "FROM", of: ({ bucket }) => bucket },
    { heading: "VALUE", of: ({ text }) => text, align: "right" },
    { heading: "", of: ({ value }) => bar(value, mostOf(values), width) }
  ])
  return `${figure}\n\n${drawn}`
}

/** Least and most in words, and the values below, as many in a line as fit. */
const strip = ({ currency, figure, unit, values }: Row) => {
  const there = values.filter((value) => value !== null)
  const said = (value: number) => (there.length === 0 ? "–" : shown(value, unit, currency))
  const least = said(there.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY))
  const most = said(there.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY))
  const letters = Array.from(sparkline(values))
  const lines = Array.from({ length: Math.ceil(letters.length / screenWidth) }, (_, line) =>
    letters
      .slice(line * screenWidth, (line + 1) * screenWidth)
      .join("")
      .trimEnd()
  )
  return [`${figure}: least ${least}, most ${most}`, ...lines].join("\n")
}

/** Draws figures over time in eighty columns: one as bars, several as a letter for each bucket. */
export const drawnSeries = (answer: Series): string => {
  const { buckets, by, series } = answer
  const [only] = series
  const drawn =
    series.length === 1 && only !== undefined ? bars(buckets, only) : series.map((row) => strip(row)).join("\n\n")
  return `${headline(answer)}, by ${by}\n\n${drawn}`
}

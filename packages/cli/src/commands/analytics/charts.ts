import { Currency } from "@parley/domain/kernel"
import { Heatmap, HeatmapFigure, Series, SeriesFigure, SeriesStep } from "@parley/domain/analytics"
import { Console, Effect, Option, Schema } from "effect"
import { CliError, Command, Flag } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { suggestion } from "../../console/nearest.ts"
import { printJson, table } from "../../console/print.ts"
import { typedFlag } from "../../console/typed.ts"
import { inTenant } from "../../tenant/inTenant.ts"
import { bar, screenWidth, shown, sparkline } from "./drawing.ts"
import { accountFlag, accountOf, headline, rangeFlags, rangeOf } from "./range.ts"

type Row = Series["series"][number]

const gap = 2

const mostOf = (values: ReadonlyArray<number | null>) =>
  values.reduce((high: number, value) => Math.max(high, value ?? 0), 0)

const widest = (texts: ReadonlyArray<string>) => texts.reduce((most, text) => Math.max(most, text.length), 0)

/** Hours are UTC instants, whose seconds are always 0. */
const bucketName = (bucket: string) => bucket.replace(/:00(?:\.000)?Z$/u, "Z")

const titleOf = ({ currency, figure }: Row) => (currency === undefined ? figure : `${figure}, ${currency}`)

const bars = (buckets: ReadonlyArray<string>, row: Row) => {
  const { currency, unit, values } = row
  const lines = buckets.map((bucket, index) => {
    const value = values[index] ?? null
    return { bucket: bucketName(bucket), value, text: shown(value, unit, currency) }
  })
  const [named, valued] = [widest(lines.map(({ bucket }) => bucket)), widest(lines.map(({ text }) => text))]
  // The heading of a figure can be longer than its values, so it is above the table.
  const width = screenWidth - named - Math.max(valued, "VALUE".length) - 2 * gap
  const drawn = table(lines, [
    { heading: "FROM", of: ({ bucket }) => bucket },
    { heading: "VALUE", of: ({ text }) => text, align: "right" },
    { heading: "", of: ({ value }) => bar(value, mostOf(values), width) }
  ])
  return `${titleOf(row)}\n\n${drawn}`
}

/** Draws the minimum and maximum, and as many values per line as fit. */
const strip = (row: Row) => {
  const { currency, unit, values } = row
  const there = values.filter((value) => value !== null)
  const format = (value: number) => (there.length === 0 ? "–" : shown(value, unit, currency))
  const least = format(there.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY))
  const most = format(there.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY))
  const letters = Array.from(sparkline(values))
  const lines = Array.from({ length: Math.ceil(letters.length / screenWidth) }, (_, line) =>
    letters
      .slice(line * screenWidth, (line + 1) * screenWidth)
      .join("")
      .trimEnd()
  )
  return [`${titleOf(row)}: least ${least}, most ${most}`, ...lines].join("\n")
}

/** Draws figures over time in 80 columns: one figure as bars, several as one letter per bucket. */
export const drawnSeries = (answer: Series): string => {
  const { buckets, by, series } = answer
  const [only] = series
  const drawn =
    series.length === 1 && only !== undefined ? bars(buckets, only) : series.map((row) => strip(row)).join("\n\n")
  return `${headline(answer)}, by ${by}\n\n${drawn}`
}

const mostFigures = 10

const isFigure = Schema.is(SeriesFigure)

/** The error lists no names, because too many figures exist. */
const readFigure = (value: string) => {
  if (isFigure(value)) return Effect.succeed(value)
  const like = suggestion(value, SeriesFigure.literals)
  const expected = `Expected a figure by its path in the overview, for example conversations.opened.${like}`
  return Effect.fail(new CliError.InvalidValue({ option: "figure", value, expected, kind: "flag" }))
}

const encode = Schema.encodeSync(Schema.toCodecJson(Series))

export const seriesCommand = Command.make(
  "series",
  {
    org: Flags.org,
    figure: Flag.String("figure").pipe(
      Flag.withMetavar("figure"),
      Flag.mapEffect(readFigure),
      Flag.withDescription("Figure, such as messages.inbound.total; repeatable"),
      Flag.between(1, mostFigures)
    ),
    by: Flag.Literals("by", SeriesStep.literals).pipe(
      Flag.withDescription("Size of a bar: hour (at most 7 days), day, week or month"),
      Flag.withDefault("day")
    ),
    currency: typedFlag("currency", Currency).pipe(
      Flag.withDescription("Currency of amounts and of commerce.attributedOrders. Default: the organization's own"),
      Flag.optional
    ),
    ...rangeFlags,
    account: accountFlag,
    json: Flags.json
  },
  Effect.fn(function* ({ account, by, currency, figure, json, org, ...input }) {
    const query = {
      figure: Array.from(new Set(figure)),
      by,
      ...(Option.isSome(currency) && { currency: currency.value }),
      ...rangeOf(input),
      ...accountOf(account)
    }
    yield* inTenant(org, ({ analytics }) =>
      Effect.flatMap(analytics.series({ query }), (series) =>
        json ? printJson(encode(series)) : Console.log(drawnSeries(series))
      )
    )
  })
).pipe(
  Command.withDescription("Show figures over time: one as bars, several as one line each"),
  Command.withExamples([
    { command: "parley analytics series --org acme --figure messages.inbound.total" },
    {
      command:
        "parley analytics series --figure conversations.opened --figure conversations.resolved --by week --period 30d"
    }
  ])
)

const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const

const shades = ["·", "░", "▒", "▓", "█"] as const

const hourName = (hour: number) => String(hour).padStart(2, "0")

/** Zero has its own shade, so that the quietest hour differs from it. */
const shadeOf = (usual: number, most: number) =>
  usual <= 0 ? shades[0] : (shades[Math.min(shades.length - 1, Math.ceil((usual / most) * 4))] ?? shades[0])

/** Draws a week in 80 columns, with the usual value of each hour as a shade. */
export const drawnHeatmap = (heatmap: Heatmap): string => {
  const usual = heatmap.values.map((row, day) =>
    row.map((value, hour) => {
      const often = heatmap.occurrences[day]?.[hour] ?? 0
      return often === 0 ? 0 : value / often
    })
  )
  const cells = usual.flatMap((row, day) => row.map((value, hour) => ({ day, hour, value })))
  const busiest = cells.reduce((one, other) => (other.value > one.value ? other : one), { day: 0, hour: 0, value: 0 })
  const hours = `    ${Array.from({ length: 24 }, (_, hour) => hourName(hour)).join(" ")}`
  const rows = usual.map(
    (row, day) => `${weekdays[day] ?? ""} ${row.map((value) => shadeOf(value, busiest.value).repeat(2)).join(" ")}`
  )
  const most =
    busiest.value === 0
      ? "Nothing happened."
      : `${shades.at(-1) ?? ""} up to ${Math.round(busiest.value * 10) / 10} in an hour: ${weekdays[busiest.day] ?? ""} ${hourName(busiest.hour)}:00`
  return [`${heatmap.figure}, ${headline(heatmap)}`, "", hours, ...rows, "", most].join("\n")
}

const heatmapEncode = Schema.encodeSync(Schema.toCodecJson(Heatmap))

export const heatmapCommand = Command.make(
  "heatmap",
  {
    org: Flags.org,
    figure: Flag.Literals("figure", HeatmapFigure.literals).pipe(
      Flag.withDescription("Counted figure"),
      Flag.withDefault("messages.inbound.total")
    ),
    ...rangeFlags,
    account: accountFlag,
    json: Flags.json
  },
  Effect.fn(function* ({ account, figure, json, org, ...input }) {
    yield* inTenant(org, ({ analytics }) =>
      Effect.flatMap(analytics.heatmap({ query: { figure, ...rangeOf(input), ...accountOf(account) } }), (heatmap) =>
        json ? printJson(heatmapEncode(heatmap)) : Console.log(drawnHeatmap(heatmap))
      )
    )
  })
).pipe(
  Command.withDescription("Show the distribution of a figure over the hours of the week"),
  Command.withExamples([{ command: "parley analytics heatmap --org acme --period 30d" }])
)

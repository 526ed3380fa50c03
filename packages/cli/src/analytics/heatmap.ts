import { Heatmap, HeatmapFigure } from "@parley/domain"
import { Console, Effect, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { printJson } from "../console/print.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { accountFlag, accountOf, headline, rangeFlags, rangeOf } from "./range.ts"

const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const

const shades = ["·", "░", "▒", "▓", "█"] as const

const hourName = (hour: number) => String(hour).padStart(2, "0")

/** Nothing has a shade of its own, so that the quietest hour is not taken for it. */
const shadeOf = (usual: number, most: number) =>
  usual <= 0 ? shades[0] : (shades[Math.min(shades.length - 1, Math.ceil((usual / most) * 4))] ?? shades[0])

/** Draws a week in eighty columns: how much there is in the usual hour, as shades. */
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

const encode = Schema.encodeSync(Schema.toCodecJson(Heatmap))

/** Draws when in the week something happens. */
export const heatmapCommand = Command.make(
  "heatmap",
  {
    org: Flags.org,
    figure: Flag.Literals("figure", HeatmapFigure.literals).pipe(
      Flag.withDescription("What is counted"),
      Flag.withDefault("messages.inbound.total")
    ),
    ...rangeFlags,
    account: accountFlag,
    json: Flags.json
  },
  Effect.fn(function* ({ account, figure, json, org, ...said }) {
    yield* inTenant(org, ({ analytics }) =>
      Effect.flatMap(analytics.heatmap({ query: { figure, ...rangeOf(said), ...accountOf(account) } }), (heatmap) =>
        json ? printJson(encode(heatmap)) : Console.log(drawnHeatmap(heatmap))
      )
    )
  })
).pipe(
  Command.withDescription("Draw in which hours of the week something happens"),
  Command.withExamples([{ command: "parley analytics heatmap --org acme --period 30d" }])
)

import type { Currency, Money } from "@parley/domain/kernel"
import { type Figures, LiveWorkload, Overview, PeriodName } from "@parley/domain/analytics"
import { Console, Effect, type Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { card, printJson, table } from "../../console/print.ts"
import { unitsText } from "../../console/text.ts"
import { inTenant } from "../../tenant/inTenant.ts"
import { bar, duration, sparkline } from "./drawing.ts"
import { accountFlag, accountOf } from "./range.ts"

interface Line {
  readonly name: string
  readonly of: (figures: Figures) => number | null
  /** Currency of an amount in its smallest unit. */
  readonly currency?: Currency
}

const lines: ReadonlyArray<Line> = [
  { name: "opened", of: ({ conversations }) => conversations.opened },
  { name: "reopened", of: ({ conversations }) => conversations.reopened },
  { name: "resolved", of: ({ conversations }) => conversations.resolved },
  { name: "open at end", of: ({ conversations }) => conversations.open },
  { name: "waiting at end", of: ({ conversations }) => conversations.waiting },
  { name: "messages in", of: ({ messages }) => messages.inbound.total },
  { name: "messages out", of: ({ messages }) => messages.outbound.total },
  { name: "failed", of: ({ messages }) => messages.failed },
  { name: "1st response, s", of: ({ firstResponse }) => firstResponse.medianSeconds },
  { name: "reply, s", of: ({ reply }) => reply.medianSeconds },
  { name: "resolution, s", of: ({ resolution }) => resolution.medianSeconds },
  { name: "new contacts", of: ({ contacts }) => contacts.new },
  { name: "active contacts", of: ({ contacts }) => contacts.active },
  { name: "broadcast to", of: ({ broadcasts }) => broadcasts.sent },
  { name: "orders", of: ({ commerce }) => commerce.orders }
]

type Revenue = Figures["commerce"]["revenue"][number]

/** Names are short, because amounts take more columns than counts. */
const revenueParts: ReadonlyArray<readonly [name: string, of: (revenue: Revenue) => Money]> = [
  ["gross", ({ gross }) => gross],
  ["refunded", ({ refunded }) => refunded],
  ["net", ({ net }) => net],
  ["attributed", ({ attributed }) => attributed]
]

/** Lines of the revenue in each currency of the two periods. */
const revenueLines = ({ current, previous }: Overview): ReadonlyArray<Line> => {
  const currencies = new Set(
    [current, previous].flatMap(({ commerce }) => commerce.revenue.map((each) => each.currency))
  )
  return [...currencies].toSorted().flatMap((currency) =>
    revenueParts.map(([name, of]) => ({
      name: `${name}, ${currency}`,
      currency,
      of: ({ commerce }: Figures) => {
        const revenue = commerce.revenue.find((each) => each.currency === currency)
        return revenue === undefined ? 0 : of(revenue).amountMinor
      }
    }))
  )
}

const shownValue = (value: number | null, currency?: Currency) => {
  if (value === null) return "–"
  return currency === undefined ? String(value) : unitsText({ amountMinor: value, currency })
}

const changed = (now: number | null, before: number | null) =>
  now === null || before === null || before === 0 ? "–" : `${Math.round(((now - before) / Math.abs(before)) * 100)}%`

/** Draws an overview in 80 columns. Values of thirty days are the widest. */
export const drawnOverview = (overview: Overview): string => {
  const { current, days, period, previous } = overview
  const [first, last] = [days[0]?.date ?? "", days.at(-1)?.date ?? ""]
  const rows = table(
    [...lines, ...revenueLines(overview)],
    [
      { heading: "", of: ({ name }) => name },
      { heading: "NOW", of: ({ currency, of }) => shownValue(of(current), currency), align: "right" },
      { heading: "BEFORE", of: ({ currency, of }) => shownValue(of(previous), currency), align: "right" },
      { heading: "CHANGE", of: ({ of }) => changed(of(current), of(previous)), align: "right" },
      { heading: "DAY BY DAY", of: ({ of }) => sparkline(days.map(of)) }
    ]
  )
  return `${first} to ${last}, ${period.timezone}\n\n${rows}`
}

const encode = Schema.encodeSync(Schema.toCodecJson(Overview))

interface Asked {
  readonly org: Option.Option<string>
  readonly period: PeriodName
  readonly json: boolean
}

const draw = Effect.fn(function* ({ json, org, period }: Asked) {
  yield* inTenant(org, ({ analytics }) =>
    Effect.flatMap(analytics.overview({ query: { period } }), (overview) =>
      json ? printJson(encode(overview)) : Console.log(drawnOverview(overview))
    )
  )
})

const flags = {
  org: Flags.org,
  period: Flag.Literals("period", PeriodName.literals).pipe(
    Flag.withDescription("Today and the 6 days before (7d), or the 29 days before (30d)"),
    Flag.withDefault("7d")
  ),
  json: Flags.json
}

/** Creates a command with this name that draws a period next to the previous one. */
export const overviewAs = <const Name extends string>(name: Name) => Command.make(name, flags, draw)

export const overviewCommand = overviewAs("overview").pipe(
  Command.withDescription("Show the figures of a period by day, compared with the previous period"),
  Command.withExamples([{ command: "parley analytics overview --org acme --period 30d" }])
)

const barWidth = 50

/** Draws the current workload in 80 columns. */
export const drawnLive = ({ open, pending, snoozed, unassigned, waiting }: LiveWorkload): string => {
  const { count, longestSeconds, steps } = waiting
  const most = steps.reduce((high, step) => Math.max(high, step.count), 0)
  const counts = card([
    ["OPEN", String(open)],
    ["PENDING", String(pending)],
    ["SNOOZED", String(snoozed)],
    ["UNASSIGNED", String(unassigned)],
    ["WAITING", String(count)],
    ["LONGEST", duration(longestSeconds)]
  ])
  const waits = table(steps, [
    {
      heading: "WAITING",
      of: ({ upToSeconds }) => (upToSeconds === null ? "longer" : `up to ${duration(upToSeconds)}`)
    },
    { heading: "COUNT", of: (step) => String(step.count), align: "right" },
    { heading: "", of: (step) => bar(step.count, most, barWidth) }
  ])
  return `${counts}\n\n${waits}`
}

const liveEncode = Schema.encodeSync(Schema.toCodecJson(LiveWorkload))

export const liveCommand = Command.make(
  "live",
  { org: Flags.org, account: accountFlag, json: Flags.json },
  Effect.fn(function* ({ account, json, org }) {
    yield* inTenant(org, ({ analytics }) =>
      Effect.flatMap(analytics.live({ query: accountOf(account) }), (live) =>
        json ? printJson(liveEncode(live)) : Console.log(drawnLive(live))
      )
    )
  })
).pipe(
  Command.withDescription("Show the current workload and the waiting times of contacts"),
  Command.withExamples([{ command: "parley analytics live --org acme" }])
)

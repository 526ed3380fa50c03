import { type Figures, LiveWorkload, Overview, PeriodName } from "@parley/domain"
import { Console, Effect, type Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { card, printJson, table } from "../../console/print.ts"
import { typedFlag } from "../../console/typed.ts"
import { inTenant } from "../../tenant/inTenant.ts"
import { bar, duration, sparkline } from "./drawing.ts"
import { accountFlag, accountOf } from "./range.ts"

interface Line {
  readonly name: string
  readonly of: (figures: Figures) => number | null
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

const shownValue = (value: number | null) => (value === null ? "–" : String(value))

const changed = (now: number | null, before: number | null) =>
  now === null || before === null || before === 0 ? "–" : `${Math.round(((now - before) / Math.abs(before)) * 100)}%`

/** At most 80 columns. Values of thirty days are the widest. */
const drawn = ({ current, days, period, previous }: Overview) => {
  const [first, last] = [days[0]?.date ?? "", days.at(-1)?.date ?? ""]
  const rows = table(lines, [
    { heading: "", of: ({ name }) => name },
    { heading: "NOW", of: ({ of }) => shownValue(of(current)), align: "right" },
    { heading: "BEFORE", of: ({ of }) => shownValue(of(previous)), align: "right" },
    { heading: "CHANGE", of: ({ of }) => changed(of(current), of(previous)), align: "right" },
    { heading: "DAY BY DAY", of: ({ of }) => sparkline(days.map(of)) }
  ])
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
      json ? printJson(encode(overview)) : Console.log(drawn(overview))
    )
  )
})

const flags = {
  org: Flags.org,
  period: typedFlag("period", PeriodName).pipe(
    Flag.withDescription("Today so far and the 6 days before it (7d), or the 29 (30d)"),
    Flag.withDefault("7d")
  ),
  json: Flags.json
}

/** Creates a command with this name that draws a period next to the previous one. */
export const overviewAs = <const Name extends string>(name: Name) => Command.make(name, flags, draw)

export const overviewCommand = overviewAs("overview").pipe(
  Command.withDescription("Draw what happened, beside the period before and day by day"),
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
  Command.withDescription("Draw what there is to do now, and for how long contacts have waited"),
  Command.withExamples([{ command: "parley analytics live --org acme" }])
)

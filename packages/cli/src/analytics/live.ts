import { Live } from "@parley/domain"
import { Console, Effect, Schema } from "effect"
import { Command } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { printJson } from "../console/print.ts"
import { card, table } from "../console/Table.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { bar } from "./bar.ts"
import { accountFlag, accountOf } from "./range.ts"
import { duration } from "./shown.ts"

const barWidth = 50

/** Draws what there is to do in eighty columns. */
export const drawnLive = ({ open, pending, snoozed, unassigned, waiting }: Live): string => {
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

const encode = Schema.encodeSync(Schema.toCodecJson(Live))

/** Draws what there is to do now. */
export const liveCommand = Command.make(
  "live",
  { org: Flags.org, account: accountFlag, json: Flags.json },
  Effect.fn(function* ({ account, json, org }) {
    yield* inTenant(org, ({ analytics }) =>
      Effect.flatMap(analytics.live({ query: accountOf(account) }), (live) =>
        json ? printJson(encode(live)) : Console.log(drawnLive(live))
      )
    )
  })
).pipe(
  Command.withDescription("Draw what there is to do now, and for how long contacts have waited"),
  Command.withExamples([{ command: "parley analytics live --org acme" }])
)

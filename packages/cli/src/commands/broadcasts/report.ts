import { type Broadcast, type BroadcastId, BroadcastReport, hasEnded } from "@parley/domain/campaigns"
import { Clock, Console, DateTime, Duration, Effect, Schema } from "effect"
import { Command } from "effect/cli"
import { Refused } from "../../console/Failure.ts"
import * as Flags from "../../console/flags.ts"
import { card, printJson, printOne, table } from "../../console/print.ts"
import { barOf, clockOf, showing } from "../../console/progress.ts"
import { amountText, fineAmountText } from "../../console/text.ts"
import type { Tenant } from "../../tenant/Tenant.ts"
import { inTenant } from "../../tenant/inTenant.ts"
import { broadcast, countsBy, reasonOf, takenOf, view } from "./broadcast.ts"

type Part = Pick<BroadcastReport, "attributed" | "attributedOrders" | "excluded" | "failures" | "funnel" | "taps">

const linesOf = (part: Part): ReadonlyArray<readonly [name: string, value: string]> => {
  const { attributed, attributedOrders, excluded, failures, funnel, taps } = part
  return [
    ["MATCHED", String(funnel.matched)],
    ["EXCLUDED", String(funnel.excluded)],
    ...countsBy("EXCLUDED", excluded),
    ["HELD OUT", String(funnel.heldOut)],
    ["ATTEMPTED", String(funnel.attempted)],
    ["ACCEPTED", String(funnel.accepted)],
    ["DELIVERED", String(funnel.delivered)],
    ["READ", String(funnel.read)],
    ["REPLIED", String(funnel.replied)],
    ...countsBy("TAPPED", taps),
    ["OPTED OUT", String(funnel.optedOut)],
    ["FAILED", String(funnel.failed)],
    ...countsBy("FAILED", failures),
    ["IN DOUBT", String(funnel.inDoubt)],
    ["NEVER SENT", String(funnel.neverSent)],
    ["ATTRIBUTED ORDERS", String(attributedOrders)],
    ...attributed.map((amount) => [`ATTRIBUTED ${amount.currency}`, amountText(amount)] as const)
  ]
}

/** Builds one column for all recipients, and one for each variant. Values that only some variants have are still lines of all of them. */
const tableOf = (report: BroadcastReport, variants: NonNullable<BroadcastReport["variants"]>) => {
  const parts = variants.map((part) => ({ key: part.key, values: new Map(linesOf(part)) }))
  return table(linesOf(report), [
    { heading: "", of: ([name]) => name },
    { heading: "ALL", of: ([, value]) => value, align: "right" },
    ...parts.map(({ key, values }) => ({
      heading: key.toUpperCase(),
      of: ([name]: readonly [name: string, value: string]) => values.get(name) ?? "0",
      align: "right" as const
    }))
  ])
}

/** Returns the costs of the delivered messages. The number of messages without a rate appears only if there are any. */
const costLines = ({ costs }: BroadcastReport): ReadonlyArray<readonly [name: string, value: string]> => [
  ["COST", fineAmountText(costs)],
  ...(costs.withoutRate === 0 ? [] : [["WITHOUT RATE", String(costs.withoutRate)] as const])
]

const shown = (report: BroadcastReport) => {
  const asOf = ["AS OF", DateTime.formatIso(report.asOf)] as const
  return report.variants === null
    ? card([asOf, ...linesOf(report), ...costLines(report)])
    : [card([asOf, ...costLines(report)]), tableOf(report, report.variants)].join("\n\n")
}

const encode = Schema.encodeSync(BroadcastReport)

export const reportCommand = Command.make(
  "report",
  { org: Flags.org, broadcast, json: Flags.json },
  Effect.fn(function* ({ broadcast, json, org }) {
    yield* inTenant(org, ({ broadcasts }) =>
      Effect.flatMap(broadcasts.report({ params: { id: broadcast } }), (report) =>
        json ? printJson(encode(report)) : Console.log(shown(report))
      )
    )
  })
).pipe(
  Command.withDescription(
    "Report the results of a broadcast and of each variant: messages, reads, replies, orders, and reasons for exclusion"
  )
)

/** Progress of a broadcast at a time. */
export interface Look {
  readonly broadcast: Broadcast
  readonly millis: number
}

const triedOf = ({ stats }: Broadcast) => takenOf(stats) + stats.failed + stats.inDoubt

/** Duration of the pace measurement, in milliseconds. */
const lookedBack = 10_000

/** Adds a progress, and returns those for the pace: the newest one, and the recent ones with the same status. */
export const withLook = (looks: ReadonlyArray<Look>, look: Look): ReadonlyArray<Look> => [
  ...looks.filter(
    ({ broadcast, millis }) => millis >= look.millis - lookedBack && broadcast.status === look.broadcast.status
  ),
  look
]

const rateOf = (looks: ReadonlyArray<Look>): number => {
  const [first] = looks
  const last = looks.at(-1)
  if (first === undefined || last === undefined || first.millis === last.millis) return 0
  return ((triedOf(last.broadcast) - triedOf(first.broadcast)) * 1_000) / (last.millis - first.millis)
}

/** Returns one line with the progress of a broadcast, its pace and its remaining time. */
export const broadcastLine = (broadcast: Broadcast, looks: ReadonlyArray<Look>): string => {
  const { stats, status } = broadcast
  const tried = triedOf(broadcast)
  const total = stats.matched - stats.excluded - stats.heldOut
  const share = total === 0 ? 0 : tried / total
  const rate = hasEnded(status) ? 0 : rateOf(looks)
  const reason = reasonOf(broadcast)
  return [
    `${barOf(share)} ${String(Math.floor(share * 100)).padStart(3)} %  ${status}${reason === "" ? "" : ` (${reason})`}`,
    `${takenOf(stats)} sent`,
    `${stats.delivered + stats.read} delivered`,
    `${stats.read} read`,
    `${stats.failed} failed`,
    `${stats.inDoubt} in doubt`,
    ...(rate === 0 ? [] : [`${rate.toFixed(1)}/s`, `${clockOf(((total - tried) * 1_000) / rate)} left`])
  ].join(", ")
}

const lookEvery = Duration.seconds(1)

const watch = ({ broadcasts, name }: Tenant, id: BroadcastId) => {
  let looks: ReadonlyArray<Look> = []
  const read = Effect.gen(function* () {
    const found = yield* broadcasts.get({ params: { id } })
    if (found.status === "draft") {
      return yield* new Refused({
        message: `The broadcast is a draft. To send it: parley broadcasts send ${id} --org ${name}`
      })
    }
    looks = withLook(looks, { broadcast: found, millis: yield* Clock.currentTimeMillis })
    return { broadcast: found, line: broadcastLine(found, looks), isOver: hasEnded(found.status) }
  })
  return showing(read, ({ line }) => line, lookEvery)
}

export const watchCommand = Command.make(
  "watch",
  { org: Flags.org, broadcast, json: Flags.json },
  Effect.fn(function* ({ broadcast, json, org }) {
    yield* inTenant(org, (tenant) =>
      Effect.flatMap(watch(tenant, broadcast), (ended) => printOne(view, { json }, ended.broadcast))
    )
  })
).pipe(Command.withDescription("Show the progress of a broadcast until it ends"))

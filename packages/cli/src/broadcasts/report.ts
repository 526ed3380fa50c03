import { BroadcastReport } from "@parley/domain"
import { Console, DateTime, Effect, Schema } from "effect"
import { Command } from "effect/cli"
import { amountText } from "../console/amountText.ts"
import * as Flags from "../console/flags.ts"
import { printJson } from "../console/print.ts"
import { card, table } from "../console/Table.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { broadcast } from "./broadcast.ts"
import { countsBy } from "./countsBy.ts"

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

/** One column for all, and one for each variant. What holds of some variants only is a line of all of them. */
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

const shown = (report: BroadcastReport) => {
  const asOf = ["AS OF", DateTime.formatIso(report.asOf)] as const
  return report.variants === null
    ? card([asOf, ...linesOf(report)])
    : [card([asOf]), tableOf(report, report.variants)].join("\n\n")
}

const encode = Schema.encodeSync(BroadcastReport)

/** Reports what has come of a broadcast. */
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

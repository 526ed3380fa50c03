import { Currency } from "@parley/domain/kernel"
import { CostDimension, Costs } from "@parley/domain/analytics"
import { Console, Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { printJson, table } from "../../console/print.ts"
import { fineAmountText, harmless } from "../../console/text.ts"
import { typedFlag } from "../../console/typed.ts"
import { inTenant } from "../../tenant/inTenant.ts"
import { accountFlag, accountOf, headline, rangeFlags, rangeOf } from "./range.ts"

/** Draws costs as a table with the total at the end, and a remark about messages without a rate. */
export const costsTable = (costs: Costs): string => {
  const { by, rows, total } = costs
  const lines = [...rows.map((row) => ({ ...row, key: row.name ?? row.key ?? "unknown" })), { key: "total", ...total }]
  const drawn = table(lines, [
    { heading: by.replace("_", " ").toUpperCase(), of: ({ key }) => harmless(key) },
    { heading: "MESSAGES", of: ({ messages }) => String(messages), align: "right" },
    { heading: "FREE", of: ({ free }) => String(free), align: "right" },
    { heading: "NO RATE", of: ({ withoutRate }) => String(withoutRate), align: "right" },
    { heading: "COST", of: fineAmountText, align: "right" }
  ])
  const remark =
    total.withoutRate === 0
      ? []
      : ["", `No rate card in ${total.currency} has a rate for ${total.withoutRate} of them.`]
  return [headline(costs), "", drawn, ...remark].join("\n")
}

const encode = Schema.encodeSync(Schema.toCodecJson(Costs))

export const costsCommand = Command.make(
  "costs",
  {
    org: Flags.org,
    by: Flag.Literals("by", CostDimension.literals).pipe(
      Flag.withDescription("Rows: day, week, month, category, country or chat_account"),
      Flag.withDefault("category")
    ),
    currency: typedFlag("currency", Currency).pipe(
      Flag.withDescription("Currency of the rates. Default: the organization's own"),
      Flag.optional
    ),
    ...rangeFlags,
    account: accountFlag,
    json: Flags.json
  },
  Effect.fn(function* ({ account, by, currency, json, org, ...input }) {
    const query = {
      by,
      ...(Option.isSome(currency) && { currency: currency.value }),
      ...rangeOf(input),
      ...accountOf(account)
    }
    yield* inTenant(org, ({ analytics }) =>
      Effect.flatMap(analytics.costs({ query }), (costs) =>
        json ? printJson(encode(costs)) : Console.log(costsTable(costs))
      )
    )
  })
).pipe(
  Command.withDescription("Show the costs of delivered messages by day, category, country or chat account"),
  Command.withExamples([{ command: "parley analytics costs --org acme --by country --period 30d" }])
)

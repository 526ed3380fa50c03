import { Schema } from "effect"
import { LocalDate, Timestamp } from "../kernel/index.ts"
import { costFields, MessageCost } from "../messaging/inbox/index.ts"
import { Timezone } from "../platform/identity/index.ts"

/** Dimension of the rows of costs. */
export const CostDimension = Schema.Literals(["day", "week", "month", "category", "country", "chat_account"])
export type CostDimension = typeof CostDimension.Type

/** Costs of delivered messages in a range of days. */
export const Costs = Schema.Struct({
  timezone: Timezone,
  from: LocalDate,
  to: LocalDate,
  asOf: Timestamp,
  by: CostDimension,
  total: MessageCost,
  rows: Schema.Array(
    Schema.Struct({
      key: Schema.NullOr(Schema.String).annotateKey({
        description:
          "First day in the range, the provider's category, an ISO 3166 country code, or the id of a chat account; null if unknown."
      }),
      name: Schema.NullOr(Schema.String).annotateKey({
        description: "Name of the chat account, also of a removed one; null for other dimensions."
      }),
      ...costFields
    }).annotate({ identifier: "AnalyticsCostRow" })
  ).annotateKey({
    description: "Days, weeks and months in their order, with and without messages; otherwise highest amount first."
  })
}).annotate({ identifier: "AnalyticsCosts" })
export type Costs = typeof Costs.Type

import { Schema } from "effect"
import { Currency } from "../kernel/index.ts"
import { FineAmount } from "../messaging/chat/index.ts"

/** Expected costs of a broadcast. Without a rate for a part of the messages, their costs are unknown and not guessed. */
export const CostEstimate = Schema.Struct({
  state: Schema.Literals(["complete", "partial", "no_rate_card"]).annotateKey({
    description: "`partial`: rates exist for a part of the messages. `no_rate_card`: no message has a rate."
  }),
  currency: Currency,
  amount: Schema.NullOr(FineAmount).annotateKey({
    description:
      "Costs in 1/10,000 of the smallest unit if each message is delivered and has a price, without the messages in `withoutRate`; null for `no_rate_card`."
  }),
  messages: Schema.NullOr(Schema.Int).annotateKey({
    description: "Recipients with a message; null if no rates exist in the currency."
  }),
  withoutRate: Schema.NullOr(Schema.Int).annotateKey({ description: "Messages without a rate; null like `messages`." })
}).annotate({ identifier: "CostEstimate" })
export type CostEstimate = typeof CostEstimate.Type

import { Schema } from "effect"
import { Timestamp } from "../../kernel/index.ts"
import { EventPattern } from "./WebhookSubscription.ts"

/** From where and until when to deliver once more. */
export const ReplayRequest = Schema.Struct({
  since: Schema.optionalKey(Timestamp).annotateKey({
    description: "What happened at this time or later, up to 30 days back. Either this or `after`."
  }),
  after: Schema.optionalKey(
    Schema.Number.check(
      Schema.isInt({ message: "Expected a whole number" }),
      Schema.isBetween({ minimum: 0, maximum: 9_007_199_254_740_991 }, { message: "Expected a position" })
    )
  ).annotateKey({ description: "What comes after this position of the feed, such as `disabledAtPosition`." }),
  until: Schema.optionalKey(Timestamp).annotateKey({ description: "What happened before this time; now if not said." }),
  only: Schema.optionalKey(Schema.Literals(["undelivered", "all"])).annotateKey({
    description: "`undelivered` if it is not said: what was never delivered, failed or was discarded."
  }),
  types: Schema.optionalKey(
    Schema.Array(EventPattern).check(Schema.isBetweenLength(1, 100, { message: "Expected 1 to 100 types" }))
  ).annotateKey({ description: "Only events of these types, of those that the subscription is for." })
}).annotate({ identifier: "ReplayRequest" })
export type ReplayRequest = typeof ReplayRequest.Type

import { Schema } from "effect"
import { describeDependents, Dependent } from "../../kernel/index.ts"

/** Something calls the subscription, and would come to nothing without it. */
export class WebhookSubscriptionInUse extends Schema.TaggedError<WebhookSubscriptionInUse>()(
  "WebhookSubscriptionInUse",
  { usedBy: Schema.Array(Dependent) }
) {
  override get message() {
    return `The subscription is called by: ${describeDependents(this.usedBy)}. Change them first.`
  }
}

/** Nothing is delivered to the subscription. */
export class WebhookSubscriptionDisabled extends Schema.TaggedError<WebhookSubscriptionDisabled>()(
  "WebhookSubscriptionDisabled",
  {}
) {
  override get message() {
    return "The subscription is disabled. Enable it first."
  }
}

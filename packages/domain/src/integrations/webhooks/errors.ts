import { Schema } from "effect"
import { describeDependents, Dependent } from "../../kernel/index.ts"

/** An automation or a workflow calls the subscription, and would fail without it. */
export class WebhookSubscriptionInUse extends Schema.TaggedError<WebhookSubscriptionInUse>()(
  "WebhookSubscriptionInUse",
  { usedBy: Schema.Array(Dependent) }
) {
  override get message() {
    return `The subscription is called by: ${describeDependents(this.usedBy)}. Change them first.`
  }
}

export class WebhookSubscriptionDisabled extends Schema.TaggedError<WebhookSubscriptionDisabled>()(
  "WebhookSubscriptionDisabled",
  {}
) {
  override get message() {
    return "The subscription is disabled. Enable it first."
  }
}

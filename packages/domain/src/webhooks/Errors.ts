import { Schema } from "effect"

/** Something calls the subscription, and would come to nothing without it. */
export class WebhookSubscriptionInUse extends Schema.TaggedError<WebhookSubscriptionInUse>()(
  "WebhookSubscriptionInUse",
  { usedBy: Schema.Array(Schema.Struct({ kind: Schema.String, id: Schema.String })) }
) {
  override get message() {
    const users = this.usedBy.map(({ id, kind }) => `${kind} ${id}`).join(", ")
    return `The subscription is called by: ${users}. Change them first.`
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

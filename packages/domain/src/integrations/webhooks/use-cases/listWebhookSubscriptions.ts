import { Effect } from "effect"
import { paged, type PageRequest, useCase } from "../../../kernel/index.ts"
import { WebhookSubscriptions } from "../WebhookSubscriptions.ts"

/** Reads the webhook subscriptions, newest first. */
export const listWebhookSubscriptions = useCase(
  "webhookSubscriptions.list",
  { access: { permission: "webhook_subscriptions.read" } },
  Effect.fnUntraced(function* (page: PageRequest) {
    const subscriptions = yield* WebhookSubscriptions
    return yield* paged(
      "webhook_subscriptions",
      page,
      (slice) => subscriptions.list(slice),
      ({ id }) => [id]
    )
  })
)

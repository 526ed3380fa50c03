import { Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { transact, useCase } from "../../../kernel/index.ts"
import type { WebhookSubscriptionId } from "../Ids.ts"
import { resealed } from "../secrets.ts"
import type { WebhookSubscription } from "../WebhookSubscription.ts"
import { WebhookSubscriptions } from "../WebhookSubscriptions.ts"

const reseal = Effect.fnUntraced(
  function* (id: WebhookSubscriptionId) {
    const subscriptions = yield* WebhookSubscriptions
    yield* subscriptions.keep(id, { secrets: yield* resealed(yield* subscriptions.lock(id)) })
    yield* record("webhook_subscription.resealed", { kind: "webhook_subscription", id })
    return 1
  },
  transact,
  // Somebody has deleted it meanwhile.
  Effect.catchTag("NotFound", () => Effect.succeed(0))
)

const pageSize = 100

/** Seals what the organization's deliveries are signed with by the newest master key; says how many subscriptions that were. */
export const resealWebhookSecrets = useCase(
  "webhookSubscriptions.reseal",
  { access: "operator" },
  Effect.fnUntraced(function* () {
    const subscriptions = yield* WebhookSubscriptions
    let sealed = 0
    let after: ReadonlyArray<string> | null = null
    for (;;) {
      const page: ReadonlyArray<WebhookSubscription> = yield* subscriptions.list({ limit: pageSize, after })
      for (const { id } of page) sealed += yield* reseal(id)
      const last = page.at(-1)
      if (last === undefined || page.length < pageSize) return sealed
      after = [last.id]
    }
  })
)

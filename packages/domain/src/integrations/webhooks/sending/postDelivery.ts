import { DateTime, Effect, Redacted } from "effect"
import type { LoggedEvent } from "../../../platform/events/index.ts"
import { openHeaders, openLiveSecrets } from "../secrets.ts"
import type { AttemptTrigger } from "../WebhookDelivery.ts"
import type { KeptDelivery } from "../WebhookDeliveries.ts"
import { type WebhookOutcome, WebhookSender } from "../WebhookSender.ts"
import type { KeptSubscription } from "../WebhookSubscriptions.ts"
import type { WebhookCall } from "../calls/WebhookCall.ts"
import { composeCall, composeEvent } from "./compose.ts"

/** An attempt that was made. */
export interface Posted {
  readonly kept: KeptDelivery
  readonly trigger: AttemptTrigger
  readonly at: DateTime.Utc
  readonly endedAt: DateTime.Utc
  readonly outcome: WebhookOutcome
}

/** What every request to a subscription has: the secrets that sign, and the headers it is sent besides. */
export const addressed = Effect.fnUntraced(function* ({ secrets, subscription }: KeptSubscription) {
  const headers = yield* openHeaders(subscription, secrets)
  return {
    url: subscription.url,
    secrets: yield* openLiveSecrets(subscription.id, secrets),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Redacted.make(value)]))
  }
})

/** Makes one attempt: the body is made of what is there now. */
export const postDelivery = Effect.fnUntraced(function* (
  to: KeptSubscription,
  kept: KeptDelivery,
  told: LoggedEvent | WebhookCall,
  trigger: AttemptTrigger
) {
  const { delivery } = kept
  const body =
    "event" in told
      ? yield* composeEvent(to.subscription, delivery.id, told)
      : yield* composeCall(to.subscription, kept, told)
  const target = yield* addressed(to)
  const at = yield* DateTime.now
  const outcome = yield* (yield* WebhookSender).post({
    ...target,
    id: delivery.id,
    at,
    attempt: delivery.attempts + 1,
    body
  })
  return { kept, trigger, at, endedAt: yield* DateTime.now, outcome } satisfies Posted
})

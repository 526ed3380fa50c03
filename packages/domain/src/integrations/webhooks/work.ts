import { DateTime, Duration, Effect } from "effect"
import { sweepTenants } from "../../platform/background/index.ts"
import { webhookLanes } from "./sending/webhookLanes.ts"
import { WebhookDeliveries } from "./WebhookDeliveries.ts"

/** For how long it is kept what was delivered. */
export const deliveriesKept = Duration.days(30)

const sweepAtOnce = 1_000

const sweepDeliveries = Effect.gen(function* () {
  const deliveries = yield* WebhookDeliveries
  const before = DateTime.subtractDuration(yield* DateTime.now, deliveriesKept)
  while ((yield* deliveries.sweep(before, sweepAtOnce)) === sweepAtOnce) yield* Effect.yieldNow
})

/** Events are posted to those who subscribed, and what was delivered is forgotten after thirty days. */
export const webhooksWorks = [webhookLanes, sweepTenants("webhook deliveries", sweepDeliveries)] as const

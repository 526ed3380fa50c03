import { DateTime, Effect } from "effect"
import type { WebhookDeliveryId } from "../Ids.ts"
import type { AttemptTrigger } from "../WebhookDelivery.ts"
import { type KeptDelivery, WebhookDeliveries } from "../WebhookDeliveries.ts"
import type { KeptSubscription } from "../WebhookSubscriptions.ts"

/** A delivery that is to be posted now, and why. */
export interface Chosen {
  readonly kept: KeptDelivery
  readonly trigger: AttemptTrigger
}

/** How many are read at once. */
const batch = 50

/**
 * What is to be posted next: what a person asked for comes first; then what is due, the lowest position first. While the circuit is
 * open, one delivery at a time is tried when its time has come.
 */
export const chooseDeliveries = Effect.fnUntraced(function* (
  { health, subscription }: KeptSubscription,
  onTheirWay: ReadonlyArray<WebhookDeliveryId>
) {
  const deliveries = yield* WebhookDeliveries
  const { id, ordering, status } = subscription
  const wanted = yield* deliveries.wanted(id, batch)
  const asked = wanted
    .filter(({ delivery }) => !onTheirWay.includes(delivery.id))
    .map((kept): Chosen => ({ kept, trigger: "redeliver" }))
  if (asked.length > 0 || status === "disabled") return asked
  const now = yield* DateTime.now
  const search = { ordering, now, except: onTheirWay }
  if (health.circuit === "closed") {
    const due = yield* deliveries.due(id, { ...search, limit: batch })
    return due.map((kept): Chosen => ({ kept, trigger: "scheduled" }))
  }
  const mayProbe = onTheirWay.length === 0 && (health.probeAt === null || !DateTime.isLessThan(now, health.probeAt))
  if (!mayProbe) return []
  const [first] = yield* deliveries.due(id, { ...search, limit: 1 })
  return first === undefined ? [] : [{ kept: first, trigger: "probe" } satisfies Chosen]
})

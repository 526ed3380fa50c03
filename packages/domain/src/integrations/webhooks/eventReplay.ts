import { DateTime, Effect, Schema } from "effect"
import { requirePermissions, Timestamp } from "../../kernel/index.ts"
import { EventLog } from "../../platform/events/index.ts"
import { defineJob } from "../../platform/jobs/index.ts"
import { WebhookDeliveries } from "./WebhookDeliveries.ts"
import { EventPattern, WebhookSubscriptionId } from "./WebhookSubscription.ts"
import { WebhookSubscriptions } from "./WebhookSubscriptions.ts"
import { buildDeliveries, makeEventMatcher } from "./eventMatching.ts"
import { scheduleSubscriptionLane } from "./subscriptionLanes.ts"

/** Start and end of a replay. */
export const ReplayRequest = Schema.Struct({
  since: Schema.optionalKey(Timestamp).annotateKey({
    description: "Events at this time or later, up to 30 days back. Use either this or `after`."
  }),
  after: Schema.optionalKey(
    Schema.Number.check(
      Schema.isInt({ message: "Expected a whole number" }),
      Schema.isBetween({ minimum: 0, maximum: 9_007_199_254_740_991 }, { message: "Expected a position" })
    )
  ).annotateKey({ description: "Events after this position of the feed, for example `disabledAtPosition`." }),
  until: Schema.optionalKey(Timestamp).annotateKey({ description: "Events before this time. Default: now." }),
  only: Schema.optionalKey(Schema.Literals(["undelivered", "all"])).annotateKey({
    description: "Default: `undelivered`, for events that were never delivered, failed or were discarded."
  }),
  types: Schema.optionalKey(
    Schema.Array(EventPattern).check(Schema.isBetweenLength(1, 100, { message: "Expected 1 to 100 types" }))
  ).annotateKey({ description: "Only these event types of the subscription." })
}).annotate({ identifier: "ReplayRequest" })
export type ReplayRequest = typeof ReplayRequest.Type

/** Number of events in a step. */
const batchSize = 500

/** Delivers events again, or delivers missed events for the first time. */
export const replayJob = defineJob({
  name: "webhook_subscriptions.replay",
  needs: ["webhook_subscriptions.manage"],
  input: Schema.Struct({
    webhookSubscriptionId: WebhookSubscriptionId,
    after: Schema.Int,
    since: Timestamp,
    until: Schema.NullOr(Timestamp),
    /** Later events are not replayed. */
    upTo: Schema.Int,
    only: Schema.Literals(["undelivered", "all"]),
    types: Schema.NullOr(Schema.Array(Schema.String))
  }),
  checkpoint: Schema.Struct({ after: Schema.Int, seen: Schema.Int, replayed: Schema.Int }),
  step: Effect.fnUntraced(function* (
    { after: first, only, since, types, until, upTo, webhookSubscriptionId },
    checkpoint
  ) {
    const { after, replayed, seen } = checkpoint ?? { after: first, seen: 0, replayed: 0 }
    const over = (
      next: { readonly after: number; readonly seen: number; readonly replayed: number },
      done: boolean
    ) => ({
      checkpoint: next,
      done,
      progress: { done: next.seen, total: null },
      counts: { replayed: next.replayed }
    })
    const kept = yield* (yield* WebhookSubscriptions).find(webhookSubscriptionId)
    if (kept === null || kept.subscription.status === "disabled") return over({ after, seen, replayed }, true)
    yield* requirePermissions(kept.subscription.permissions)
    const matcher = yield* makeEventMatcher(kept.subscription)
    const wanted = Array.from(matcher.types).filter((type) => types === null || types.includes(type))
    const events = yield* (yield* EventLog).list(wanted, { after: [String(after)], limit: batchSize })
    const meant = events.filter(
      (logged) =>
        logged.position <= upTo &&
        matcher.isFor(logged) &&
        !DateTime.isLessThan(logged.at, since) &&
        (until === null || DateTime.isLessThan(logged.at, until))
    )
    const made = yield* (yield* WebhookDeliveries).remake(yield* buildDeliveries(kept.subscription, meant), only)
    if (made > 0) yield* scheduleSubscriptionLane(webhookSubscriptionId, "bulk")
    const next = {
      after: events.at(-1)?.position ?? after,
      seen: seen + events.length,
      replayed: replayed + made
    }
    return over(next, events.length < batchSize || next.after >= upTo)
  })
})

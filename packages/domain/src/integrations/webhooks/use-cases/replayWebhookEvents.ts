import { DateTime, Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { EventLog, positionBefore, EventTypes } from "../../../platform/events/index.ts"
import { startJob } from "../../../platform/jobs/index.ts"
import { type Fault, invalid, requireReach, transact, useCase, ValidationFailed } from "../../../kernel/index.ts"
import { WebhookSubscriptionDisabled } from "../Errors.ts"
import { typesMeantBy } from "../eventPatterns.ts"
import type { WebhookSubscriptionId } from "../Ids.ts"
import { replayJob } from "../replayJob.ts"
import type { ReplayRequest } from "../ReplayRequest.ts"
import { WebhookSubscriptions } from "../WebhookSubscriptions.ts"
import { deliveriesKept } from "../work.ts"

/** Has what happened delivered once more, or for the first time where it was missed: as a job. */
export const replayWebhookEvents = useCase(
  "webhookSubscriptions.replay",
  { access: { permission: "webhook_subscriptions.manage" }, actsThrough: "webhook_subscription" },
  Effect.fnUntraced(function* (id: WebhookSubscriptionId, request: ReplayRequest) {
    const subscription = yield* (yield* WebhookSubscriptions).get(id)
    const { after, only = "undelivered", since, types = null, until } = request
    if ((after === undefined) === (since === undefined)) return yield* invalid("", "Expected one of: since, after")
    const now = yield* DateTime.now
    const earliest = DateTime.subtractDuration(now, deliveriesKept)
    const known = (yield* EventTypes).keys().toArray()
    const errors: ReadonlyArray<Fault> = [
      ...(since !== undefined && DateTime.isLessThan(since, earliest)
        ? [{ pointer: "/since", message: "Expected a time of the last 30 days" }]
        : []),
      ...(since !== undefined && until !== undefined && !DateTime.isLessThan(since, until)
        ? [{ pointer: "/until", message: "Expected a time after since" }]
        : []),
      ...(types ?? []).flatMap((pattern, index) =>
        typesMeantBy(known, [pattern]).length > 0
          ? []
          : [{ pointer: `/types/${index}`, message: "There is no event of this type" }]
      )
    ]
    if (errors.length > 0) return yield* new ValidationFailed({ errors })
    yield* requireReach(subscription.permissions)
    if (subscription.status === "disabled") return yield* new WebhookSubscriptionDisabled()
    const job = yield* startJob(replayJob, {
      webhookSubscriptionId: id,
      after: after ?? (since === undefined ? 0 : yield* positionBefore(since)),
      since: since ?? earliest,
      until: until ?? null,
      upTo: yield* (yield* EventLog).head(),
      only,
      types: types === null ? null : typesMeantBy(known, types)
    })
    yield* record(
      "webhook_subscription.replayed",
      { kind: "webhook_subscription", id },
      { after: { jobId: job.id, only } }
    )
    return job
  }, transact)
)

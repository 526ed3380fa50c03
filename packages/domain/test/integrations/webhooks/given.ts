import { nextId, Outbox, transact, Uuid } from "@parley/domain/kernel"
import { consumeLog, type Organization, EventConsumers, runDueLanes } from "@parley/domain/platform"
import { type NewWebhookSubscription, webhookLaneWorker, type WebhookRequest } from "@parley/domain/integrations"
import { layerEventResources, layerEventConsumers } from "@parley/domain/composition"
import { asOperatorOf, givenSubscription, ReceiverScript } from "@parley/testkit"
import { Effect } from "effect"

/** Runs all event consumers over the organization's log. */
export const settleReactions = (organization: Organization) =>
  Effect.gen(function* () {
    for (const consumer of (yield* EventConsumers).values()) {
      yield* Effect.repeat(consumeLog(consumer), { while: (again) => again !== null })
    }
  }).pipe(asOperatorOf(organization), Effect.provide(layerEventConsumers))

/** Posts due deliveries. */
export const send = Effect.provide(runDueLanes(webhookLaneWorker), layerEventResources)

/** Creates deliveries of logged events, and sends due ones. */
export const deliver = (organization: Organization) => Effect.andThen(settleReactions(organization), send)

/** Logs that a tag was created, and no more. */
export const tell = (organization: Organization, ...tagIds: ReadonlyArray<string>) =>
  Effect.forEach(
    tagIds,
    (tagId) =>
      Effect.flatMap(Outbox, (outbox) => transact(outbox.append({ type: "tag.created", tagId }))).pipe(
        asOperatorOf(organization)
      ),
    { discard: true }
  )

/** A subscription to tag events with a unique URL. */
export const subscribed = Effect.fnUntraced(function* (
  organization: Organization,
  overrides: Partial<NewWebhookSubscription> = {}
) {
  const url = `https://${yield* nextId(Uuid)}.example/hook`
  return yield* givenSubscription(organization, { url, events: ["tag.*"], ...overrides })
})

/** Decoded requests posted to an address. */
export const bodiesAt = (url: string) => Effect.map(ReceiverScript, (script) => script.posted(url).map(bodyOf))

/** Requests to a URL in log order: concurrent requests arrive in any order. */
export const bodiesByPosition = (url: string) =>
  Effect.map(bodiesAt(url), (bodies) =>
    bodies.toSorted((one, other) => Number(one["position"]) - Number(other["position"]))
  )

/** Content of a request. */
export const bodyOf = ({ body }: WebhookRequest): Readonly<Record<string, unknown>> => JSON.parse(body)

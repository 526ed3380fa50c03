import type { Schema } from "effect"
import type { WebhookSubscription } from "./WebhookSubscription.ts"

/** What the trail keeps of a subscription: never the value of a header or a secret. */
export const audited = (subscription: WebhookSubscription): Record<string, Schema.Json> => ({
  name: subscription.name,
  url: subscription.url,
  events: [...subscription.events],
  filter: JSON.stringify(subscription.filter),
  payload: subscription.payload,
  payloadVersion: subscription.payloadVersion,
  ordering: subscription.ordering,
  headers: Object.keys(subscription.headers),
  permissions: [...subscription.permissions]
})

const same = (one: Schema.Json | undefined, other: Schema.Json | undefined) =>
  JSON.stringify(one) === JSON.stringify(other)

/** Which fields differ, and how they were and are. */
export const changesBetween = (one: WebhookSubscription, other: WebhookSubscription) => {
  const [before, after] = [audited(one), audited(other)]
  const fields = Object.keys(after).filter((field) => !same(before[field], after[field]))
  const only = (of: Record<string, Schema.Json>) =>
    Object.fromEntries(fields.map((field): [string, Schema.Json] => [field, of[field] ?? null]))
  return { fields, before: only(before), after: only(after) }
}

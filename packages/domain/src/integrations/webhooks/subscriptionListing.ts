import { Schema } from "effect"
import { normalizeForSearch } from "../../kernel/index.ts"
import type { WebhookSubscription } from "./WebhookSubscription.ts"

/** Sort order of webhook subscriptions; a minus is descending. */
export const WebhookSubscriptionSort = Schema.Literals(["createdAt", "-createdAt", "name", "-name"])
export type WebhookSubscriptionSort = typeof WebhookSubscriptionSort.Type

/** Filter and order of webhook subscriptions; `null` matches any value. */
export interface WebhookSubscriptionQuery {
  /** Part of the name or the URL, without regard to case and accents. */
  readonly q: string | null
  readonly status: WebhookSubscription["status"] | null
  /** Event type that one of the patterns matches. */
  readonly event: string | null
  readonly sort: WebhookSubscriptionSort
}

export const allWebhookSubscriptions: WebhookSubscriptionQuery = {
  q: null,
  status: null,
  event: null,
  sort: "-createdAt"
}

/** Builds the text for searches. A tab separates parts that no match can span. */
export const webhookSubscriptionSearchText = ({ name, url }: Pick<WebhookSubscription, "name" | "url">): string =>
  [name, url].map(normalizeForSearch).join("\t")

/** Returns the cursor key of a subscription in this order. */
export const webhookSubscriptionCursorKey = (
  sort: WebhookSubscriptionSort,
  { id, name }: WebhookSubscription
): ReadonlyArray<string> => (sort === "name" || sort === "-name" ? [normalizeForSearch(name), id] : [id])

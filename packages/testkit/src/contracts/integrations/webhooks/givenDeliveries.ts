import { transact } from "@parley/domain/kernel"
import {
  type DeliveryOutcome,
  type NewDelivery,
  WebhookAttempt,
  WebhookDeliveries,
  WebhookDeliveryId,
  type WebhookSubscriptionId
} from "@parley/domain/integrations"
import { DateTime, Effect } from "effect"
import { freshId } from "../../given.ts"

export const at = (minutes: number) => DateTime.add(DateTime.makeUnsafe("2026-11-20T09:00:00.250Z"), { minutes })

export const newDelivery = (
  subscriptionId: WebhookSubscriptionId,
  overrides: Partial<NewDelivery> = {}
): NewDelivery => ({
  id: freshId(WebhookDeliveryId),
  subscriptionId,
  type: "contact.created",
  position: 1,
  subject: "contactId:1",
  at: at(0),
  ...overrides
})

export const givenDelivery = Effect.fnUntraced(function* (
  subscriptionId: WebhookSubscriptionId,
  overrides: Partial<NewDelivery> = {}
) {
  const delivery = newDelivery(subscriptionId, overrides)
  yield* transact((yield* WebhookDeliveries).make([delivery]))
  return delivery
})

export const outcome = (
  id: WebhookDeliveryId,
  overrides: Partial<DeliveryOutcome> & { readonly number?: number } = {}
) => {
  const { number = 1, ...rest } = overrides
  const state = rest.state ?? "delivered"
  const result: DeliveryOutcome = {
    id,
    attempt: new WebhookAttempt({
      number,
      at: at(number),
      trigger: "scheduled",
      durationMs: 12,
      status: state === "delivered" ? 204 : 500,
      error: state === "delivered" ? null : "status",
      request: { headers: { "webhook-id": id }, bodySha256: "0".repeat(64), bodyBytes: 17 },
      response: { headers: { server: "“ERP” \\ 1" }, body: '{"ok": "é 🎉"}' }
    }),
    state,
    spent: number,
    nextAttemptAt: state === "pending" ? at(number + 5) : null,
    ...rest
  }
  return result
}

export const search = { ordering: "none", now: at(60), except: [], limit: 10 } as const

export const idsOf = (rows: ReadonlyArray<{ readonly delivery: { readonly id: WebhookDeliveryId } }>) =>
  rows.map(({ delivery }) => delivery.id)

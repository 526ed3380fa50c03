export * from "./deliveryRetries.ts"
export * from "./errors.ts"
export { EventFilter, isMeantBy, mostEventConditions, mostEventLevels, typesMeantBy } from "./EventFilter.ts"
export { ReplayRequest } from "./eventReplay.ts"
export { WebhookEvent } from "./events.ts"
export * from "./exampleValues.ts"
export { tellAdmins } from "./failureLetters.ts"
export * from "./heldSubscription.ts"
export * from "./PublishedEventTypes.ts"
export { webhookLanes } from "./sending/deliveryLanes.ts"
export * from "./sending/WebhookPaces.ts"
export { mostBodyBytes, textOf, type WebhookBody } from "./sending/webhookRequests.ts"
export { type AskedOfSubscription, callSubscription } from "./subscriptionLanes.ts"
export * from "./use-cases/deliveries.ts"
export * from "./use-cases/subscriptionLifecycle.ts"
export * from "./use-cases/subscriptions.ts"
export {
  type DeliveryOutcome,
  type DueSearch,
  type KeptDelivery,
  type NewDelivery,
  pageOfDeliveries,
  WebhookDeliveries,
  type WebhookDeliveryFilter
} from "./WebhookDeliveries.ts"
export * from "./WebhookDelivery.ts"
export * from "./WebhookSender.ts"
export * from "./WebhookSubscription.ts"
export {
  type KeptSubscription,
  SubscriptionUses,
  type WebhookSecrets,
  WebhookSubscriptions
} from "./WebhookSubscriptions.ts"
export * from "./webhookUrls.ts"

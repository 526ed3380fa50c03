export * from "./attemptDetails.ts"
export * from "./deliveryRetries.ts"
export * from "./errors.ts"
export { EventFilter, matchesPattern, maxEventConditions, maxEventFilterDepth, matchingTypes } from "./EventFilter.ts"
export { ReplayRequest } from "./eventReplay.ts"
export { WebhookEvent } from "./events.ts"
export * from "./exampleValues.ts"
export { notifyAdmins } from "./failureEmails.ts"
export * from "./managedSubscription.ts"
export { newWebhookSecret } from "./signingSecrets.ts"
export * from "./PublishedEventTypes.ts"
export { detailRetention, webhookLaneWorker } from "./sending/deliveryLanes.ts"
export * from "./sending/WebhookRateLimiter.ts"
export { deliveryOnlyTypes } from "./deliveryOnlyTypes.ts"
export {
  buildRequestTarget,
  maxWebhookBodyBytes,
  encodeWebhookBody,
  type WebhookBody
} from "./sending/webhookRequests.ts"
export { validateHeaderNames } from "./requestHeaders.ts"
export { outboundUrlIssue } from "./subscriptionChecks.ts"
export { type WebhookCallRequest, callSubscription } from "./subscriptionLanes.ts"
export * from "./subscriptionListing.ts"
export * from "./use-cases/deliveries.ts"
export * from "./use-cases/subscriptionLifecycle.ts"
export * from "./use-cases/subscriptions.ts"
export {
  type DeliveryOutcome,
  type DueSearch,
  type StoredWebhookDelivery,
  type NewDelivery,
  pageOfDeliveries,
  WebhookDeliveries,
  type WebhookDeliveryFilter,
  type WebhookDeliveryRequest
} from "./WebhookDeliveries.ts"
export * from "./WebhookDelivery.ts"
export * from "./WebhookSender.ts"
export * from "./WebhookSubscription.ts"
export {
  callPermissions,
  type StoredWebhookSubscription,
  type WebhookSecrets,
  WebhookSubscriptions
} from "./WebhookSubscriptions.ts"

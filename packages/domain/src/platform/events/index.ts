export * from "./errors.ts"
export { followLog } from "./eventDelivery.ts"
export {
  type EventCatalogue,
  EventLog,
  EventTypes,
  type KnownEventType,
  type LoggedEvent,
  positionBefore,
  readingWith,
  typesMeant,
  visibleTypesOf
} from "./EventLog.ts"
export * from "./EventSignals.ts"
export { layerFollowedLogs } from "./FollowedLogs.ts"
export { eventsWorks } from "./module.ts"
export * from "./Subscriber.ts"
export {
  type FailedEvent,
  type IdleCursor,
  KnownSubscriber,
  type LogListener,
  ParkedEvent,
  SubscriberDirectory,
  Subscription,
  Subscriptions
} from "./Subscriptions.ts"
export * from "./use-cases/eventFeed.ts"
export * from "./use-cases/parkedEvents.ts"
export * from "./use-cases/subscribers.ts"

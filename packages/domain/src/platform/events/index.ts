export * from "./errors.ts"
export { consumeLog } from "./eventConsumption.ts"
export {
  type EventCatalogue,
  EventLog,
  EventTypes,
  type EventTypeInfo,
  type LoggedEvent,
  positionBefore,
  makeEventDecoder,
  resolveEventTypes,
  visibleTypesOf
} from "./EventLog.ts"
export * from "./EventListeners.ts"
export { layerEventConsumerRunner } from "./EventConsumerRunner.ts"
export { eventTasks } from "./module.ts"
export * from "./EventConsumer.ts"
export {
  type FailedEvent,
  type IdleCursor,
  KnownEventConsumer,
  type AllLogsListener,
  ParkedEvent,
  EventConsumerDirectory,
  EventCursor,
  EventCursors
} from "./EventCursors.ts"
export * from "./use-cases/eventFeed.ts"
export * from "./use-cases/parkedEvents.ts"
export * from "./use-cases/eventConsumers.ts"

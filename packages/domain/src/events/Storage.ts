import type { EventLog } from "./EventLog.ts"
import type { EventSignals } from "./EventSignals.ts"
import type { SubscriberDirectory, Subscriptions } from "./Subscriptions.ts"

/** What a storage adapter provides of this area. */
export type EventsStorage = EventLog | EventSignals | SubscriberDirectory | Subscriptions

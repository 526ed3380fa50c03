import { EventLog } from "./EventLog.ts"
import { EventSignals } from "./EventSignals.ts"
import { SubscriberDirectory, Subscriptions } from "./Subscriptions.ts"

/** The ports that a storage adapter provides of this area. */
export const eventsStorage = [EventLog, EventSignals, SubscriberDirectory, Subscriptions] as const

import { Layer } from "effect"
import * as EventLog from "./EventLog.ts"
import * as EventSignals from "./EventSignals.ts"
import * as SubscriberDirectory from "./SubscriberDirectory.ts"
import * as Subscriptions from "./Subscriptions.ts"

export const layer = Layer.mergeAll(EventLog.layer, EventSignals.layer, SubscriberDirectory.layer, Subscriptions.layer)

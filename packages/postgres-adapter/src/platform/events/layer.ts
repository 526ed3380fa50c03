import { Layer } from "effect"
import * as EventLog from "./EventLog.ts"
import * as EventListeners from "./EventListeners.ts"
import * as EventConsumerDirectory from "./EventConsumerDirectory.ts"
import * as EventCursors from "./EventCursors.ts"

export const layer = Layer.mergeAll(
  EventLog.layer,
  EventListeners.layer,
  EventConsumerDirectory.layer,
  EventCursors.layer
)

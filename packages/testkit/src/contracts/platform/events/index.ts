import { eventCursors } from "./eventCursors.ts"
import { eventListeners } from "./eventListeners.ts"
import { eventLog } from "./eventLog.ts"
import { outbox } from "./outbox.ts"

export { eventCursorsContract } from "./eventCursors.ts"
export { eventListenersContract } from "./eventListeners.ts"
export { eventLogContract } from "./eventLog.ts"
export { outboxContract } from "./outbox.ts"

export const eventsContracts = [eventLog, outbox, eventListeners, eventCursors]

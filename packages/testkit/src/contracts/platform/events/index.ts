import { eventCursors } from "./eventCursors.ts"
import { eventListeners } from "./eventListeners.ts"
import { eventLog } from "./eventLog.ts"

export { eventCursorsContract } from "./eventCursors.ts"
export { eventListenersContract } from "./eventListeners.ts"
export { eventLogContract } from "./eventLog.ts"

export const eventsContracts = [eventLog, eventListeners, eventCursors]

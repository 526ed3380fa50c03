import type { BroadcastId } from "../../campaigns/index.ts"
import type { LoggedEvent } from "../../platform/events/index.ts"
import type { FollowedEvent } from "./eventCounts.ts"

/** The broadcast of which an event tells that its recipients have moved. */
export const broadcastIn = ({ event }: LoggedEvent<FollowedEvent>): ReadonlyArray<BroadcastId> => {
  switch (event.type) {
    case "broadcast.status_changed":
    case "broadcast.progressed":
    case "broadcast.replied":
      return [event.broadcastId]
    default:
      return []
  }
}

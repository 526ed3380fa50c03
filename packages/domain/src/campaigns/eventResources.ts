import { eventResource, byId, byNothing } from "../kernel/index.ts"
import { Broadcast } from "./Broadcast.ts"
import { BroadcastSettings } from "./BroadcastSettings.ts"
import { BroadcastId } from "./Ids.ts"
import { getBroadcast } from "./use-cases/getBroadcast.ts"
import { getBroadcastSettings } from "./use-cases/getBroadcastSettings.ts"

/** The resources of the events of this area, as GET answers them. */
export const campaignResources = [
  eventResource("broadcast", getBroadcast, Broadcast, byId("broadcastId", BroadcastId)),
  eventResource("broadcast_settings", getBroadcastSettings, BroadcastSettings, byNothing)
] as const

import { Broadcasts } from "./Broadcasts.ts"
import { StoredBroadcastSettings } from "./StoredBroadcastSettings.ts"

/** The ports that a storage adapter provides of this area. */
export const campaignsStorage = [Broadcasts, StoredBroadcastSettings] as const

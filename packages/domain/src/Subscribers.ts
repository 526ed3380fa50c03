import { crmReactions } from "./crm/index.ts"
import { layerSubscribersOf } from "./events/index.ts"

/** Everybody who follows the logs of events: the reactions of all areas. */
export const layerSubscribers = layerSubscribersOf([...crmReactions])

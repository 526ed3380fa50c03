import { ofAllAreas } from "./areas.ts"
import { layerOutsideMessagesOf } from "./messaging/inbox/index.ts"

/** What areas send outside of conversations, for what the inbox does with receipts. */
export const layerOutsideMessages = layerOutsideMessagesOf(ofAllAreas("outsideMessages"))

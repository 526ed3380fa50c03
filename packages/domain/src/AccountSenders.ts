import { Effect } from "effect"
import { ofAllAreas } from "./areas.ts"
import { layerAccountSendersOf, sends } from "./messaging/inbox/index.ts"
import { workDue } from "./platform/background/index.ts"

/** Whatever areas send over accounts, beside the messages of conversations. */
export const layerAccountSenders = layerAccountSendersOf(ofAllAreas("accountSenders"))

/** Sends whatever can be sent now, over accounts that nobody else sends for. */
export const sendDue = Effect.provide(workDue(sends), layerAccountSenders)

import * as EmailQueue from "./EmailQueue.ts"

export const layer = EmailQueue.layer

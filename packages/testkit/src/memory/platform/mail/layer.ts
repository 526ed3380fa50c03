import * as MailQueue from "./MailQueue.ts"

export const layer = MailQueue.layer

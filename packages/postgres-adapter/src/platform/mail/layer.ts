import * as MailQueue from "./MailQueue.ts"

/** The storage of this area. */
export const layer = MailQueue.layer

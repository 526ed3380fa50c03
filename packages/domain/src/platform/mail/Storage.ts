import { MailQueue } from "./MailQueue.ts"

/** The ports that a storage adapter provides of this area. */
export const mailStorage = [MailQueue] as const

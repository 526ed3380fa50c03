import type { MailQueue } from "./MailQueue.ts"

/** What a storage adapter provides of this area. */
export type MailStorage = MailQueue

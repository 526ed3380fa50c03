import { Effect } from "effect"
import { defineArea } from "../../kernel/index.ts"
import { sweep } from "../background/index.ts"
import { MailQueue, waitingMails } from "./MailQueue.ts"

/** The ports that a storage adapter provides of this area. */
const mailStorage = [MailQueue] as const

/** Mails that nobody could send in time are deleted. */
export const mailWorks = [
  sweep(
    "mails",
    Effect.flatMap(MailQueue, (queue) => queue.sweep)
  )
] as const

/** What this area says of itself. */
export const mailArea = defineArea({
  name: "platform/mail",
  storage: mailStorage,
  works: mailWorks,
  sealedValues: [waitingMails]
})

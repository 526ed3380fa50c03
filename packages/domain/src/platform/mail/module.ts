import { Effect } from "effect"
import { defineArea } from "../../kernel/index.ts"
import { sweep } from "../background/index.ts"
import { EmailQueue, sealedEmails } from "./EmailQueue.ts"

/** The ports that a storage adapter provides of this area. */
const mailStorage = [EmailQueue] as const

/** Mails that nobody could send in time are deleted. */
export const mailTasks = [
  sweep(
    "mails",
    Effect.flatMap(EmailQueue, (queue) => queue.sweep)
  )
] as const

/** What this area says of itself. */
export const mailArea = defineArea({
  name: "platform/mail",
  storage: mailStorage,
  works: mailTasks,
  sealedValues: [sealedEmails]
})

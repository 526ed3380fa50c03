import { Effect } from "effect"
import { defineArea } from "../../kernel/index.ts"
import { sweep } from "../background/index.ts"
import { EmailQueue, sealedEmails } from "./EmailQueue.ts"

const mailStorage = [EmailQueue] as const

/** Deletes expired unsent mails. */
export const mailTasks = [
  sweep(
    "mails",
    Effect.flatMap(EmailQueue, (queue) => queue.sweep)
  )
] as const

export const mailArea = defineArea({
  name: "platform/mail",
  storage: mailStorage,
  backgroundTasks: mailTasks,
  sealedValues: [sealedEmails]
})

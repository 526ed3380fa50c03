import { Effect } from "effect"
import { sweep } from "../background/index.ts"
import { MailQueue } from "./MailQueue.ts"

/** Mails that nobody could send in time are deleted. */
export const mailWorks = [
  sweep(
    "mails",
    Effect.flatMap(MailQueue, (queue) => queue.sweep)
  )
] as const

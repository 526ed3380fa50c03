import { Effect } from "effect"
import { sweep, type Work } from "../work/index.ts"
import { MediaSweep } from "./MediaLibrary.ts"
import { sendDue } from "./sending/sendDue.ts"
import { SendQueue } from "./SendQueue.ts"
import { wakeSnoozed } from "./snoozing/wakeSnoozed.ts"

/** Each lane has several messages in hand. */
const sends = {
  name: "sends",
  run: sendDue,
  wake: {
    news: Effect.flatMap(SendQueue, (queue) => queue.awaitNews),
    due: Effect.flatMap(SendQueue, (queue) => queue.nextDue)
  },
  lanes: 4
} satisfies Work<unknown>

const snoozes = { name: "snoozes", run: wakeSnoozed, wake: {}, lanes: 1 } satisfies Work<unknown>

/** Messages are sent, and snoozed conversations woken. */
export const inboxWorks = [
  sends,
  snoozes,
  sweep(
    "media",
    Effect.flatMap(MediaSweep, (media) => media.sweep)
  )
] as const

import { Effect } from "effect"
import { sweep, type Work } from "../work/index.ts"
import { MediaSweep } from "./MediaLibrary.ts"
import { sends } from "./sending/sendDue.ts"
import { wakeSnoozed } from "./snoozing/wakeSnoozed.ts"

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

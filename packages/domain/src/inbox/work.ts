import { Effect } from "effect"
import { sweep } from "../work/index.ts"
import { MediaSweep } from "./MediaLibrary.ts"
import { sends } from "./sending/sendDue.ts"
import { snoozes } from "./snoozing/wakeSnoozed.ts"

/** Messages are sent, and snoozed conversations woken. */
export const inboxWorks = [
  sends,
  snoozes,
  sweep(
    "media",
    Effect.flatMap(MediaSweep, (media) => media.sweep)
  )
] as const

import { Effect } from "effect"
import { sweepTenants } from "../work/index.ts"
import { MediaSweep } from "./MediaLibrary.ts"
import { sends } from "./sending/sendDue.ts"
import { snoozes } from "./snoozing/wakeSnoozed.ts"

/** Messages are sent, and snoozed conversations woken. */
export const inboxWorks = [
  sends,
  snoozes,
  sweepTenants(
    "media",
    Effect.flatMap(MediaSweep, (media) => media.sweep())
  )
] as const

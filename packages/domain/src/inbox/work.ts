import { Effect } from "effect"
import { sweepTenants } from "../work/index.ts"
import { MediaSweep } from "./MediaLibrary.ts"
import { messageRefolds } from "./refolding.ts"
import { sends } from "./sending/sendDue.ts"
import { snoozes } from "./snoozing/wakeSnoozed.ts"

/** Messages are sent, snoozed conversations woken, and the words of messages brought up to date. */
export const inboxWorks = [
  sends,
  snoozes,
  messageRefolds,
  sweepTenants(
    "media",
    Effect.flatMap(MediaSweep, (media) => media.sweep())
  )
] as const

import { Effect } from "effect"
import { sweepTenants } from "../../platform/background/index.ts"
import { assignments } from "./assigning/assignWaiting.ts"
import { MediaSweep } from "./MediaLibrary.ts"
import { messageRefolds } from "./refolding.ts"
import { sends } from "./sending/sendDue.ts"
import { snoozes } from "./snoozing/wakeSnoozed.ts"

/** Messages are sent, snoozed conversations woken, those that wait for a member handed out, and the words of messages brought up to date. */
export const inboxWorks = [
  sends,
  snoozes,
  assignments,
  messageRefolds,
  sweepTenants(
    "media",
    Effect.flatMap(MediaSweep, (media) => media.sweep())
  )
] as const

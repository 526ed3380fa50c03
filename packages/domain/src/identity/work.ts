import { Effect } from "effect"
import { MailQueue, MailSettings } from "../mail/index.ts"
import { sweep, type Work } from "../work/index.ts"
import { KnownAddresses } from "./KnownAddresses.ts"
import { sendMails } from "./mailing/sendMails.ts"
import { PasswordResets } from "./PasswordResets.ts"
import { Sessions } from "./Sessions.ts"

const mails = {
  name: "mails",
  run: sendMails,
  wake: {
    news: Effect.flatMap(MailQueue, (queue) => queue.awaitNews),
    due: Effect.flatMap(MailQueue, (queue) => queue.nextDue)
  },
  lanes: 1,
  isNeeded: Effect.map(MailSettings, ({ sendsMail }) => sendsMail)
} satisfies Work<unknown>

/** Mails are sent, and nothing of people is kept beyond its time. */
export const identityWorks = [
  mails,
  sweep(
    "sessions",
    Effect.flatMap(Sessions, (sessions) => sessions.sweep)
  ),
  sweep(
    "known addresses",
    Effect.flatMap(KnownAddresses, (addresses) => addresses.sweep)
  ),
  sweep(
    "password resets",
    Effect.flatMap(PasswordResets, (resets) => resets.sweep)
  )
] as const

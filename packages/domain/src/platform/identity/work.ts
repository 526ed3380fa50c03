import { Effect } from "effect"
import { sweep } from "../background/index.ts"
import { KnownAddresses } from "./KnownAddresses.ts"
import { mails } from "./mailing/sendMails.ts"
import { PasswordResets } from "./PasswordResets.ts"
import { Sessions } from "./Sessions.ts"

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

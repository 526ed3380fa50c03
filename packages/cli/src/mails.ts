import { Console, DateTime, Effect } from "effect"
import { Command } from "effect/cli"
import * as Flags from "./console/flags.ts"
import { printJson } from "./console/print.ts"
import { mailFolderOf } from "./demo/mailFolder.ts"
import { sharedSettings } from "./parley.ts"
import { requireDatabase } from "./target.ts"

const none =
  "The demo has kept no mail yet. Invite somebody, or ask for a new password: POST /api/v1/auth/password/forgot"

/** Shows the mails that the demo has kept in the place of sending them. */
export const mails = Command.make(
  "mails",
  { json: Flags.json },
  Effect.fn(function* ({ json }) {
    const settings = yield* sharedSettings
    yield* requireDatabase(settings, "")
    const { mailsIn } = yield* Effect.promise(() => import("@parley/testkit/simulators/mail"))
    const kept = yield* mailsIn(mailFolderOf(settings))
    if (json) {
      return yield* printJson(
        kept.map(({ sentAt, subject, text, to }) => ({ sentAt: DateTime.formatIso(sentAt), to, subject, text }))
      )
    }
    if (kept.length === 0) return yield* Console.log(none)
    yield* Effect.forEach(
      kept,
      ({ sentAt, subject, text, to }) =>
        Console.log(
          `To: ${to}\nSent: ${DateTime.formatIso(sentAt)}\nSubject: ${subject}\n\n${text}\n${"-".repeat(72)}`
        ),
      { discard: true }
    )
  })
).pipe(Command.withExamples([{ command: "npm run -s mails" }]))

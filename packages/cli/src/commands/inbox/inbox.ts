import { WrongUsage } from "@parley/service/configuration"
import { Effect } from "effect"
import { Command, TerminalCapabilities } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { parley, sharedSettings } from "../../parley.ts"
import { email } from "../../server/account.ts"

export const inbox = Command.make(
  "inbox",
  { email, org: Flags.org },
  Effect.fn(function* ({ email, org }) {
    const { canPrompt } = yield* TerminalCapabilities.TerminalCapabilities
    if (!canPrompt) {
      return yield* new WrongUsage({ message: "The inbox needs a terminal. Without one: parley conversations list." })
    }
    const settings = yield* sharedSettings
    const { insecure } = yield* parley
    const { asPerson } = yield* Effect.promise(() => import("../../server/login.ts"))
    const { followInbox } = yield* Effect.promise(() => import("./follow.ts"))
    const { draftFile } = yield* Effect.promise(() => import("./DraftFile.ts"))
    yield* asPerson(settings, { email, org, insecure }, (client, organization) =>
      Effect.flatMap(draftFile(settings, organization.id), (drafts) => followInbox(client, organization.name, drafts))
    )
  })
).pipe(
  Command.withExamples([
    { command: "parley inbox", description: "For the demo of this folder" },
    { command: "parley inbox --server https://parley.example --org acme", description: "After parley login" }
  ])
)

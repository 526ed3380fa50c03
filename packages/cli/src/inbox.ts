import { WrongUsage } from "@parley/service/configuration"
import { Effect } from "effect"
import { Command, Flag, Prompt, TerminalCapabilities } from "effect/cli"
import { accountFlags, accountOf } from "./account.ts"

const askPassword = Prompt.run(Prompt.Password({ message: "Password" }))

/** Shows the inbox of a running service on the terminal, live. */
export const inbox = Command.make(
  "inbox",
  {
    ...accountFlags,
    org: Flag.String("org").pipe(
      Flag.withMetavar("organization"),
      Flag.withDescription("The name or id of the organization, for who has several"),
      Flag.optional
    )
  },
  Effect.fn(function* ({ address, email, org }) {
    const { canPrompt } = yield* TerminalCapabilities.TerminalCapabilities
    if (!canPrompt) {
      return yield* new WrongUsage({ message: "The inbox takes a terminal. Elsewhere: parley conversations list." })
    }
    const account = yield* accountOf({ address, email }, askPassword)
    const { loginTo } = yield* Effect.promise(() => import("./login.ts"))
    const { followInbox } = yield* Effect.promise(() => import("./inbox/follow.ts"))
    const { client, organization } = yield* loginTo(account, org)
    yield* followInbox(client, organization.name).pipe(Effect.ensuring(Effect.ignore(client.account.logout())))
  })
).pipe(
  Command.withDescription("Read and answer conversations on the terminal, live; it logs in to a running service"),
  Command.withExamples([
    { command: "npm run -s inbox", description: "For the demo that `npm start` runs" },
    { command: "parley inbox --address https://parley.example --email ann@acme.example --org Acme" }
  ])
)

import { Console, DateTime, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { accountFlags, accountOf } from "./account.ts"
import * as Flags from "./console/flags.ts"
import { printJson } from "./console/print.ts"
import { readPassword } from "./password.ts"

/** Makes a link that opens the documentation already signed in. It asks a running service. */
export const docsLink = Command.make(
  "docs-link",
  {
    ...accountFlags,
    organization: Flag.String("organization").pipe(
      Flag.withDescription("The name or id of the organization, for who has several"),
      Flag.optional
    ),
    json: Flags.json
  },
  Effect.fn(function* ({ address, email, json, organization }) {
    const account = yield* accountOf({ address, email }, readPassword)
    const { linkToDocs } = yield* Effect.promise(() => import("./docsLinkClient.ts"))
    const { expiresAt, url } = yield* linkToDocs(account, organization)
    yield* json ? printJson({ url, expiresAt: DateTime.formatIso(expiresAt) }) : Console.log(url)
  })
).pipe(
  Command.withDescription("Make a link that opens the documentation signed in: good once, for 60 seconds"),
  Command.withExamples([
    { command: "npm run -s docs-link", description: "For the demo that `npm start` runs" },
    {
      command: "parley docs-link --address https://parley.example --email ann@acme.example < password.txt",
      description: "For any service"
    }
  ])
)

import { Console, DateTime, Effect } from "effect"
import { Command } from "effect/cli"
import * as Flags from "./console/flags.ts"
import { printJson } from "./console/print.ts"
import { parley, sharedSettings } from "./parley.ts"
import { email } from "./server/account.ts"

/** Makes a link that opens the documentation already signed in. It asks a running service. */
export const docsLink = Command.make(
  "docs-link",
  { email, org: Flags.org, json: Flags.json },
  Effect.fn(function* ({ email, json, org }) {
    const settings = yield* sharedSettings
    const { insecure } = yield* parley
    const { asPerson } = yield* Effect.promise(() => import("./server/asPerson.ts"))
    const { expiresAt, url } = yield* asPerson(settings, { email, org, insecure }, (client) => client.docs.handoff())
    yield* json ? printJson({ url, expiresAt: DateTime.formatIso(expiresAt) }) : Console.log(url)
  })
).pipe(
  Command.withExamples([
    { command: "npm run -s docs-link", description: "For the demo that `npm start` runs" },
    { command: "parley docs-link --server https://parley.example", description: "For any service that you log in at" },
    {
      command: "parley docs-link --server https://parley.example --email ann@acme.example < password.txt",
      description: "Without a login that stays"
    }
  ])
)

import { EmailInput } from "@parley/domain"
import { Console, DateTime, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { HttpUrl } from "./composition/Setting.ts"
import { Refused, WrongUsage } from "./console/Failure.ts"
import * as Flags from "./console/flags.ts"
import { printJson } from "./console/print.ts"
import { typedFlag } from "./console/typed.ts"
import { readDemoFile } from "./demo/demoFile.ts"
import { sharedSettings } from "./parley.ts"
import { readPassword } from "./password.ts"

const demoAccount = Effect.fnUntraced(function* (email: Option.Option<string>) {
  const { dataDir } = yield* sharedSettings
  const demo = yield* readDemoFile(dataDir.value)
  if (Option.isNone(demo)) {
    return yield* new Refused({
      message: `There is no demo in ${dataDir.value}. Start it with npm start, or give --address and --email.`
    })
  }
  const { address, password, users } = demo.value
  return { address, password, email: Option.getOrElse(email, () => users[0]?.email ?? "") }
})

/** Makes a link that opens the documentation already signed in. It asks a running service. */
export const docsLink = Command.make(
  "docs-link",
  {
    address: typedFlag("address", HttpUrl).pipe(
      Flag.withMetavar("url"),
      Flag.withDescription("Where the service is (the demo of this folder)"),
      Flag.optional
    ),
    email: typedFlag("email", EmailInput).pipe(
      Flag.withMetavar("email"),
      Flag.withDescription("Who reads; with --address the password comes on the standard input"),
      Flag.optional
    ),
    organization: Flag.String("organization").pipe(
      Flag.withDescription("The name or id of the organization, for who has several"),
      Flag.optional
    ),
    json: Flags.json
  },
  Effect.fn(function* ({ address, email, json, organization }) {
    if (Option.isSome(address) && Option.isNone(email)) {
      return yield* new WrongUsage({
        message: "With --address, say who reads: --email. The password comes on the standard input."
      })
    }
    const account =
      Option.isSome(address) && Option.isSome(email)
        ? { address: address.value, email: email.value, password: yield* readPassword }
        : yield* demoAccount(email)
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

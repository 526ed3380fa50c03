import { EmailInput } from "@parley/domain"
import { HttpUrl, WrongUsage } from "@parley/service/configuration"
import { Effect, Option, type Redacted } from "effect"
import { Flag } from "effect/cli"
import { Refused } from "./console/Failure.ts"
import { typedFlag } from "./console/typed.ts"
import { readDemoFile } from "./demo/demoFile.ts"
import { sharedSettings } from "./parley.ts"

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

/** The flags that say at which running service somebody logs in, and who. */
export const accountFlags = {
  address: typedFlag("address", HttpUrl).pipe(
    Flag.withMetavar("url"),
    Flag.withDescription("Where the service is (the demo of this folder)"),
    Flag.optional
  ),
  email: typedFlag("email", EmailInput).pipe(
    Flag.withMetavar("email"),
    Flag.withDescription("Who logs in; with --address the password comes on the standard input"),
    Flag.optional
  )
}

/** Who logs in: as the flags say, or the first user of the demo of this folder. */
export const accountOf = Effect.fnUntraced(function* <E, R>(
  {
    address,
    email
  }: { readonly address: Option.Option<string>; readonly email: Option.Option<typeof EmailInput.Type> },
  password: Effect.Effect<Redacted.Redacted, E, R>
) {
  if (Option.isNone(address)) return yield* demoAccount(email)
  if (Option.isNone(email)) return yield* new WrongUsage({ message: "With --address, say who logs in: --email." })
  return { address: address.value, email: email.value, password: yield* password }
})

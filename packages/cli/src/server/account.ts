import { EmailInput } from "@parley/domain"
import { type Settings, WrongUsage } from "@parley/service/configuration"
import { Effect, Option, type Redacted } from "effect"
import { Flag, Prompt, TerminalCapabilities } from "effect/cli"
import { Refused } from "../console/Failure.ts"
import { typedFlag } from "../console/typed.ts"
import { readDemoFile } from "../demo/demoFile.ts"
import { readPassword } from "../password.ts"
import { requireSafe } from "./address.ts"

/** Somebody who can log in at a service. */
export interface Account {
  readonly address: string
  readonly email: string
  readonly password: Redacted.Redacted
}

/** Who logs in. A password is never a flag, where the shell's history would keep it. */
export const email = typedFlag("email", EmailInput).pipe(
  Flag.withMetavar("email"),
  Flag.withDescription("Who logs in; without a terminal to ask at, the password comes on the standard input"),
  Flag.optional
)

const askPassword = Effect.gen(function* () {
  const { canPrompt } = yield* TerminalCapabilities.TerminalCapabilities
  return canPrompt ? yield* Prompt.run(Prompt.Password({ message: "Password" })) : yield* readPassword
})

const askEmail = Effect.gen(function* () {
  const { canPrompt } = yield* TerminalCapabilities.TerminalCapabilities
  if (!canPrompt) {
    return yield* new WrongUsage({
      message: "Say who logs in: --email ann@acme.example, with the password on the standard input."
    })
  }
  return (yield* Prompt.run(Prompt.String({ message: "E-mail" }))).trim().toLowerCase()
})

/** Who logs in at this address, asked for what was not said. */
export const accountAt = Effect.fnUntraced(function* (address: string, said: Option.Option<string>, insecure: boolean) {
  yield* requireSafe(address, insecure)
  const email = Option.isSome(said) ? said.value : yield* askEmail
  return { address, email, password: yield* askPassword } satisfies Account
})

/** Who logs in at the service that `npm start` runs on this data folder: the first user of the demo, if not said otherwise. */
export const demoAccount = Effect.fnUntraced(function* ({ dataDir }: Settings, said: Option.Option<string>) {
  const demo = yield* readDemoFile(dataDir.value)
  if (Option.isNone(demo)) {
    return yield* new Refused({
      message: `There is no demo in ${dataDir.value}. Start it with npm start, or say at which service: --server https://parley.example`
    })
  }
  const { address, password, users } = demo.value
  return { address, password, email: Option.getOrElse(said, () => users[0]?.email ?? "") } satisfies Account
})

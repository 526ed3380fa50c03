import { EmailAddressInput } from "@parley/domain/platform"
import { type Settings, WrongUsage } from "@parley/service/configuration"
import { Effect, Option, Redacted } from "effect"
import { Flag, Prompt, TerminalCapabilities } from "effect/cli"
import { hash, timingSafeEqual } from "node:crypto"
import { Refused } from "../console/Failure.ts"
import { readPassword, readPasswordChange } from "../console/prompts.ts"
import { typedFlag } from "../console/typed.ts"
import { invocations } from "../console/invocations.ts"
import { readDemoFile } from "../demo/demoFile.ts"
import { requireSafe } from "../tenant/target.ts"

/** An account at a service. */
export interface Account {
  readonly address: string
  readonly email: string
  readonly password: Redacted.Redacted
  /** New password; null keeps the current one. */
  readonly newPassword?: Redacted.Redacted | null
}

/** Email address of the login. A password is never a flag, because the shell history would store it. */
export const email = typedFlag("email", EmailAddressInput).pipe(
  Flag.withMetavar("email"),
  Flag.withDescription("E-mail address of the login. Without a terminal, the password is read from the standard input"),
  Flag.optional
)

const digestOf = (password: Redacted.Redacted) => hash("sha256", Redacted.value(password), "buffer")

const areSame = (one: Redacted.Redacted, other: Redacted.Redacted) => timingSafeEqual(digestOf(one), digestOf(other))

/** Prompts twice for a new password. */
export const askNewPassword = Effect.gen(function* () {
  const first = yield* Prompt.run(Prompt.Password({ message: "New password" }))
  const second = yield* Prompt.run(Prompt.Password({ message: "The same again" }))
  if (areSame(first, second)) return first
  return yield* new WrongUsage({ message: "The two passwords differ. Nothing was changed." })
})

const askPasswords = Effect.fnUntraced(function* (changes: boolean) {
  const { canPrompt } = yield* TerminalCapabilities.TerminalCapabilities
  if (!canPrompt) return changes ? yield* readPasswordChange : { password: yield* readPassword, newPassword: null }
  const password = yield* Prompt.run(Prompt.Password({ message: "Password" }))
  return { password, newPassword: changes ? yield* askNewPassword : null }
})

const askEmail = Effect.gen(function* () {
  const { canPrompt } = yield* TerminalCapabilities.TerminalCapabilities
  if (!canPrompt) {
    return yield* new WrongUsage({
      message: "Specify the user: --email ann@acme.example, with the password on the standard input."
    })
  }
  return (yield* Prompt.run(Prompt.String({ message: "E-mail" }))).trim().toLowerCase()
})

/** Returns the account at this address, and prompts for missing values. */
export const accountAt = Effect.fnUntraced(function* (
  address: string,
  explicit: Option.Option<string>,
  { changesPassword = false, insecure }: { readonly insecure: boolean; readonly changesPassword?: boolean }
) {
  yield* requireSafe(address, insecure)
  const email = Option.isSome(explicit) ? explicit.value : yield* askEmail
  return { address, email, ...(yield* askPasswords(changesPassword)) } satisfies Account
})

/** Returns the account at the service of the demo on this data folder. Default: the first user of the demo. */
export const demoAccount = Effect.fnUntraced(function* ({ dataDir }: Settings, explicit: Option.Option<string>) {
  const demo = yield* readDemoFile(dataDir.value)
  if (Option.isNone(demo)) {
    const invocation = yield* invocations
    return yield* new Refused({
      message: `The folder ${dataDir.value} has no demo. Start it with ${invocation("demo")}, or specify a service: --server https://parley.example`
    })
  }
  const { address, password, users } = demo.value
  return { address, password, email: Option.getOrElse(explicit, () => users[0]?.email ?? "") } satisfies Account
})

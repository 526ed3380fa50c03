import { type Settings, WrongUsage } from "@parley/service/configuration"
import { Console, DateTime, Effect, Option, Redacted, Stdio, Stream } from "effect"
import { Command, Flag, Prompt, TerminalCapabilities } from "effect/cli"
import { Refused } from "../console/Failure.ts"
import * as Flags from "../console/flags.ts"
import { printJson } from "../console/print.ts"
import { parley, sharedSettings } from "../parley.ts"
import {
  callerOf,
  isOperatorLogin,
  type NamedProfile,
  type Profile,
  type ProfileFolder,
  profileFolder
} from "../profiles/ProfileFolder.ts"
import { accountAt, demoAccount, email } from "../server/account.ts"
import { isOperatorToken, requireOperator } from "../server/operatorLogin.ts"
import { normalAddress, notLoggedIn, requireNobodyIn, requireSafe, targetOf, useOf } from "../tenant/target.ts"

const longestToken = 4_096

/** A token is never the value of a flag, because the shell history would store it. */
const token = Flag.String("token").pipe(
  Flag.withMetavar("-"),
  Flag.withDescription("Log in with an automation token or an operator token; - reads it from the standard input"),
  Flag.optional
)

const newPassword = Flag.Boolean("new-password").pipe(
  Flag.withDescription("Set a new password. Without a terminal, it is the second line of the standard input"),
  Flag.withoutNegation,
  Flag.withDefault(false)
)

const readToken = Effect.gen(function* () {
  const { canPrompt } = yield* TerminalCapabilities.TerminalCapabilities
  if (canPrompt) return yield* Prompt.run(Prompt.Password({ message: "Token" }))
  const stdio = yield* Stdio.Stdio
  const text = (yield* Effect.orDie(Stream.mkString(Stream.decodeText(stdio.stdin)))).trim()
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(text) && text.length <= longestToken) return Redacted.make(text)
  return yield* new WrongUsage({
    message:
      "The standard input contains no automation token or operator token. To issue one: parley tokens issue --help, or parley operator token issue --help"
  })
})

/** Default name of a profile: the host of its server. */
const nameOf = (address: string) => new URL(address).host.replace(/[^A-Za-z0-9.-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "")

const known = Effect.fnUntraced(function* (folder: ProfileFolder, { profile, server }: Settings) {
  if (profile.value !== null) return Option.getOrNull(yield* folder.find(profile.value))
  const address = server.value
  if (address === null) {
    const used = yield* folder.used
    return used === null ? null : Option.getOrNull(yield* folder.find(used))
  }
  const [only, another] = (yield* folder.list).filter(
    (each) => normalAddress(each.profile.server) === normalAddress(address)
  )
  return another === undefined ? (only ?? null) : null
})

const keptName = Effect.fnUntraced(function* (
  folder: ProfileFolder,
  { profile }: Settings,
  before: NamedProfile | null,
  address: string
) {
  const name = profile.value ?? before?.name ?? nameOf(address)
  const there = yield* Effect.orElseSucceed(folder.find(name), () => Option.none<NamedProfile>())
  if (Option.isSome(there) && normalAddress(there.value.profile.server) !== address) {
    return yield* new Refused({
      message: `The profile ${name} is a login at ${there.value.profile.server}. Choose another name with --profile, or remove it: parley profiles remove ${name}`
    })
  }
  return name
})

/** Logs in at a service, and stores the login. */
export const login = Command.make(
  "login",
  { email, token, newPassword },
  Effect.fn(function* ({ email, newPassword, token }) {
    if (Option.isSome(token) && token.value !== "-") {
      return yield* new WrongUsage({
        message: "A token in a command line stays in the shell's history. Use --token - with the standard input."
      })
    }
    const settings = yield* sharedSettings
    const folder = yield* profileFolder(settings)
    const before = yield* known(folder, settings)
    const server = settings.server.value ?? before?.profile.server ?? null
    if (server !== null) yield* requireNobodyIn(server)
    const insecure = (yield* parley).insecure || before?.profile.insecure === true
    const isDemo = server === null && Option.isNone(token)
    const account = isDemo
      ? yield* demoAccount(settings, email)
      : Option.isSome(token)
        ? null
        : yield* accountAt(normalAddress(server ?? ""), email, { insecure, changesPassword: newPassword })
    const address = normalAddress(account?.address ?? server ?? (yield* demoAccount(settings, email)).address)
    yield* requireSafe(address, insecure)
    const name = yield* keptName(folder, settings, before, address)
    const logIn = `parley login --server ${address} --profile ${name}`
    const asker = { address, logIn }
    const deviceToken = before?.profile.deviceToken ?? null
    const base = { server: address, insecure }
    const profile: Profile = yield* Effect.gen(function* () {
      if (account === null) {
        const accessToken = yield* readToken
        if (isOperatorToken(accessToken)) {
          yield* requireOperator(address, accessToken, { address, logIn: `${logIn} --token -` })
          return {
            ...base,
            email: null,
            organizations: [],
            tokens: { accessToken, refreshToken: null },
            deviceToken
          }
        }
        const { holderOf } = yield* Effect.promise(() => import("../server/login.ts"))
        const organizations = [yield* holderOf(address, accessToken, { address, logIn: `${logIn} --token -` })]
        return { ...base, email: null, organizations, tokens: { accessToken, refreshToken: null }, deviceToken }
      }
      const { loginAt } = yield* Effect.promise(() => import("../server/login.ts"))
      const { client: _client, ...made } = yield* loginAt(account, deviceToken, asker)
      return { ...base, email: account.email, ...made }
    })
    yield* folder.write(name, profile)
    yield* folder.use(name)
    const { typedName } = yield* Effect.promise(() => import("../server/connect.ts"))
    const who = profile.email ?? `an ${callerOf(profile)}`
    const where = isOperatorLogin(profile) ? "" : `, in ${profile.organizations.map(typedName).join(", ")}`
    yield* Console.log(
      `Logged in at ${address} as ${who}${where}. ${useOf(settings, name)}; parley logout --profile ${name} ends it.`
    )
  })
).pipe(
  Command.withExamples([
    { command: "parley login --server https://parley.example" },
    { command: "parley login --server https://parley.example --email ann@acme.example < password.txt" },
    {
      command: "parley login --server https://parley.example --email ann@acme.example --new-password",
      description: "Replace a password that an operator set"
    },
    {
      command: "parley login --server https://parley.example --profile ci --token - < token.txt",
      description: "With an automation token"
    },
    {
      command: "parley login --server http://127.0.0.1:8790 --profile operator --token - < operator-token.txt",
      description: "With an operator token, at the address of the operators' API"
    }
  ])
)

/** Ends a login, on this machine and at its service. */
export const logout = Command.make(
  "logout",
  {},
  Effect.fn(function* () {
    const settings = yield* sharedSettings
    const target = yield* targetOf(settings)
    if (target.kind === "database") {
      return yield* notLoggedIn(settings, "You are not logged in. List the profiles: parley profiles list")
    }
    const { endSession } = yield* Effect.promise(() => import("../server/connect.ts"))
    const folder = yield* profileFolder(settings)
    const { name, profile } = target
    const isEnded = yield* endSession(settings, target)
    yield* folder.write(name, { ...profile, tokens: null })
    if ((yield* folder.used) === name) yield* folder.use(null)
    yield* Console.log(`Logged out at ${profile.server}. The profile ${name} stays for the next parley login.`)
    if (!isEnded) yield* Console.error(`${profile.server} did not answer: the session there expires later.`)
  })
).pipe(Command.withExamples([{ command: "parley logout" }, { command: "parley logout --profile ci" }]))

/** Creates a link that opens the documentation with a login. It calls a running service. */
export const docsLink = Command.make(
  "docs-link",
  { email, org: Flags.org, json: Flags.json },
  Effect.fn(function* ({ email, json, org }) {
    const settings = yield* sharedSettings
    const { insecure } = yield* parley
    const { asPerson } = yield* Effect.promise(() => import("../server/login.ts"))
    const { expiresAt, url } = yield* asPerson(settings, { email, org, insecure, keepsLogin: true }, (client) =>
      client.docs.handoff()
    )
    yield* json ? printJson({ url, expiresAt: DateTime.formatIso(expiresAt) }) : Console.log(url)
  })
).pipe(
  Command.withExamples([
    { command: "parley docs-link", description: "For the demo of this folder" },
    { command: "parley docs-link --server https://parley.example", description: "For any service" },
    {
      command: "parley docs-link --server https://parley.example --email ann@acme.example < password.txt",
      description: "Without a stored login"
    }
  ])
)

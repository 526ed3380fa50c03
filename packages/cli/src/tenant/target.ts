import { CurrentActor } from "@parley/domain/kernel"
import { operatorName, type Settings, WrongUsage } from "@parley/service/configuration"
import { Effect, Option } from "effect"
import { Refused } from "../console/Failure.ts"
import { logged } from "../console/logging.ts"
import { suggestion } from "../console/nearest.ts"
import { sharedSettings } from "../parley.ts"
import { type NamedProfile, profileFolder } from "../profiles/ProfileFolder.ts"

const isLoopback = (host: string) => host === "localhost" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host)

/** Normalizes an address: one form for all spellings, without a trailing slash and without the path of the API. */
export const normalAddress = (address: string) => {
  const { origin, pathname } = new URL(address)
  return `${origin}${pathname}`.replace(/\/+$/, "").replace(/\/api\/v1$/, "")
}

/** Rejects an address with a password, before any output shows it. */
export const requireNobodyIn = Effect.fnUntraced(function* (address: string) {
  const { password, username } = new URL(address)
  if (username === "" && password === "") return
  return yield* new WrongUsage({
    message: "An address cannot contain a user or a password. parley login asks for them."
  })
})

/** Rejects an address that must not receive passwords or tokens. */
export const requireSafe = Effect.fnUntraced(function* (address: string, insecure: boolean) {
  const { hostname, protocol } = new URL(address)
  if (protocol === "https:" || isLoopback(hostname) || insecure) return
  return yield* new WrongUsage({
    message: `Plain HTTP would expose your password and tokens on the way to ${address}. Use https://, or allow it with --insecure.`
  })
})

/** Target of a command: the configured database, or a service with a stored login. */
export type Target = { readonly kind: "database" } | ({ readonly kind: "server" } & NamedProfile)

const database: Target = { kind: "database" }

/** Returns the explicit target; `null` if none is set. A flag takes precedence over the environment. */
const saidTarget = Effect.fnUntraced(function* ({ dataDir, databaseUrl, profile, server }: Settings) {
  for (const source of ["flag", "environment"] as const) {
    const one = [server, profile].find((reading) => reading.source === source)
    const other = [databaseUrl, dataDir].find((reading) => reading.source === source)
    if (one !== undefined && other !== undefined) {
      return yield* new WrongUsage({
        message: `${one.origin} selects a service and ${other.origin} a database. Leave out one of them.`
      })
    }
    if (one !== undefined) return "server" as const
    if (other !== undefined) return "database" as const
  }
  return null
})

const at = (address: string) => (each: NamedProfile) => normalAddress(each.profile.server) === normalAddress(address)

/** Returns the profile that the settings name directly or by its server. */
const saidProfile = Effect.fnUntraced(function* (settings: Settings) {
  const folder = yield* profileFolder(settings)
  const { profile, server } = settings
  // A flag takes precedence over a different value in the environment.
  const address = profile.source === "flag" && server.source === "environment" ? null : server.value
  const name = server.source === "flag" && profile.source === "environment" ? null : profile.value
  if (address !== null) yield* requireNobodyIn(address)
  if (name !== null) {
    const found = yield* folder.find(name)
    if (Option.isNone(found)) {
      return yield* new Refused({
        message: `The profile "${name}" does not exist.${suggestion(name, yield* folder.names)} To log in: parley login --server ${address ?? "https://parley.example"} --profile ${name}`
      })
    }
    if (address !== null && !at(address)(found.value)) {
      return yield* new WrongUsage({
        message: `The profile ${name} is a login at ${found.value.profile.server}, and Parley sends its token to no other server. Leave out --server or --profile.`
      })
    }
    return found.value
  }
  const fitting = (yield* folder.list).filter(at(address ?? ""))
  const [only, another] = fitting
  if (only === undefined) {
    return yield* new Refused({
      message: `You are not logged in at ${address}. Log in: parley login --server ${address}`
    })
  }
  if (another === undefined) return only
  const used = yield* folder.used
  const chosen = fitting.find((each) => each.name === used)
  if (chosen !== undefined) return chosen
  return yield* new WrongUsage({
    message: `You have several logins at ${address}. Select one with --profile ${fitting.map((each) => each.name).join(", --profile ")}.`
  })
})

/** Returns the target of a command that every service supports: the explicit one, the current profile, or the database. */
export const targetOf = Effect.fnUntraced(function* (settings: Settings) {
  const explicit = yield* saidTarget(settings)
  if (explicit === "database") return database
  if (explicit === "server") return { kind: "server", ...(yield* saidProfile(settings)) } satisfies Target
  const folder = yield* profileFolder(settings)
  const used = yield* folder.used
  if (used === null) return database
  const found = yield* folder.find(used)
  return Option.match(found, { onNone: () => database, onSome: (each): Target => ({ kind: "server", ...each }) })
})

/** Variable that selects the database before the current profile; null for none. */
const databaseVariable = ({ dataDir, databaseUrl }: Settings) =>
  [databaseUrl, dataDir].find(({ source }) => source === "environment")?.origin ?? null

/** Describes the target of later commands after a profile becomes the current one. */
export const useOf = (settings: Settings, profile: string) => {
  const variable = databaseVariable(settings)
  return variable === null
    ? `Commands now use the profile ${profile}`
    : `${variable} is set, so commands use the database. Add --profile ${profile} to use this login`
}

/** Fails because the command needs a login. Names the variable that hides the current profile. */
export const notLoggedIn = Effect.fnUntraced(function* (settings: Settings, message: string) {
  const variable = databaseVariable(settings)
  const profile = yield* (yield* profileFolder(settings)).used
  return yield* new Refused({
    message:
      variable === null || profile === null
        ? message
        : `${variable} is set, so commands use the database. Add --profile ${profile}.`
  })
})

/** Rejects a service as target for a command that runs on this machine with a database. */
export const requireThisMachine = Effect.fnUntraced(function* (settings: Settings, command: string) {
  if ((yield* saidTarget(settings)) !== "server") return
  const { profile, server } = settings
  const sources = [server, profile].flatMap(({ origin, source }) => (source === "default" ? [] : [origin]))
  return yield* new WrongUsage({
    message: `parley ${command} runs on this machine, with the database of --database-url or --data-dir. It does not use another service: leave out ${sources.join(" and ")}.`
  })
})

/** Without an alternative over HTTP, the command exists on the database only. */
const offered = (instead: string) => (instead === "" ? "; no service offers it over HTTP" : "")

/** Rejects a call over HTTP of a command that needs access to the database. */
export const requireDatabase = Effect.fnUntraced(function* (settings: Settings, instead: string) {
  if ((yield* saidTarget(settings)) !== "server") return
  return yield* new Refused({
    message: `This command is for operators and needs the database${offered(instead)}. Run it on the machine of the database, with --database-url or --data-dir instead of --server and --profile.${instead}`
  })
})

/** Rejects an operator command when this machine has a login but no database. */
const requireReachable = Effect.fnUntraced(function* (settings: Settings, instead: string) {
  if (settings.databaseUrl.value !== null) return
  const { hasEmbedded } = yield* Effect.promise(() => import("@parley/service/database"))
  if (yield* hasEmbedded(settings)) return
  const target = yield* targetOf(settings)
  if (target.kind === "database") return
  return yield* new Refused({
    message: `This command is for operators and needs the database. The profile in use (${target.name}) is a login at ${target.profile.server}${offered(instead)}. Run it on the machine of the database, with --database-url or --data-dir.${instead}`
  })
})

/** Runs a command on the configured database as the operator. */
export const onDatabase = Effect.fnUntraced(function* <A, E, R>(command: Effect.Effect<A, E, R>) {
  const settings = yield* sharedSettings
  // Only commands that need the database load it. The others start in half the time.
  const { layerPorts } = yield* Effect.promise(() => import("@parley/service/ports"))
  return yield* command.pipe(
    Effect.provideService(CurrentActor, { kind: "operator", name: operatorName(settings) }),
    Effect.provide(layerPorts(settings)),
    logged(settings, "Warn")
  )
})

/** Runs an operator command that is not available over HTTP. `instead` names the HTTP alternative. */
export const operate = Effect.fnUntraced(function* <A, E, R>(command: Effect.Effect<A, E, R>, instead = "") {
  const settings = yield* sharedSettings
  yield* requireDatabase(settings, instead)
  yield* requireReachable(settings, instead)
  return yield* onDatabase(command)
})

import { type Settings, WrongUsage } from "@parley/service/configuration"
import { Effect, Option } from "effect"
import { Refused } from "./console/Failure.ts"
import { suggestion } from "./console/nearest.ts"
import type { NamedProfile } from "./profiles/Profile.ts"
import { profileFolder } from "./profiles/ProfileFolder.ts"
import { normalAddress, requireNobodyIn } from "./server/address.ts"

/** Where a command acts: on the configured database, or on a service with a login of this machine. */
export type Target = { readonly kind: "database" } | ({ readonly kind: "server" } & NamedProfile)

const database: Target = { kind: "database" }

/** What was said about where to act; `null` if nothing was. A flag says more than the environment. */
export const saidTarget = Effect.fnUntraced(function* ({ dataDir, databaseUrl, profile, server }: Settings) {
  for (const source of ["flag", "environment"] as const) {
    const one = [server, profile].find((reading) => reading.source === source)
    const other = [databaseUrl, dataDir].find((reading) => reading.source === source)
    if (one !== undefined && other !== undefined) {
      const named = ({ setting }: typeof one | typeof other) =>
        source === "flag" ? `--${setting.flag}` : setting.variable
      return yield* new WrongUsage({
        message: `${named(one)} names a service and ${named(other)} a database: leave one of them out.`
      })
    }
    if (one !== undefined) return "server" as const
    if (other !== undefined) return "database" as const
  }
  return null
})

const at = (address: string) => (each: NamedProfile) => normalAddress(each.profile.server) === normalAddress(address)

/** The profile that the settings name, by itself or by its server. */
const saidProfile = Effect.fnUntraced(function* (settings: Settings) {
  const folder = yield* profileFolder(settings)
  const { profile, server } = settings
  // What a flag names is another than what stands in the environment, and comes first.
  const address = profile.source === "flag" && server.source === "environment" ? null : server.value
  const name = server.source === "flag" && profile.source === "environment" ? null : profile.value
  if (address !== null) yield* requireNobodyIn(address)
  if (name !== null) {
    const found = yield* folder.find(name)
    if (Option.isNone(found)) {
      return yield* new Refused({
        message: `There is no profile "${name}".${suggestion(name, yield* folder.names)} To log in: parley login --server ${address ?? "https://parley.example"} --profile ${name}`
      })
    }
    if (address !== null && !at(address)(found.value)) {
      return yield* new WrongUsage({
        message: `The profile ${name} is a login at ${found.value.profile.server}, and no other server gets its token. Leave --server or --profile out.`
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
    message: `You have several logins at ${address}: choose one with --profile ${fitting.map((each) => each.name).join(", --profile ")}.`
  })
})

/** Where a command acts that any service can do: as it was said, with the profile in use, or on the database. */
export const targetOf = Effect.fnUntraced(function* (settings: Settings) {
  const said = yield* saidTarget(settings)
  if (said === "database") return database
  if (said === "server") return { kind: "server", ...(yield* saidProfile(settings)) } satisfies Target
  const folder = yield* profileFolder(settings)
  const used = yield* folder.used
  if (used === null) return database
  const found = yield* folder.find(used)
  return Option.match(found, { onNone: () => database, onSome: (each): Target => ({ kind: "server", ...each }) })
})

/** Refuses to be told of a service by what runs on this machine, with a database. */
export const requireThisMachine = Effect.fnUntraced(function* (settings: Settings, command: string) {
  if ((yield* saidTarget(settings)) !== "server") return
  const { profile, server } = settings
  const said = [server, profile].flatMap(({ setting, source }) =>
    source === "flag" ? [`--${setting.flag}`] : source === "environment" ? [setting.variable] : []
  )
  return yield* new WrongUsage({
    message: `parley ${command} runs on this machine, on the database that --database-url or --data-dir names, and does nothing on another service: leave ${said.join(" and ")} out.`
  })
})

/** Refuses to do over the network what only somebody with the database may. */
export const requireDatabase = Effect.fnUntraced(function* (settings: Settings, instead: string) {
  if ((yield* saidTarget(settings)) !== "server") return
  return yield* new Refused({
    message: `This is for operators, who have the database: no service does it over HTTP. Type it where the database is, with --database-url or --data-dir in the place of --server and --profile.${instead}`
  })
})

/** Rejects an operator command when this machine has a login but no database. */
export const requireReachable = Effect.fnUntraced(function* (settings: Settings, instead: string) {
  if (settings.databaseUrl.value !== null) return
  const { hasEmbedded } = yield* Effect.promise(() => import("@parley/service/database"))
  if (yield* hasEmbedded(settings)) return
  const target = yield* targetOf(settings)
  if (target.kind === "database") return
  return yield* new Refused({
    message: `This command is for operators and needs the database. The profile in use (${target.name}) is a login at ${target.profile.server}, and no service offers it over HTTP. Run it on the machine of the database, with --database-url or --data-dir.${instead}`
  })
})

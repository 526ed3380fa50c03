import { catalogue, readSettings, type SettingName, type Settings } from "@parley/service/configuration"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { explanation } from "./console/Failure.ts"

/** Secrets are never on a command line, where others on the machine can see them. */
type Flagless =
  | "chatAppSecrets"
  | "chatVerifyToken"
  | "databasePassword"
  | "masterKeys"
  | "metricsToken"
  | "smtpUrl"
  | "storeClientSecrets"

/** The flag of a setting. Its value is read together with the environment, so that both are held to the same rule. */
export const flagOf = (name: Exclude<SettingName, Flagless>) => {
  const { about, flag, variable } = catalogue[name]
  return Flag.String(flag ?? name).pipe(Flag.withDescription(`${about} (${variable})`), Flag.optional)
}

/** The root of the command tree, and the flags that every command takes. */
export const parley = Command.make("parley").pipe(
  Command.withSharedFlags({
    databaseUrl: flagOf("databaseUrl"),
    dataDir: flagOf("dataDir"),
    server: flagOf("server"),
    profile: flagOf("profile"),
    configDir: flagOf("configDir"),
    insecure: Flag.Boolean("insecure").pipe(
      Flag.withDescription(
        "Allow passwords and tokens over plain HTTP to another machine. A login stores it in the profile"
      ),
      Flag.withDefault(false)
    ),
    chatApiUrl: flagOf("chatApiUrl"),
    storeApiUrl: flagOf("storeApiUrl"),
    webhookAllowLoopback: flagOf("webhookAllowLoopback"),
    tokenIssuer: flagOf("tokenIssuer"),
    operatorName: flagOf("operatorName"),
    logLevel: flagOf("logLevel"),
    logFormat: flagOf("logFormat")
  }),
  Command.withDescription(`Run Parley and manage its tenants. Every flag below is also a variable.\n\n  ${explanation}`)
)

/** Returns the settings with the simulator of the demo whose database they select. Its numbers exist there only. */
export const withDemoProvider = Effect.fnUntraced(function* (settings: Settings) {
  if (settings.chatApiUrl.value !== null || settings.databaseUrl.value !== null) return settings
  const { readDemoFile } = yield* Effect.promise(() => import("./demo/demoFile.ts"))
  const demo = yield* readDemoFile(settings.dataDir.value)
  const value = Option.isSome(demo) ? (demo.value.simulator ?? null) : null
  return value === null ? settings : { ...settings, chatApiUrl: { ...settings.chatApiUrl, value, shown: value } }
})

/** The settings of a command that takes only the flags of every command. */
export const sharedSettings = Effect.flatMap(parley, ({ insecure: _insecure, ...flags }) =>
  Effect.flatMap(readSettings(flags), withDemoProvider)
)

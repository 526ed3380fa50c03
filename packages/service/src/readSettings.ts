import { completePassword } from "@parley/postgres-adapter/hosts"
import { Config, Effect, Option, Redacted, Schema } from "effect"
import { resolve } from "node:path"
import { WrongConfiguration, WrongUsage } from "./Failure.ts"
import { fileVariableOf, type Setting } from "./Setting.ts"
import { readSecretFile } from "./secretFile.ts"
import { catalogue, type SettingName } from "./settings.ts"

/** Given flags by setting name. */
export type GivenFlags = { readonly [Name in SettingName]?: Option.Option<string> }

/** Value of a setting and its source. */
export interface Reading<A> {
  readonly setting: Setting<A>
  readonly value: A
  readonly source: "flag" | "environment" | "default"
  /** Flag or variable with the value, and the file that it names. For a default value, the variable. */
  readonly origin: string
  /** File of the value, if it comes from a file. */
  readonly file: string | null
  readonly shown: string
}

export type Settings = Effect.Success<ReturnType<typeof readSettings>>

/** A text before it is decoded. */
interface Given extends Pick<Reading<unknown>, "origin" | "file"> {
  readonly source: "flag" | "environment"
  readonly text: string
}

const variableOf = (name: string) =>
  Effect.map(
    Effect.orDie(Config.option(Config.String(name))),
    Option.map((text) => text.trim())
  )

/** Path of a secret. systemd gives each unit its own folder of credentials, so a relative path is a file in this folder. */
const secretPath = Effect.fnUntraced(function* (file: string) {
  const credentials = yield* variableOf("CREDENTIALS_DIRECTORY")
  return Option.match(credentials, { onNone: () => file, onSome: (folder) => resolve(folder, file) })
})

/** The text of a setting: of its flag, its variable or its file. The error is the issue to report. */
const givenOf = Effect.fnUntraced(function* (
  flag: Option.Option<string>,
  entry: Pick<Setting<unknown>, "flag" | "secret" | "variable">
) {
  const found = (text: string, source: Given["source"], origin: string, file: string | null = null) =>
    Option.some<Given>({ text, source, origin, file })
  if (Option.isSome(flag)) return found(flag.value.trim(), "flag", `--${entry.flag}`)
  const text = yield* variableOf(entry.variable)
  const fileVariable = fileVariableOf(entry)
  const file = fileVariable === null ? Option.none<string>() : yield* variableOf(fileVariable)
  if (Option.isNone(file)) return Option.flatMap(text, (value) => found(value, "environment", entry.variable))
  const path = yield* secretPath(file.value)
  const origin = `${fileVariable} (${path})`
  if (Option.isSome(text))
    return yield* Effect.fail(`${origin}: ${entry.variable} is also set. Remove it, or the file.`)
  const content = yield* Effect.mapError(readSecretFile(path), (fault) => `${origin}: ${fault}.`)
  return found(content, "environment", origin, path)
})

type Secret = Reading<Redacted.Redacted | null>

/** Adds the separate password to the database URL. The error is the issue to report. */
const completed = (url: Secret, password: Secret): Effect.Effect<Secret, string> => {
  if (password.value === null) return Effect.succeed(url)
  if (url.source === "default") {
    return Effect.fail(`${password.origin}: expected PARLEY_DATABASE_URL, which this password completes`)
  }
  if (url.value === null) return Effect.succeed(url)
  return Option.match(completePassword(Redacted.value(url.value), Redacted.value(password.value)), {
    onNone: () =>
      url.source === "flag"
        ? Effect.succeed(url)
        : Effect.fail(`${password.origin}: ${url.origin} already contains a password. Remove one.`),
    onSome: (whole) => Effect.succeed({ ...url, value: Redacted.make(whole) })
  })
}

/** Reads all settings, flags before variables. Reports all issues. */
export const readSettings = Effect.fnUntraced(function* (flags: GivenFlags) {
  const faults: Array<string> = []
  let onlyFlags = true
  const reject = (fault: string) => {
    faults.push(fault)
    onlyFlags &&= fault.startsWith("--")
  }
  const read = Effect.fnUntraced(function* <A>(name: SettingName, entry: Setting<A>) {
    const given = yield* Effect.catch(givenOf(flags[name] ?? Option.none(), entry), (fault) => {
      reject(fault)
      return Effect.succeedNone
    })
    const { fallback, secret, variable } = entry
    if (Option.isNone(given)) {
      const { shown, value } = fallback
      return { setting: entry, value, source: "default", origin: variable, file: null, shown } satisfies Reading<A>
    }
    const { file, origin, source, text } = given.value
    const value = Schema.decodeOption(entry.schema)(text)
    if (Option.isNone(value)) reject(`${origin}: expected ${entry.expected}${secret ? "" : `, got "${text}"`}`)
    const shown = file !== null ? `file:${file}` : secret ? "(hidden)" : text
    return {
      setting: entry,
      value: Option.getOrElse(value, () => fallback.value),
      source,
      origin,
      file,
      shown
    } satisfies Reading<A>
  })
  const databasePassword = yield* read("databasePassword", catalogue.databasePassword)
  const readUrl = yield* read("databaseUrl", catalogue.databaseUrl)
  const databaseUrl = yield* Effect.catch(completed(readUrl, databasePassword), (fault) => {
    reject(fault)
    return Effect.succeed(readUrl)
  })
  const settings = {
    databaseUrl,
    databasePassword,
    dataDir: yield* read("dataDir", catalogue.dataDir),
    server: yield* read("server", catalogue.server),
    profile: yield* read("profile", catalogue.profile),
    configDir: yield* read("configDir", catalogue.configDir),
    masterKeys: yield* read("masterKeys", catalogue.masterKeys),
    passwordMinLength: yield* read("passwordMinLength", catalogue.passwordMinLength),
    poolSize: yield* read("poolSize", catalogue.poolSize),
    databaseSeconds: yield* read("databaseSeconds", catalogue.databaseSeconds),
    databaseJobSeconds: yield* read("databaseJobSeconds", catalogue.databaseJobSeconds),
    drainSeconds: yield* read("drainSeconds", catalogue.drainSeconds),
    host: yield* read("host", catalogue.host),
    port: yield* read("port", catalogue.port),
    baseUrl: yield* read("baseUrl", catalogue.baseUrl),
    docsUrl: yield* read("docsUrl", catalogue.docsUrl),
    corsOrigins: yield* read("corsOrigins", catalogue.corsOrigins),
    trustedProxyHops: yield* read("trustedProxyHops", catalogue.trustedProxyHops),
    tokenPerMinute: yield* read("tokenPerMinute", catalogue.tokenPerMinute),
    organizationPerMinute: yield* read("organizationPerMinute", catalogue.organizationPerMinute),
    addressPerMinute: yield* read("addressPerMinute", catalogue.addressPerMinute),
    maxBodyBytes: yield* read("maxBodyBytes", catalogue.maxBodyBytes),
    maxWebhookBytes: yield* read("maxWebhookBytes", catalogue.maxWebhookBytes),
    maxImportBytes: yield* read("maxImportBytes", catalogue.maxImportBytes),
    processes: yield* read("processes", catalogue.processes),
    accessLog: yield* read("accessLog", catalogue.accessLog),
    metricsHost: yield* read("metricsHost", catalogue.metricsHost),
    metricsPort: yield* read("metricsPort", catalogue.metricsPort),
    metricsToken: yield* read("metricsToken", catalogue.metricsToken),
    operatorApi: yield* read("operatorApi", catalogue.operatorApi),
    operatorHost: yield* read("operatorHost", catalogue.operatorHost),
    operatorPort: yield* read("operatorPort", catalogue.operatorPort),
    chatApiUrl: yield* read("chatApiUrl", catalogue.chatApiUrl),
    chatAppId: yield* read("chatAppId", catalogue.chatAppId),
    chatSignupConfigId: yield* read("chatSignupConfigId", catalogue.chatSignupConfigId),
    chatAppSecrets: yield* read("chatAppSecrets", catalogue.chatAppSecrets),
    chatVerifyToken: yield* read("chatVerifyToken", catalogue.chatVerifyToken),
    storeApiUrl: yield* read("storeApiUrl", catalogue.storeApiUrl),
    storeClientId: yield* read("storeClientId", catalogue.storeClientId),
    storeClientSecrets: yield* read("storeClientSecrets", catalogue.storeClientSecrets),
    storeScopes: yield* read("storeScopes", catalogue.storeScopes),
    storeApiVersion: yield* read("storeApiVersion", catalogue.storeApiVersion),
    webhookAllowLoopback: yield* read("webhookAllowLoopback", catalogue.webhookAllowLoopback),
    smtpUrl: yield* read("smtpUrl", catalogue.smtpUrl),
    mailFrom: yield* read("mailFrom", catalogue.mailFrom),
    tokenIssuer: yield* read("tokenIssuer", catalogue.tokenIssuer),
    logLevel: yield* read("logLevel", catalogue.logLevel),
    logFormat: yield* read("logFormat", catalogue.logFormat),
    operatorName: yield* read("operatorName", catalogue.operatorName)
  }
  if (faults.length === 0) return settings
  return yield* onlyFlags ? new WrongUsage({ message: faults.join("\n") }) : new WrongConfiguration({ faults })
})

import { Effect, Redacted, Schema } from "effect"
import { utf8Bytes } from "../../platform/files/index.ts"
import { type Fault, originOf, type PluginId, sealedForOrigin, ValidationFailed } from "../../kernel/index.ts"
import { farewells } from "./lifecycle/farewells.ts"
import { isElsewhere } from "./differences.ts"
import { mostPluginBytes, type PluginManifest, settingsSchemaOf } from "./manifests/PluginManifest.ts"
import { PluginSettings } from "./Plugin.ts"
import type { KeptPlugin } from "./Plugins.ts"
import { faultsOfValue } from "./schemas/faultsOfValue.ts"
import { secretNames, step } from "./schemas/PluginSchema.ts"

const Sealed = Schema.fromJsonString(PluginSettings)

const sealedSettings = sealedForOrigin("plugin", "settings")

export const pluginSealedValues = [sealedSettings, farewells] as const

const seal = Effect.fnUntraced(function* (id: PluginId, { baseUrl }: PluginManifest, secrets: PluginSettings) {
  if (Object.keys(secrets).length === 0) return null
  const text = yield* Effect.orDie(Schema.encodeEffect(Sealed)(secrets))
  return yield* sealedSettings.seal(id, originOf(baseUrl), Redacted.make(text))
})

/** All settings with their values, including secrets. Secrets open for the origin of the installed version only. */
export const openSettings = Effect.fnUntraced(function* ({
  id,
  manifest,
  sealedSettings: sealed,
  settings
}: KeptPlugin) {
  if (sealed === null) return settings
  const opened = yield* sealedSettings.open(id, originOf(manifest.baseUrl), sealed)
  return { ...settings, ...(yield* Effect.orDie(Schema.decodeEffect(Sealed)(Redacted.value(opened)))) }
})

const faultsOfSettings = (manifest: PluginManifest, values: PluginSettings): ReadonlyArray<Fault> =>
  utf8Bytes(JSON.stringify(values)).length > mostPluginBytes
    ? [{ pointer: "/settings", message: "Expected settings of at most 64 KiB" }]
    : faultsOfValue(settingsSchemaOf(manifest), values, "/settings")

/** Refuses settings that are not as the manifest says. */
export const checkSettings = Effect.fnUntraced(function* (manifest: PluginManifest, values: PluginSettings) {
  const errors = faultsOfSettings(manifest, values)
  if (errors.length > 0) return yield* new ValidationFailed({ errors })
})

/** The settings after a change: an absent one stays, `null` takes one away, and a secret that is said as it is shown stays. */
export const changedSettings = (
  manifest: PluginManifest,
  before: PluginSettings,
  said: PluginSettings
): PluginSettings => {
  const secrets = new Set(secretNames(settingsSchemaOf(manifest)))
  const kept = Object.entries(before).filter(([name]) => !Object.hasOwn(said, name))
  const changed = Object.entries(said).flatMap(([name, value]): ReadonlyArray<readonly [string, Schema.Json]> => {
    const former = Object.hasOwn(before, name) ? before[name] : undefined
    if (value === true && secrets.has(name) && former !== undefined) return [[name, former]]
    return value === null ? [] : [[name, value]]
  })
  return Object.fromEntries([...kept, ...changed])
}

const sealedElsewhere =
  "The value is sealed for another scheme, host or port. Specify it again for this version, or null to remove it"

/**
 * Stored values for another version. A version that would reveal a secret does not get it. A version on another origin gets no secret: the request
 * must specify each secret again.
 */
export const carriedSettings = Effect.fnUntraced(function* (
  stored: KeptPlugin,
  offered: PluginManifest,
  requested: PluginSettings
) {
  const { manifest, secretNames: names } = stored
  const secrets = new Set(secretNames(settingsSchemaOf(offered)))
  const isMoved = isElsewhere(manifest, offered)
  const missing = names.filter(
    (name) => isMoved && secrets.has(name) && (!Object.hasOwn(requested, name) || requested[name] === true)
  )
  if (missing.length > 0) {
    const errors = missing.map((name) => ({ pointer: `/settings${step(name)}`, message: sealedElsewhere }))
    return yield* new ValidationFailed({ errors })
  }
  const values = yield* openSettings(stored)
  const carried: PluginSettings = Object.fromEntries(
    Object.entries(values).filter(([name]) => !names.includes(name) || (secrets.has(name) && !isMoved))
  )
  return carried
})

/** How settings are kept: the secret ones sealed, all in one. */
export const keptSettings = Effect.fnUntraced(function* (
  id: PluginId,
  manifest: PluginManifest,
  values: PluginSettings
) {
  const named = new Set(secretNames(settingsSchemaOf(manifest)))
  const all = Object.entries(values)
  const secrets: PluginSettings = Object.fromEntries(all.filter(([name]) => named.has(name)))
  return {
    settings: Object.fromEntries(all.filter(([name]) => !named.has(name))),
    secretNames: Object.keys(secrets).toSorted(),
    sealedSettings: yield* seal(id, manifest, secrets)
  } satisfies Partial<KeptPlugin>
})

/** What is shown of settings: of a secret one, that there is a value. */
export const shownSettings = ({ secretNames: names, settings }: KeptPlugin): PluginSettings => ({
  ...settings,
  ...Object.fromEntries(names.map((name) => [name, true]))
})

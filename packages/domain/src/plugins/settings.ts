import { Effect, Redacted, Schema } from "effect"
import { utf8Bytes } from "../files/index.ts"
import { CurrentOrganization, type Fault, type PluginId, Vault, ValidationFailed } from "../kernel/index.ts"
import { mostPluginBytes, type PluginManifest, settingsSchemaOf } from "./manifests/PluginManifest.ts"
import { PluginSettings } from "./Plugin.ts"
import type { KeptPlugin } from "./Plugins.ts"
import { faultsOfValue } from "./schemas/faultsOfValue.ts"
import { secretNames } from "./schemas/PluginSchema.ts"

const Sealed = Schema.fromJsonString(PluginSettings)

const contextOf = Effect.fnUntraced(function* (id: PluginId) {
  return `plugin/${(yield* CurrentOrganization).id}/${id}/settings`
})

const seal = Effect.fnUntraced(function* (id: PluginId, secrets: PluginSettings) {
  if (Object.keys(secrets).length === 0) return null
  const text = yield* Effect.orDie(Schema.encodeEffect(Sealed)(secrets))
  return yield* (yield* Vault).seal(yield* contextOf(id), Redacted.make(text))
})

/** Every setting with its value, the secret ones, too. */
export const openSettings = Effect.fnUntraced(function* ({ id, sealedSettings, settings }: KeptPlugin) {
  if (sealedSettings === null) return settings
  const opened = yield* (yield* Vault).open(yield* contextOf(id), sealedSettings)
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

/** The values that another version gets: what was given as a secret is not taken over by one that would show it. */
export const stillSecret = (
  { secretNames: names }: KeptPlugin,
  offered: PluginManifest,
  values: PluginSettings
): PluginSettings => {
  const secrets = new Set(secretNames(settingsSchemaOf(offered)))
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name) || secrets.has(name)))
}

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
    sealedSettings: yield* seal(id, secrets)
  } satisfies Partial<KeptPlugin>
})

/** What is shown of settings: of a secret one, that there is a value. */
export const shownSettings = ({ secretNames: names, settings }: KeptPlugin): PluginSettings => ({
  ...settings,
  ...Object.fromEntries(names.map((name) => [name, true]))
})

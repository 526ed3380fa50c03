import { Effect, Redacted, Schema } from "effect"
import {
  type ValidationIssue,
  FeatureNotInPlan,
  originOf,
  type PluginId,
  defineOriginSealedValue,
  ValidationFailed
} from "../../kernel/index.ts"
import { Plans, plans, plansWith } from "../../platform/entitlements/index.ts"
import { utf8Bytes } from "../../platform/files/index.ts"
import { hasOtherOrigin, Plugin, type PluginError, PluginSettings, findPluginUpdate } from "./Plugin.ts"
import { PluginCatalogue } from "./PluginCatalogue.ts"
import { maxPluginBytes, type PluginManifest, settingsSchemaOf } from "./PluginManifest.ts"
import type { StoredPlugin } from "./Plugins.ts"
import { uninstallNotices } from "./lifecycle/LifecycleCalls.ts"
import { secretNames, toPointerSegment } from "./schemas/PluginSchema.ts"
import { validateSchemaValue } from "./schemas/valueValidation.ts"

const SecretSettingsJson = Schema.fromJsonString(PluginSettings)

const sealedSettings = defineOriginSealedValue("plugin", "settings")

export const pluginSealedValues = [sealedSettings, uninstallNotices] as const

const seal = Effect.fnUntraced(function* (id: PluginId, { baseUrl }: PluginManifest, secrets: PluginSettings) {
  if (Object.keys(secrets).length === 0) return null
  const text = yield* Effect.orDie(Schema.encodeEffect(SecretSettingsJson)(secrets))
  return yield* sealedSettings.seal(id, originOf(baseUrl), Redacted.make(text))
})

/** All settings with their values, including secrets. Secrets open for the origin of the installed version only. */
export const openSettings = Effect.fnUntraced(function* ({
  id,
  manifest,
  sealedSettings: sealed,
  settings
}: StoredPlugin) {
  if (sealed === null) return settings
  const opened = yield* sealedSettings.open(id, originOf(manifest.baseUrl), sealed)
  return { ...settings, ...(yield* Effect.orDie(Schema.decodeEffect(SecretSettingsJson)(Redacted.value(opened)))) }
})

const validateSettings = (manifest: PluginManifest, values: PluginSettings): ReadonlyArray<ValidationIssue> =>
  utf8Bytes(JSON.stringify(values)).length > maxPluginBytes
    ? [{ pointer: "/settings", message: "Expected settings of at most 64 KiB" }]
    : validateSchemaValue(settingsSchemaOf(manifest), values, "/settings")

/** Fails unless the settings match the manifest's schema. */
export const checkSettings = Effect.fnUntraced(function* (manifest: PluginManifest, values: PluginSettings) {
  const errors = validateSettings(manifest, values)
  if (errors.length > 0) return yield* new ValidationFailed({ errors })
})

/** Merges a change into the settings: an absent setting stays, `null` removes it, and a secret in its displayed form stays. */
export const mergeSettings = (
  manifest: PluginManifest,
  before: PluginSettings,
  settings: PluginSettings
): PluginSettings => {
  const secrets = new Set(secretNames(settingsSchemaOf(manifest)))
  const kept = Object.entries(before).filter(([name]) => !Object.hasOwn(settings, name))
  const changed = Object.entries(settings).flatMap(([name, value]): ReadonlyArray<readonly [string, Schema.Json]> => {
    const former = Object.hasOwn(before, name) ? before[name] : undefined
    if (value === true && secrets.has(name) && former !== undefined) return [[name, former]]
    return value === null ? [] : [[name, value]]
  })
  return Object.fromEntries([...kept, ...changed])
}

const otherOriginMessage =
  "The value is encrypted for another scheme, host or port. Specify it again for this version, or null to remove it"

/**
 * Stored values for another version. A version that would reveal a secret does not get it. A version on another origin gets no secret: the request
 * must specify each secret again.
 */
export const carrySettings = Effect.fnUntraced(function* (
  stored: StoredPlugin,
  offered: PluginManifest,
  requested: PluginSettings
) {
  const { manifest, secretNames: names } = stored
  const secrets = new Set(secretNames(settingsSchemaOf(offered)))
  const isMoved = hasOtherOrigin(manifest, offered)
  const missing = names.filter(
    (name) => isMoved && secrets.has(name) && (!Object.hasOwn(requested, name) || requested[name] === true)
  )
  if (missing.length > 0) {
    const errors = missing.map((name) => ({
      pointer: `/settings${toPointerSegment(name)}`,
      message: otherOriginMessage
    }))
    return yield* new ValidationFailed({ errors })
  }
  const values = yield* openSettings(stored)
  const carried: PluginSettings = Object.fromEntries(
    Object.entries(values).filter(([name]) => !names.includes(name) || (secrets.has(name) && !isMoved))
  )
  return carried
})

/** Converts settings to their stored form: all secret ones sealed together. */
export const toStoredSettings = Effect.fnUntraced(function* (
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
  } satisfies Partial<StoredPlugin>
})

/** Returns the displayed settings. A secret setting shows only that it has a value. */
const toSettingsView = ({ secretNames: names, settings }: StoredPlugin): PluginSettings => ({
  ...settings,
  ...Object.fromEntries(names.map((name) => [name, true]))
})

/** Returns the reason why no plugin runs; `null` if the plan includes plugins. */
const findPlanError = Effect.gen(function* () {
  const plan = yield* (yield* Plans).current()
  if (plans[plan].features.includes("plugins")) return null
  const { message } = new FeatureNotInPlan({ feature: "plugins", plan, availableIn: plansWith("plugins") })
  return { code: "feature_not_in_plan", message, at: null } satisfies PluginError
})

/** Returns the displayed plugins with their available catalogue updates. */
export const toPluginViews = Effect.fnUntraced(function* (all: ReadonlyArray<StoredPlugin>) {
  const offered = yield* (yield* PluginCatalogue).byKeys(all.map(({ manifest }) => manifest.key))
  const refusal = yield* findPlanError
  return all.map((kept) => {
    const { id, lastError, manifest, status, version } = kept
    const entry = offered.find((each) => each.manifest.key === manifest.key)
    return new Plugin({
      id,
      key: manifest.key,
      name: manifest.name,
      manifest,
      status,
      permissions: manifest.permissions,
      settings: toSettingsView(kept),
      update: findPluginUpdate(manifest, entry?.manifest ?? null),
      lastError: refusal ?? lastError,
      version
    })
  })
})

export const toPluginView = Effect.fnUntraced(function* (kept: StoredPlugin) {
  const [shown] = yield* toPluginViews([kept])
  return shown ?? (yield* Effect.die(new Error("A plugin is shown as one.")))
})

/** Returns the audit fields of a plugin, without the values of secrets. */
export const toPluginAuditFields = (kept: StoredPlugin): Record<string, Schema.Json> => ({
  key: kept.manifest.key,
  version: kept.manifest.version,
  baseUrl: kept.manifest.baseUrl,
  permissions: [...kept.manifest.permissions],
  events: [...(kept.manifest.events?.types ?? [])],
  settings: Object.keys(toSettingsView(kept))
})

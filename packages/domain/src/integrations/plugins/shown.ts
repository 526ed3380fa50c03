import { Effect, type Schema } from "effect"
import { Plans, plans, plansWith } from "../../platform/entitlements/index.ts"
import { FeatureNotInPlan } from "../../kernel/index.ts"
import { updateFor } from "./differences.ts"
import { Plugin, type PluginError } from "./Plugin.ts"
import { PluginCatalogue } from "./PluginCatalogue.ts"
import type { KeptPlugin } from "./Plugins.ts"
import { shownSettings } from "./settings.ts"

/** Why nothing of plugins runs; `null` where the plan has them. */
const refusalOfPlan = Effect.gen(function* () {
  const plan = yield* (yield* Plans).current()
  if (plans[plan].features.includes("plugins")) return null
  const { message } = new FeatureNotInPlan({ feature: "plugins", plan, availableIn: plansWith("plugins") })
  return { code: "feature_not_in_plan", message, at: null } satisfies PluginError
})

/** What is shown of plugins, with what the catalogue has newer of them. */
export const shownPlugins = Effect.fnUntraced(function* (all: ReadonlyArray<KeptPlugin>) {
  const offered = yield* (yield* PluginCatalogue).byKeys(all.map(({ manifest }) => manifest.key))
  const refusal = yield* refusalOfPlan
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
      settings: shownSettings(kept),
      update: updateFor(manifest, entry?.manifest ?? null),
      lastError: refusal ?? lastError,
      version
    })
  })
})

/** What is shown of a plugin. */
export const shownPlugin = Effect.fnUntraced(function* (kept: KeptPlugin) {
  const [shown] = yield* shownPlugins([kept])
  return shown ?? (yield* Effect.die(new Error("A plugin is shown as one.")))
})

/** What the trail keeps of a plugin: never the value of a secret. */
export const audited = (kept: KeptPlugin): Record<string, Schema.Json> => ({
  key: kept.manifest.key,
  version: kept.manifest.version,
  baseUrl: kept.manifest.baseUrl,
  permissions: [...kept.manifest.permissions],
  events: [...(kept.manifest.events?.types ?? [])],
  settings: Object.keys(shownSettings(kept))
})

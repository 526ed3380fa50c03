import { Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { admitting } from "../../../platform/entitlements/index.ts"
import { invalid, Locks, nextId, PluginId, requireReach, transact, useCase } from "../../../kernel/index.ts"
import { addHeld } from "../../webhooks/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { checkGrants, checkHost, checkManifest } from "../checks.ts"
import { PluginExists } from "../Errors.ts"
import { heldBy, nextRotation, startDeliveries, statusOfStart, target } from "../lifecycle/life.ts"
import { suppliesOf, tell } from "../lifecycle/supply.ts"
import type { PluginManifest } from "../manifests/PluginManifest.ts"
import { type NewPlugin, type PluginSettings, PluginSupplied } from "../Plugin.ts"
import { PluginCatalogue } from "../PluginCatalogue.ts"
import { type KeptPlugin, Plugins } from "../Plugins.ts"
import { checkSettings, keptSettings } from "../settings.ts"
import { audited, shownPlugin } from "../shown.ts"
import { addToken } from "../tokens.ts"

/** The manifest that is meant, and where in the request it stands. */
const meant = Effect.fnUntraced(function* ({ key, manifest }: NewPlugin) {
  if (manifest !== undefined && key === undefined) return { manifest, place: "/manifest" }
  if (manifest !== undefined || key === undefined) return yield* invalid("", "Expected one of: key, manifest")
  const [entry] = yield* (yield* PluginCatalogue).byKeys([key])
  if (entry === undefined) return yield* invalid("/key", "There is no plugin of this key in the catalogue")
  return { manifest: entry.manifest, place: "/key" }
})

const add = Effect.fnUntraced(function* (manifest: PluginManifest, settings: PluginSettings) {
  const plugins = yield* Plugins
  yield* (yield* Locks).exclusive("plugins")
  const [other] = yield* plugins.byKeys([manifest.key])
  if (other !== undefined) return yield* new PluginExists({ pluginId: other.id })
  const id = yield* nextId(PluginId)
  const bare: KeptPlugin = {
    id,
    manifest,
    status: "installing",
    ...(yield* keptSettings(id, manifest, settings)),
    isGreeted: false,
    lastError: null,
    rotatesAt: null,
    version: 1
  }
  const kept: KeptPlugin = { ...bare, status: statusOfStart(bare), rotatesAt: yield* nextRotation(bare) }
  yield* plugins.insert(kept).pipe(admitting("plugins"))
  yield* addHeld("plugins", heldBy(kept))
  const carried = { token: yield* addToken(id), hasSecret: true }
  yield* tell(kept, "plugin.installed", carried)
  if (kept.status === "enabled") yield* startDeliveries(kept)
  yield* record("plugin.installed", target(id), { after: audited(kept) })
  yield* appendEvent({ type: "plugin.installed", pluginId: id, key: manifest.key, version: manifest.version })
  return new PluginSupplied({ ...(yield* shownPlugin(kept)), ...(yield* suppliesOf(kept, carried)) })
}, transact)

/**
 * Installs a plugin with exactly what it asks for, which whoever installs it holds. It acts in its own name, whatever becomes of
 * them.
 */
export const installPlugin = useCase(
  "plugins.install",
  { access: { permission: "plugins.manage" }, gatedBy: "plugins", actsThrough: "plugin" },
  Effect.fnUntraced(function* (input: NewPlugin) {
    const { grants, settings = {} } = input
    const { manifest, place } = yield* meant(input)
    yield* checkManifest(manifest, place)
    yield* requireReach(manifest.permissions)
    yield* checkGrants(manifest, grants)
    yield* checkSettings(manifest, settings)
    yield* checkHost(manifest, place)
    return yield* add(manifest, settings)
  })
)

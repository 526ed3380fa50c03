import { Effect } from "effect"
import {
  invalid,
  Locks,
  nextId,
  NotFound,
  PluginId,
  requireReach,
  requireVersion,
  transact,
  useCase
} from "../../../kernel/index.ts"
import { record } from "../../../platform/audit/index.ts"
import { admitting } from "../../../platform/entitlements/index.ts"
import { addHeld, changeHeld, removeHeld } from "../../webhooks/index.ts"
import {
  isElsewhere,
  needsGrants,
  type NewPlugin,
  type PluginSettings,
  PluginSupplied,
  type PluginUpgrade,
  updateFor
} from "../Plugin.ts"
import { PluginCatalogue } from "../PluginCatalogue.ts"
import type { PluginManifest } from "../PluginManifest.ts"
import { type KeptPlugin, Plugins, PluginUses } from "../Plugins.ts"
import { PluginExists, PluginInUse, PluginVersionUnavailable } from "../errors.ts"
import { appendEvent } from "../events.ts"
import { subscriptionOf } from "../lifecycle/LifecycleCalls.ts"
import {
  addToken,
  heldBy,
  isAtWork,
  nextRotation,
  startDeliveries,
  statusOfStart,
  stop,
  target
} from "../lifecycle/pluginLifecycle.ts"
import { renew, sealFarewell, suppliesOf, tell, tellAnew } from "../lifecycle/pluginSupply.ts"
import { checkGrants, checkHost, checkManifest } from "../manifestChecks.ts"
import {
  audited,
  carriedSettings,
  changedSettings,
  checkSettings,
  keptSettings,
  shownPlugin
} from "../pluginSettings.ts"

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

const offeredFor = Effect.fnUntraced(function* ({ manifest }: KeptPlugin, version: string) {
  const [entry] = yield* (yield* PluginCatalogue).byKeys([manifest.key])
  const update = updateFor(manifest, entry?.manifest ?? null)
  if (entry === undefined || update === null) return yield* new PluginVersionUnavailable({ available: null })
  if (entry.manifest.version !== version) {
    return yield* new PluginVersionUnavailable({ available: entry.manifest.version })
  }
  return entry.manifest
})

/** The new host knows what it is told by what it may know already: for so long the former secret signs as well. */
const former = { secretSeconds: 600, tokenSeconds: 0 }

/** Takes from the former host what it has: another secret and token go to the new one. */
const move = Effect.fnUntraced(function* (plugin: KeptPlugin) {
  const { carried } = yield* renew(plugin, former)
  if (isAtWork(plugin)) yield* tellAnew(plugin, "plugin.upgraded", carried)
  return yield* suppliesOf(plugin, carried)
})

const upgrade = Effect.fnUntraced(function* (
  id: PluginId,
  { grants, settings: said = {}, version }: PluginUpgrade,
  expectedVersion: number | null,
  checked: PluginManifest
) {
  const plugins = yield* Plugins
  const before = yield* plugins.lock(id)
  yield* requireVersion(before, expectedVersion)
  const offered = yield* offeredFor(before, version)
  yield* requireReach([...before.manifest.permissions, ...offered.permissions])
  // Whoever operates the catalogue may have put another manifest there since its host was looked at.
  if (JSON.stringify(offered) !== JSON.stringify(checked))
    return yield* new PluginVersionUnavailable({ available: null })
  if (grants !== undefined) yield* checkGrants(offered, grants)
  else if (needsGrants(before.manifest, offered)) {
    return yield* invalid(
      "/grants",
      "Specify grants: the version asks for more permissions, or has another scheme, host or port"
    )
  }
  const values = changedSettings(offered, yield* carriedSettings(before, offered, said), said)
  yield* checkSettings(offered, values)
  const rotatesAt =
    before.status === "enabled" && before.rotatesAt === null
      ? yield* nextRotation({ ...before, manifest: offered })
      : before.rotatesAt
  const saved = yield* plugins.save(
    { ...before, manifest: offered, rotatesAt, ...(yield* keptSettings(id, offered, values)) },
    expectedVersion
  )
  yield* changeHeld(heldBy(saved))
  const isMoved = isElsewhere(before.manifest, offered)
  const supplies = isMoved ? yield* move(saved) : {}
  if (isAtWork(saved) && !isMoved) yield* tell(saved, "plugin.upgraded")
  yield* record("plugin.upgraded", target(id), { before: audited(before), after: audited(saved) })
  yield* appendEvent({ type: "plugin.upgraded", pluginId: id, from: before.manifest.version, to: version })
  return new PluginSupplied({ ...(yield* shownPlugin(saved)), ...supplies })
}, transact)

/** Has a plugin be the newest version in the catalogue. If that asks for more or is on another host, somebody says so. */
export const upgradePlugin = useCase(
  "plugins.upgrade",
  { access: { permission: "plugins.manage" }, gatedBy: "plugins", actsThrough: "plugin" },
  Effect.fnUntraced(function* (id: PluginId, said: PluginUpgrade, expectedVersion: number | null) {
    const kept = yield* (yield* Plugins).find(id)
    if (kept === null) return yield* new NotFound({ resource: "plugin" })
    const offered = yield* offeredFor(kept, said.version)
    yield* checkManifest(offered, "/version")
    yield* checkHost(offered, "/version")
    return yield* upgrade(id, said, expectedVersion, offered)
  })
)

/** Removes a plugin with its tokens and secrets, and has it told. Something that uses it keeps it, unless it is forced. */
export const uninstallPlugin = useCase(
  "plugins.uninstall",
  { access: { permission: "plugins.manage" }, gatedBy: "plugins", actsThrough: "nothing" },
  Effect.fnUntraced(function* (id: PluginId, force: boolean, expectedVersion: number | null) {
    const plugins = yield* Plugins
    yield* (yield* Locks).exclusive("plugins")
    const before = yield* plugins.lock(id)
    const usedBy = force ? [] : yield* (yield* PluginUses).of(id)
    if (usedBy.length > 0) return yield* new PluginInUse({ usedBy })
    const farewell = yield* sealFarewell(before)
    yield* stop(before)
    yield* plugins.remove(id, expectedVersion)
    yield* removeHeld(subscriptionOf(id))
    yield* tell(before, "plugin.uninstalled", farewell === undefined ? {} : { farewell })
    yield* record("plugin.uninstalled", target(id), { before: audited(before) })
    yield* appendEvent({ type: "plugin.uninstalled", pluginId: id, key: before.manifest.key })
  }, transact)
)

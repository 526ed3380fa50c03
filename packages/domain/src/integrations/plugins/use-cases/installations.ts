import { Effect } from "effect"
import {
  Dependents,
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
import { recordAudit } from "../../../platform/audit/index.ts"
import { withinLimit } from "../../../platform/entitlements/index.ts"
import { addManaged, changeManaged, removeManaged } from "../../webhooks/index.ts"
import {
  hasOtherOrigin,
  requiresGrants,
  type NewPlugin,
  type PluginSettings,
  PluginWithCredentials,
  type PluginUpgrade,
  findPluginUpdate
} from "../Plugin.ts"
import { PluginCatalogue } from "../PluginCatalogue.ts"
import type { PluginManifest } from "../PluginManifest.ts"
import { type StoredPlugin, Plugins } from "../Plugins.ts"
import { PluginExists, PluginInUse, PluginVersionUnavailable } from "../errors.ts"
import { appendEvent } from "../events.ts"
import { subscriptionOf } from "../lifecycle/LifecycleCalls.ts"
import {
  addToken,
  toManagedSubscription,
  isPluginActive,
  nextRotation,
  startDeliveries,
  initialPluginStatus,
  stopPlugin,
  pluginAuditTarget
} from "../lifecycle/pluginLifecycle.ts"
import {
  renewCredentials,
  sealUninstallNotice,
  revealCredentials,
  queueLifecycleCall,
  restartLifecycle
} from "../lifecycle/pluginCredentials.ts"
import { checkGrants, checkHost, checkManifest } from "../manifestChecks.ts"
import {
  toPluginAuditFields,
  carrySettings,
  mergeSettings,
  checkSettings,
  toStoredSettings,
  toPluginView
} from "../pluginSettings.ts"

/** Resolves the requested manifest and its location in the request. */
const resolveManifest = Effect.fnUntraced(function* ({ key, manifest }: NewPlugin) {
  if (manifest !== undefined && key === undefined) return { manifest, place: "/manifest" }
  if (manifest !== undefined || key === undefined) return yield* invalid("", "Expected exactly one of: key, manifest")
  const [entry] = yield* (yield* PluginCatalogue).byKeys([key])
  if (entry === undefined) return yield* invalid("/key", "The catalogue has no plugin with this key")
  return { manifest: entry.manifest, place: "/key" }
})

const add = Effect.fnUntraced(function* (manifest: PluginManifest, settings: PluginSettings) {
  const plugins = yield* Plugins
  yield* (yield* Locks).exclusive("plugins")
  const [other] = yield* plugins.byKeys([manifest.key])
  if (other !== undefined) return yield* new PluginExists({ pluginId: other.id })
  const id = yield* nextId(PluginId)
  const bare: StoredPlugin = {
    id,
    manifest,
    status: "installing",
    ...(yield* toStoredSettings(id, manifest, settings)),
    isGreeted: false,
    lastError: null,
    rotatesAt: null,
    version: 1
  }
  const kept: StoredPlugin = { ...bare, status: initialPluginStatus(bare), rotatesAt: yield* nextRotation(bare) }
  yield* plugins.insert(kept).pipe(withinLimit("plugins"))
  yield* addManaged("plugins", toManagedSubscription(kept))
  const carried = { token: yield* addToken(id), hasSecret: true }
  yield* queueLifecycleCall(kept, "plugin.installed", carried)
  if (kept.status === "enabled") yield* startDeliveries(kept)
  yield* recordAudit("plugin.installed", pluginAuditTarget(id), { after: toPluginAuditFields(kept) })
  yield* appendEvent({ type: "plugin.installed", pluginId: id, key: manifest.key, version: manifest.version })
  return new PluginWithCredentials({ ...(yield* toPluginView(kept)), ...(yield* revealCredentials(kept, carried)) })
}, transact)

/** Installs a plugin with exactly the requested permissions, which the installing actor must hold. The plugin acts independently of that actor. */
export const installPlugin = useCase(
  {
    name: "plugins.install",
    access: { permission: "plugins.manage" },
    feature: "plugins",
    actsThrough: "plugin",
    audit: "plugin.installed",
    emits: ["plugin.installed"]
  },
  Effect.fnUntraced(function* (input: NewPlugin) {
    const { grants, settings = {} } = input
    const { manifest, place } = yield* resolveManifest(input)
    yield* checkManifest(manifest, place)
    yield* requireReach(manifest.permissions)
    yield* checkGrants(manifest, grants)
    yield* checkSettings(manifest, settings)
    yield* checkHost(manifest, place)
    return yield* add(manifest, settings)
  })
)

/** A manifest in the request replaces the installed one, for example during development. */
const checkReplacement = Effect.fnUntraced(function* ({ manifest }: StoredPlugin, offered: PluginManifest) {
  if (offered.key !== manifest.key)
    return yield* invalid("/manifest/key", `Expected the installed plugin ${manifest.key}`)
  const [entry] = yield* (yield* PluginCatalogue).byKeys([manifest.key])
  if (entry !== undefined) return yield* invalid("/manifest", "This plugin is in the catalogue. Specify its version")
  return offered
})

const findOfferedManifest = Effect.fnUntraced(function* (
  kept: StoredPlugin,
  { manifest: own, version }: PluginUpgrade
) {
  if ((own === undefined) === (version === undefined)) {
    return yield* invalid("", "Expected exactly one of: version, manifest")
  }
  if (own !== undefined) return yield* checkReplacement(kept, own)
  const { manifest } = kept
  const [entry] = yield* (yield* PluginCatalogue).byKeys([manifest.key])
  const update = findPluginUpdate(manifest, entry?.manifest ?? null)
  if (entry === undefined || update === null) return yield* new PluginVersionUnavailable({ available: null })
  if (entry.manifest.version !== version) {
    return yield* new PluginVersionUnavailable({ available: entry.manifest.version })
  }
  return entry.manifest
})

/** The former secret also signs for this time, because the new host may know only that secret. */
const formerOriginOverlap = { secretSeconds: 600, tokenSeconds: 0 }

/** Issues a new secret and token for the new host. Those of the former host become invalid. */
const moveToNewOrigin = Effect.fnUntraced(function* (plugin: StoredPlugin) {
  const { carried } = yield* renewCredentials(plugin, formerOriginOverlap)
  if (isPluginActive(plugin)) yield* restartLifecycle(plugin, "plugin.upgraded", carried)
  return yield* revealCredentials(plugin, carried)
})

const upgrade = Effect.fnUntraced(function* (
  id: PluginId,
  input: PluginUpgrade,
  expectedVersion: number | null,
  checked: PluginManifest
) {
  const plugins = yield* Plugins
  const before = yield* plugins.lock(id)
  yield* requireVersion(before, expectedVersion)
  const { grants, settings: options = {} } = input
  const offered = yield* findOfferedManifest(before, input)
  yield* requireReach([...before.manifest.permissions, ...offered.permissions])
  // The operator may have replaced the catalogue manifest since the check of its host.
  if (JSON.stringify(offered) !== JSON.stringify(checked))
    return yield* new PluginVersionUnavailable({ available: null })
  if (grants !== undefined) yield* checkGrants(offered, grants)
  else if (requiresGrants(before.manifest, offered)) {
    return yield* invalid(
      "/grants",
      "Specify grants: the version asks for more permissions, or has another scheme, host or port"
    )
  }
  const values = mergeSettings(offered, yield* carrySettings(before, offered, options), options)
  yield* checkSettings(offered, values)
  const rotatesAt =
    before.status === "enabled" && before.rotatesAt === null
      ? yield* nextRotation({ ...before, manifest: offered })
      : before.rotatesAt
  const saved = yield* plugins.save(
    { ...before, manifest: offered, rotatesAt, ...(yield* toStoredSettings(id, offered, values)) },
    expectedVersion
  )
  yield* changeManaged(toManagedSubscription(saved))
  const isMoved = hasOtherOrigin(before.manifest, offered)
  const supplies = isMoved ? yield* moveToNewOrigin(saved) : {}
  if (isPluginActive(saved) && !isMoved) yield* queueLifecycleCall(saved, "plugin.upgraded")
  yield* recordAudit("plugin.upgraded", pluginAuditTarget(id), {
    before: toPluginAuditFields(before),
    after: toPluginAuditFields(saved)
  })
  yield* appendEvent({ type: "plugin.upgraded", pluginId: id, from: before.manifest.version, to: offered.version })
  return new PluginWithCredentials({ ...(yield* toPluginView(saved)), ...supplies })
}, transact)

/** Upgrades a plugin to the newest catalogue version, or replaces the manifest of a plugin outside the catalogue. More permissions or another origin require explicit grants. */
export const upgradePlugin = useCase(
  {
    name: "plugins.upgrade",
    access: { permission: "plugins.manage" },
    feature: "plugins",
    actsThrough: "plugin",
    audit: "plugin.upgraded",
    emits: ["plugin.upgraded"]
  },
  Effect.fnUntraced(function* ({
    id,
    ifVersion,
    ...input
  }: { readonly id: PluginId; readonly ifVersion: number | null } & PluginUpgrade) {
    const kept = yield* (yield* Plugins).find(id)
    if (kept === null) return yield* new NotFound({ resource: "plugin" })
    const offered = yield* findOfferedManifest(kept, input)
    const place = input.manifest === undefined ? "/version" : "/manifest"
    yield* checkManifest(offered, place)
    yield* checkHost(offered, place)
    return yield* upgrade(id, input, ifVersion, offered)
  })
)

/** Uninstalls a plugin, deletes its tokens and secrets, and notifies it. Fails if an automation or workflow uses it, unless forced. */
export const uninstallPlugin = useCase(
  {
    name: "plugins.uninstall",
    access: { permission: "plugins.manage" },
    feature: "plugins",
    actsThrough: "nothing",
    audit: "plugin.uninstalled",
    emits: ["plugin.uninstalled"]
  },
  Effect.fnUntraced(function* ({
    id,
    force = false,
    ifVersion
  }: {
    readonly id: PluginId
    readonly force?: boolean
    readonly ifVersion: number | null
  }) {
    const plugins = yield* Plugins
    yield* (yield* Locks).exclusive("plugins")
    const before = yield* plugins.lock(id)
    const usedBy = force ? [] : yield* (yield* Dependents).find("plugin", id)
    if (usedBy.length > 0) return yield* new PluginInUse({ usedBy })
    const farewell = yield* sealUninstallNotice(before)
    yield* stopPlugin(before)
    yield* plugins.remove(id, ifVersion)
    yield* removeManaged(subscriptionOf(id))
    yield* queueLifecycleCall(before, "plugin.uninstalled", farewell === undefined ? {} : { farewell })
    yield* recordAudit("plugin.uninstalled", pluginAuditTarget(id), { before: toPluginAuditFields(before) })
    yield* appendEvent({ type: "plugin.uninstalled", pluginId: id, key: before.manifest.key })
  }, transact)
)

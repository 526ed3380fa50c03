import { Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import {
  invalid,
  NotFound,
  type PluginId,
  requireReach,
  requireVersion,
  transact,
  useCase
} from "../../../kernel/index.ts"
import { changeHeld } from "../../webhooks/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { checkGrants, checkHost, checkManifest } from "../checks.ts"
import { isElsewhere, needsGrants, updateFor } from "../differences.ts"
import { PluginVersionUnavailable } from "../Errors.ts"
import { heldBy, isAtWork, nextRotation, target } from "../lifecycle/life.ts"
import { renew, tellAnew } from "../lifecycle/renew.ts"
import { suppliesOf, tell } from "../lifecycle/supply.ts"
import type { PluginManifest } from "../manifests/PluginManifest.ts"
import { PluginSupplied, type PluginUpgrade } from "../Plugin.ts"
import { PluginCatalogue } from "../PluginCatalogue.ts"
import { type KeptPlugin, Plugins } from "../Plugins.ts"
import { carriedSettings, changedSettings, checkSettings, keptSettings } from "../settings.ts"
import { audited, shownPlugin } from "../shown.ts"

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

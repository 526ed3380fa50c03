import type { PluginId } from "@parley/domain/kernel"
import { type Organization, runDueLanes } from "@parley/domain/platform"
import {
  disablePlugin,
  getPlugin,
  installPlugin,
  type NewPlugin,
  pluginLifecycleLaneWorker,
  type PluginManifest,
  type WebhookRequest
} from "@parley/domain/integrations"
import { layerEventResources } from "@parley/domain/composition"
import { aManifest, asOperatorOf, ReceiverScript } from "@parley/testkit"
import { Effect } from "effect"
import { bodyOf } from "../webhooks/given.ts"

/** URLs of test plugins for lifecycle calls and events. */
export const lifecycleUrl = "https://plugin.acme.example/lifecycle"
export const eventsUrl = "https://plugin.acme.example/events"

/** Sends due calls to plugins. */
export const tellPlugins = Effect.provide(runDueLanes(pluginLifecycleLaneWorker), layerEventResources)

/** Installs a plugin as a caller with all permissions. */
export const installed = (
  organization: Organization,
  overrides: Partial<PluginManifest> = {},
  settings: NewPlugin["settings"] = {}
) => {
  const manifest = { ...aManifest, ...overrides }
  return installPlugin({ manifest, grants: manifest.permissions, settings }).pipe(asOperatorOf(organization))
}

/** The plugin as it is now. */
export const pluginNow = (organization: Organization, id: PluginId) =>
  asOperatorOf(organization)(getPlugin({ id })).pipe(Effect.orDie)

/** Disables the plugin. */
export const disabled = (organization: Organization, id: PluginId) =>
  asOperatorOf(organization)(disablePlugin({ id, ifVersion: null })).pipe(Effect.orDie)

/** Requests posted to an address, in order. */
export const postedTo = (url: string): Effect.Effect<ReadonlyArray<WebhookRequest>, never, ReceiverScript> =>
  Effect.map(ReceiverScript, (script) => script.posted(url))

/** Requests posted to an address for one organization, in order. */
export const saidTo = (url: string, organization: Organization) =>
  Effect.map(postedTo(url), (all) => all.map(bodyOf).filter(({ organizationId }) => organizationId === organization.id))

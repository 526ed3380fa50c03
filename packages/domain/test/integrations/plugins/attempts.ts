import type { PluginId } from "@parley/domain/kernel"
import {
  completePluginCall,
  disablePlugin,
  enablePlugin,
  getPlugin,
  installPlugin,
  listOfferedPlugins,
  listPluginDeliveries,
  listPlugins,
  offerPlugin,
  PluginCatalogue,
  reencryptPluginSecrets,
  rotatePluginSecret,
  uninstallPlugin,
  updatePlugin,
  upgradePlugin,
  withdrawPlugin
} from "@parley/domain/integrations"
import { aManifest, givenPluginCall, putPlugin } from "@parley/testkit"
import { Effect } from "effect"
import { attempt, firstPage, type Prepare, reads, type Trace, type Values, type World } from "../../attempting.ts"

const trace = (
  id: PluginId,
  action: string,
  before: Values | null,
  after: Values | null,
  event: Trace["event"]
): Trace => ({ action, target: { kind: "plugin", id }, before, after, event })

const audited: Values = {
  key: aManifest.key,
  version: aManifest.version,
  baseUrl: aManifest.baseUrl,
  permissions: ["contacts.read"],
  events: ["tag.created"],
  settings: []
}

const given = ({ organization }: World) => putPlugin(organization, { manifest: aManifest })

const any = { state: null, type: null, from: null, to: null }

const withoutLifecycle = () => {
  const { lifecycle: _, ...manifest } = aManifest
  return manifest
}

/** A valid attempt at every use case of this area. */
export const attempts: Readonly<Record<string, Prepare>> = {
  "plugins.install": () =>
    Effect.succeed(
      attempt(
        installPlugin({
          manifest: withoutLifecycle(),
          grants: ["contacts.read"],
          settings: { apiKey: "ak_of_the_plugin", points: 3 }
        }),
        ({ id }) =>
          trace(
            id,
            "plugin.installed",
            null,
            { ...audited, settings: ["points", "apiKey"] },
            { type: "plugin.installed", pluginId: id, key: aManifest.key, version: "1.4.0" }
          ),
        { secret: "ak_of_the_plugin" }
      )
    ),
  "plugins.get": (world) => Effect.map(given(world), ({ id }) => attempt(getPlugin({ id }))),
  "plugins.list": reads(() => listPlugins({ page: firstPage })),
  "plugins.listDeliveries": (world) =>
    Effect.map(given(world), ({ id }) => attempt(listPluginDeliveries({ id, ...any, page: firstPage }))),
  "plugins.update": (world) =>
    Effect.map(given(world), ({ id }) =>
      attempt(updatePlugin({ id, settings: { points: 5 }, ifVersion: 1 }), () =>
        trace(
          id,
          "plugin.updated",
          null,
          { settings: ["points"] },
          { type: "plugin.updated", pluginId: id, fields: ["settings.points"] }
        )
      )
    ),
  "plugins.upgrade": (world) =>
    Effect.gen(function* () {
      const { id } = yield* given(world)
      const manifest = { ...aManifest, version: "1.5.0" }
      yield* (yield* PluginCatalogue).put({ manifest, url: "https://acme.example/plugin.json" })
      return attempt(upgradePlugin({ id, version: "1.5.0", ifVersion: 1 }), () =>
        trace(
          id,
          "plugin.upgraded",
          { version: "1.4.0" },
          { version: "1.5.0" },
          { type: "plugin.upgraded", pluginId: id, from: "1.4.0", to: "1.5.0" }
        )
      )
    }),
  "plugins.enable": (world) =>
    Effect.map(putPlugin(world.organization, { manifest: aManifest, status: "disabled" }), ({ id }) =>
      attempt(enablePlugin({ id, ifVersion: 1 }), () =>
        trace(
          id,
          "plugin.enabled",
          { status: "disabled" },
          { status: "installing" },
          { type: "plugin.enabled", pluginId: id }
        )
      )
    ),
  "plugins.disable": (world) =>
    Effect.map(given(world), ({ id }) =>
      attempt(disablePlugin({ id, ifVersion: 1 }), () =>
        trace(
          id,
          "plugin.disabled",
          { status: "enabled" },
          { status: "disabled" },
          { type: "plugin.disabled", pluginId: id }
        )
      )
    ),
  "plugins.rotateSecret": (world) =>
    Effect.map(putPlugin(world.organization, { manifest: withoutLifecycle() }), ({ id }) =>
      attempt(rotatePluginSecret({ id }), () => trace(id, "plugin.secret_rotated", null, null, null))
    ),
  "plugins.completeCall": (world) =>
    Effect.map(givenPluginCall(world.organization), ({ id }) =>
      attempt(completePluginCall({ id, output: { total: 3 } }), () => ({
        action: "plugin_call.completed",
        target: { kind: "plugin_call", id },
        before: null,
        after: { state: "done" },
        event: null
      }))
    ),
  "plugins.reseal": (world) =>
    Effect.map(given(world), ({ id }) =>
      attempt(reencryptPluginSecrets(), () => trace(id, "plugin.resealed", null, null, null))
    ),
  "plugins.listOffered": reads(() => listOfferedPlugins()),
  // Receivers of tests have a manifest at this address.
  "plugins.offer": reads(() => offerPlugin({ url: "https://acme.example/plugin.json" })),
  "plugins.withdraw": () =>
    Effect.gen(function* () {
      const catalogue = yield* PluginCatalogue
      yield* catalogue.put({ manifest: { ...aManifest, key: "withdrawn" }, url: "https://acme.example/plugin.json" })
      return attempt(withdrawPlugin({ key: "withdrawn" }))
    }),
  "plugins.uninstall": (world) =>
    Effect.map(given(world), ({ id }) =>
      attempt(uninstallPlugin({ id, ifVersion: 1 }), () =>
        trace(id, "plugin.uninstalled", audited, null, {
          type: "plugin.uninstalled",
          pluginId: id,
          key: aManifest.key
        })
      )
    )
}

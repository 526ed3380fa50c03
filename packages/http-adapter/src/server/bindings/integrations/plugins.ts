import {
  disablePlugin,
  enablePlugin,
  getOwnPlugin,
  getPlugin,
  installPlugin,
  listPluginCalls,
  listPluginDeliveries,
  listPlugins,
  Plugin,
  PluginWithCredentials,
  RotatedPluginSecret,
  rotatePluginSecret,
  uninstallPlugin,
  updatePlugin,
  upgradePlugin,
  WebhookDelivery,
  WebhookDeliveryId
} from "@parley/domain/integrations"
import { PluginsApi } from "../../../api/plugins.ts"
import { expectedVersion } from "../../../api/shapes.ts"
import { manifest, ownPlugin, plugin, pluginCall } from "../../examples/plugins.ts"
import { at, samplePage } from "../../examples/samples.ts"
import { bindWith } from "../bind.ts"

const later = { version: plugin.version + 1 }

const delivery = new WebhookDelivery({
  id: WebhookDeliveryId.make("7a1b2c3d-4e5f-5061-8a2b-3c4d5e6f7081"),
  type: "order.created",
  position: 57,
  state: "delivered",
  attempts: 1,
  nextAttemptAt: null,
  deliveredAt: at("10:15:00.000")
})

export const plugins = bindWith(
  PluginsApi,
  {
    list: { runs: listPlugins, response: samplePage(plugin) },
    install: {
      runs: installPlugin,
      request: {
        key: "acme-loyalty",
        grants: ["contacts.manage", "commerce.read"],
        settings: { apiKey: "ak_51H8", pointsPerOrder: 10 }
      },
      response: new PluginWithCredentials({ ...plugin, status: "installing" })
    },
    me: { runs: getOwnPlugin, response: ownPlugin },
    get: { runs: getPlugin, response: plugin },
    update: {
      runs: updatePlugin,
      request: { settings: { pointsPerOrder: 20 } },
      response: new Plugin({ ...plugin, ...later, settings: { apiKey: true, pointsPerOrder: 20 } })
    },
    uninstall: { uses: uninstallPlugin },
    upgrade: {
      runs: upgradePlugin,
      request: { version: "1.5.0" },
      response: new PluginWithCredentials({ ...plugin, ...later, manifest: { ...manifest, version: "1.5.0" } })
    },
    enable: { runs: enablePlugin, response: new PluginWithCredentials({ ...plugin, ...later, status: "installing" }) },
    disable: { runs: disablePlugin, response: new Plugin({ ...plugin, ...later, status: "disabled" }) },
    rotateSecret: {
      runs: rotatePluginSecret,
      request: { overlapSeconds: 86_400 },
      response: new RotatedPluginSecret({ previousSecretExpiresAt: at("10:15:00.000") })
    },
    listDeliveries: { runs: listPluginDeliveries, response: samplePage(delivery) },
    listCalls: { runs: listPluginCalls, response: samplePage(pluginCall) }
  },
  (handlers) =>
    handlers.handleAll({
      uninstall: ({ headers, params, query }) =>
        uninstallPlugin({ ...params, force: query.force === "true", ifVersion: expectedVersion(headers) })
    })
)

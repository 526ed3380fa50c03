import {
  completePluginCall,
  disablePlugin,
  enablePlugin,
  getPlugin,
  installPlugin,
  listPluginDeliveries,
  listPlugins,
  Plugin,
  PluginCall,
  PluginCallId,
  PluginId,
  type PluginManifest,
  PluginWithCredentials,
  RotatedPluginSecret,
  rotatePluginSecret,
  uninstallPlugin,
  updatePlugin,
  upgradePlugin,
  WebhookDelivery,
  WebhookDeliveryId
} from "@parley/domain"
import type { PluginCallsApi, PluginsApi } from "../../plugins.ts"
import type { ExamplesOf } from "./Example.ts"
import { at, pageOf } from "./samples.ts"

const manifest: PluginManifest = {
  manifestVersion: 1,
  key: "acme-loyalty",
  version: "1.4.0",
  name: "Acme Loyalty",
  publisher: { name: "Acme", url: "https://acme.example" },
  baseUrl: "https://plugin.acme.example",
  lifecycle: "/lifecycle",
  events: { path: "/events", types: ["order.created"], payloadVersion: "v1" },
  permissions: ["contacts.manage", "commerce.read"],
  settings: {
    type: "object",
    required: ["apiKey"],
    properties: { apiKey: { type: "string", "x-parley-secret": true }, pointsPerOrder: { type: "integer", minimum: 1 } }
  },
  actions: [
    {
      key: "add_points",
      path: "/actions/add_points",
      timeoutSeconds: 10,
      input: { type: "object", properties: { points: { type: "integer" } } },
      output: { type: "object", properties: { total: { type: "integer" } } }
    }
  ]
}

export const plugin = new Plugin({
  id: PluginId.make("01934b92-3e4f-7a51-8c6d-7e8f90123456"),
  key: manifest.key,
  name: manifest.name,
  manifest,
  status: "enabled",
  permissions: manifest.permissions,
  settings: { apiKey: true, pointsPerOrder: 10 },
  update: null,
  lastError: null,
  version: 1
})

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

export const plugins: ExamplesOf<typeof PluginsApi> = {
  list: { runs: listPlugins, answer: pageOf(plugin) },
  install: {
    runs: installPlugin,
    request: {
      key: "acme-loyalty",
      grants: ["contacts.manage", "commerce.read"],
      settings: { apiKey: "ak_51H8", pointsPerOrder: 10 }
    },
    answer: new PluginWithCredentials({ ...plugin, status: "installing" })
  },
  get: { runs: getPlugin, answer: plugin },
  update: {
    runs: updatePlugin,
    request: { settings: { pointsPerOrder: 20 } },
    answer: new Plugin({ ...plugin, ...later, settings: { apiKey: true, pointsPerOrder: 20 } })
  },
  uninstall: { runs: uninstallPlugin },
  upgrade: {
    runs: upgradePlugin,
    request: { version: "1.5.0" },
    answer: new PluginWithCredentials({ ...plugin, ...later, manifest: { ...manifest, version: "1.5.0" } })
  },
  enable: { runs: enablePlugin, answer: new PluginWithCredentials({ ...plugin, ...later, status: "installing" }) },
  disable: { runs: disablePlugin, answer: new Plugin({ ...plugin, ...later, status: "disabled" }) },
  rotateSecret: {
    runs: rotatePluginSecret,
    request: { overlapSeconds: 86_400 },
    answer: new RotatedPluginSecret({ previousSecretExpiresAt: at("10:15:00.000") })
  },
  listDeliveries: { runs: listPluginDeliveries, answer: pageOf(delivery) }
}

export const pluginCalls: ExamplesOf<typeof PluginCallsApi> = {
  complete: {
    runs: completePluginCall,
    request: { output: { total: 120 } },
    answer: new PluginCall({
      id: PluginCallId.make("3c2b1a09-8f7e-5d6c-8b5a-4c3d2e1f0a9b"),
      action: "add_points",
      state: "done",
      error: null
    })
  }
}

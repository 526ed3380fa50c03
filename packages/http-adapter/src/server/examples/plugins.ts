import { PluginId } from "@parley/domain/kernel"
import { OwnPlugin, Plugin, type PluginManifest } from "@parley/domain/integrations"
import { organization } from "./samples.ts"

export const manifest: PluginManifest = {
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

export const ownPlugin = new OwnPlugin({
  id: plugin.id,
  key: plugin.key,
  name: plugin.name,
  version: manifest.version,
  status: plugin.status,
  organization: { id: organization.id, name: organization.name },
  permissions: plugin.permissions,
  settings: plugin.settings,
  events: ["order.created"],
  actions: [{ key: "add_points", path: "/actions/add_points" }],
  lastError: null
})

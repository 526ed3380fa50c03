import { PluginId } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import {
  OwnPlugin,
  Plugin,
  PluginCallAttempt,
  PluginCallId,
  PluginCallLog,
  type PluginManifest
} from "@parley/domain/integrations"
import { at, organization } from "./samples.ts"

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

const callId = PluginCallId.make("3c2b1a09-8f7e-5d6c-8b5a-4c3d2e1f0a9b")

const attempt = new PluginCallAttempt({
  number: 1,
  at: at("10:15:00.000"),
  durationMs: 84,
  status: 200,
  error: null,
  request: {
    headers: {
      "content-type": "application/json",
      "idempotency-key": "[redacted]",
      "parley-attempt": "1",
      "user-agent": "Parley-Webhooks/1",
      "webhook-signature": "[redacted]",
      "webhook-timestamp": "1795515300"
    },
    bodySha256: "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752",
    bodyBytes: 538
  },
  response: { headers: { "content-type": "application/json" }, body: '{"output":{"total":120}}' }
})

export const pluginCall = new PluginCallLog({
  id: callId,
  action: "add_points",
  state: "done",
  error: null,
  caller: "workflow",
  runId: "01934b93-5c6d-7e1f-8a2b-3c4d5e6f7182",
  contactId: ContactId.make("01934b8e-a4b5-7444-989a-86a7b8c9daeb"),
  at: at("10:15:00.000"),
  log: [attempt]
})

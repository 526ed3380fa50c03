/** The manifest of the plugin. It is served at /plugin.json for operators. */
export const manifestAt = (baseUrl: string) => ({
  manifestVersion: 1,
  key: "where-is-my-order",
  version: "1.0.0",
  name: "Where is my order",
  publisher: { name: "Parley", url: "https://parley.example" },
  baseUrl,
  lifecycle: "/lifecycle",
  events: { path: "/events", types: ["message.received"], payloadVersion: "v1" },
  permissions: ["conversations.read", "conversations.manage", "commerce.read"],
  settings: {
    type: "object",
    additionalProperties: false,
    properties: {
      question: { type: "string", minLength: 3, maxLength: 100, description: "What a message has to have in it." }
    }
  },
  actions: [
    {
      key: "tracking_link",
      path: "/actions/tracking_link",
      timeoutSeconds: 10,
      input: {
        type: "object",
        additionalProperties: false,
        properties: {
          skus: { type: "array", items: { type: "string" }, description: "Filters orders by SKU." }
        }
      },
      output: { type: "object", required: ["url"], properties: { url: { type: ["string", "null"] } } }
    }
  ]
})

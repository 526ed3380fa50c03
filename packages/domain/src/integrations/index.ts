export * from "./plugins/index.ts"
export * from "./webhooks/index.ts"

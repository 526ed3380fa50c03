export * as ParleyClient from "./ParleyClient.ts"
export * as ParleyWebhooks from "./webhooks/index.ts"

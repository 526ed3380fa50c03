export { layer, type WebhookSenderOptions } from "./WebhookSender.ts"

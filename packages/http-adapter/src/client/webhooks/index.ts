export { sign, type Signed, type WebhookBody } from "./signing.ts"
export { verify, type VerifyOptions, type WebhookRequest } from "./verify.ts"
export type { WebhookEvent, WebhookEventType } from "./WebhookEvent.ts"
export { type WebhookFault, WebhookRefused } from "./WebhookRefused.ts"

export { signatureOf, type SignedParts } from "./signature.ts"
export { make, type WebhookChannelOptions } from "./WebhookChannel.ts"

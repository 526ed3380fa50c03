export { signatureOf, type SignedParts } from "../../webhooks/signature.ts"
export { make, type WebhookChannelOptions } from "./WebhookChannel.ts"

export * as WebhookChannel from "./chat/webhook/index.ts"
export * as WhatsApp from "./chat/whatsapp/index.ts"
export * as Smtp from "./mail/index.ts"
export * as Security from "./security/index.ts"

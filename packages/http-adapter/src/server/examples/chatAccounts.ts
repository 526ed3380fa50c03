import { ChatAccountView, OnboardingChecklist, unknownDetails } from "@parley/domain/messaging"
import { chatAccount } from "./inbox.ts"
import { at } from "./samples.ts"

export const endpointAccount = new ChatAccountView({
  ...chatAccount,
  provider: "webhook",
  displayName: "Shop chat",
  phone: null,
  externalAccountId: chatAccount.id,
  externalPhoneId: chatAccount.id,
  url: "https://chat.shop.example/parley",
  qualityRating: "unknown",
  messagingLimit: null,
  throughputPerSecond: null,
  verifyToken: null,
  signingSecret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
})

const step = { action: null, link: null, at: null, reason: null, providerCode: null, providerReason: null } as const

export const checklist = new OnboardingChecklist({
  chatAccountId: chatAccount.id,
  isComplete: false,
  checkedAt: at("13:40:00.000"),
  token: {
    kind: "business_integration",
    appId: "670843887433847",
    scopes: ["whatsapp_business_management", "whatsapp_business_messaging"],
    expiresAt: null
  },
  recentRegistrationCalls: 1,
  steps: [
    { ...step, step: "code_exchanged", state: "done", at: at("13:20:00.000") },
    { ...step, step: "token", state: "done" },
    { ...step, step: "number_verified", state: "done" },
    { ...step, step: "display_name", state: "done" },
    {
      ...step,
      step: "registered",
      state: "failed",
      action:
        "The number already has two-step verification with another PIN. Send its PIN with POST /chat_accounts/:id/register, or turn two-step verification off in WhatsApp Manager.",
      link: "https://business.facebook.com/latest/whatsapp_manager/phone_numbers?asset_id=524126980791429",
      at: at("13:20:01.000"),
      reason: "pin_mismatch",
      providerCode: 133_005,
      providerReason: "Two step verification PIN mismatch."
    },
    { ...step, step: "app_subscribed", state: "done", at: at("13:20:00.000") },
    { ...step, step: "webhook_address", state: "done" },
    {
      ...step,
      step: "webhook_received",
      state: "waiting",
      action: "No delivery for this number has arrived. Write to the number from another phone."
    },
    { ...step, step: "payment_method", state: "done" }
  ]
})

export const registered = new ChatAccountView({
  ...chatAccount,
  number: { ...unknownDetails, status: "connected", codeVerification: "verified", platform: "cloud_api" },
  registrationPin: "581063",
  updatedAt: at("13:40:00.000"),
  version: chatAccount.version + 2
})

export const unverified = new ChatAccountView({
  ...chatAccount,
  status: "degraded",
  number: { ...unknownDetails, status: "unverified", codeVerification: "not_verified", platform: "not_applicable" },
  updatedAt: at("13:40:00.000"),
  version: chatAccount.version + 1
})

export const verified = new ChatAccountView({
  ...unverified,
  number: { ...unknownDetails, status: "pending", codeVerification: "verified", platform: "not_applicable" },
  version: unverified.version + 1
})

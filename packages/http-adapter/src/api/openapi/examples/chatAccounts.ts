import {
  addChatNumber,
  changeRegistrationPin,
  ChatAccountView,
  checkChatAccount,
  connectChatAccount,
  connectThroughPlatformApp,
  deregisterChatAccount,
  getChatAccount,
  getOnboarding,
  getPlatformApp,
  listChatAccounts,
  OnboardingChecklist,
  registerChatAccount,
  removeChatAccount,
  requestVerificationCode,
  rotateChatSecret,
  subscribeChatAccount,
  unknownDetails,
  updateChatAccount,
  verifyNumber
} from "@parley/domain"
import type { ChatAccountsApi } from "../../chatAccounts.ts"
import type { ExamplesOf } from "./Example.ts"
import { chatAccount } from "./inbox.ts"
import { at, pageOf, secret } from "./samples.ts"

const { displayName, externalAccountId, externalPhoneId } = chatAccount
const another = "Blue Bakery, orders"

const endpointAccount = new ChatAccountView({
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

const checklist = new OnboardingChecklist({
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

const registered = new ChatAccountView({
  ...chatAccount,
  number: { ...unknownDetails, status: "connected", codeVerification: "verified", platform: "cloud_api" },
  registrationPin: "581063",
  updatedAt: at("13:40:00.000"),
  version: chatAccount.version + 2
})

const unverified = new ChatAccountView({
  ...chatAccount,
  status: "degraded",
  number: { ...unknownDetails, status: "unverified", codeVerification: "not_verified", platform: "not_applicable" },
  updatedAt: at("13:40:00.000"),
  version: chatAccount.version + 1
})

const verified = new ChatAccountView({
  ...unverified,
  number: { ...unknownDetails, status: "pending", codeVerification: "verified", platform: "not_applicable" },
  version: unverified.version + 1
})

export const chatAccounts: ExamplesOf<typeof ChatAccountsApi> = {
  list: { runs: listChatAccounts, answer: pageOf(chatAccount) },
  create: {
    runs: connectChatAccount,
    request: {
      displayName,
      externalAccountId,
      externalPhoneId,
      accessToken: secret("EAAG-your-system-user-token"),
      appSecret: secret("0a1b2c3d4e5f60718293041526374859")
    },
    answer: chatAccount
  },
  get: { runs: getChatAccount, answer: chatAccount },
  update: {
    runs: updateChatAccount,
    request: { displayName: another },
    answer: new ChatAccountView({
      ...chatAccount,
      displayName: another,
      updatedAt: at("13:30:00.000"),
      version: chatAccount.version + 1
    })
  },
  delete: { runs: removeChatAccount },
  check: {
    runs: checkChatAccount,
    answer: new ChatAccountView({
      ...chatAccount,
      status: "degraded",
      qualityRating: "yellow",
      lastCheckedAt: at("13:40:00.000"),
      updatedAt: at("13:40:00.000"),
      version: chatAccount.version + 1
    })
  },
  onboarding: { runs: getOnboarding, answer: checklist },
  addNumber: {
    runs: addChatNumber,
    request: { phone: "+14155550199", verifiedName: "Blue Bakery" },
    answer: new ChatAccountView({
      ...chatAccount,
      displayName: "Blue Bakery",
      phone: "+14155550199",
      externalPhoneId: "106540352242923",
      status: "degraded",
      number: { ...unknownDetails, status: "unverified", codeVerification: "not_verified", platform: "not_applicable" }
    })
  },
  requestCode: {
    runs: requestVerificationCode,
    request: { method: "sms", language: "en_US" },
    answer: unverified
  },
  verifyCode: { runs: verifyNumber, request: { code: secret("123830") }, answer: verified },
  register: { runs: registerChatAccount, request: {}, answer: registered },
  deregister: {
    runs: deregisterChatAccount,
    answer: new ChatAccountView({
      ...chatAccount,
      status: "degraded",
      lastError: { code: null, reason: "The number is not registered." },
      updatedAt: at("13:40:00.000"),
      version: chatAccount.version + 2
    })
  },
  changePin: { runs: changeRegistrationPin, request: { pin: secret("150954") }, answer: chatAccount },
  subscribe: { runs: subscribeChatAccount, request: { overrideCallback: true }, answer: chatAccount },
  rotateSecret: { runs: rotateChatSecret, answer: endpointAccount },
  platformApp: {
    runs: getPlatformApp,
    answer: {
      offered: true,
      appId: "670843887433847",
      signupConfigurationId: "525099383532912",
      webhookPath: "/webhooks/chat"
    }
  },
  connectThroughPlatformApp: {
    runs: connectThroughPlatformApp,
    request: {
      code: secret("AQBhlXsctMxJYbwbrpybxlo9tLPGy"),
      session: {
        type: "WA_EMBEDDED_SIGNUP",
        event: "FINISH",
        data: { phone_number_id: externalPhoneId, waba_id: externalAccountId, business_id: "2729063490586005" }
      }
    },
    answer: new ChatAccountView({
      ...chatAccount,
      mode: "platform_app",
      webhookUrl: "https://parley.example/webhooks/chat",
      verifyToken: null,
      registrationPin: "581063"
    })
  }
}

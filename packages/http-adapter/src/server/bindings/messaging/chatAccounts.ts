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
  registerChatAccount,
  removeChatAccount,
  requestVerificationCode,
  rotateChatSecret,
  subscribeChatAccount,
  unknownDetails,
  updateChatAccount,
  verifyNumber
} from "@parley/domain/messaging"
import { ChatAccountsApi } from "../../../api/chatAccounts.ts"
import { checklist, endpointAccount, registered, unverified, verified } from "../../examples/chatAccounts.ts"
import { chatAccount } from "../../examples/inbox.ts"
import { at, samplePage, secret } from "../../examples/samples.ts"
import { bind } from "../bind.ts"

const { displayName, externalAccountId, externalPhoneId } = chatAccount

const another = "Blue Bakery, orders"

export const chatAccounts = bind(ChatAccountsApi, {
  list: { runs: listChatAccounts, response: samplePage(chatAccount) },
  create: {
    runs: connectChatAccount,
    request: {
      displayName,
      externalAccountId,
      externalPhoneId,
      accessToken: secret("EAAG-your-system-user-token"),
      appSecret: secret("0a1b2c3d4e5f60718293041526374859")
    },
    response: chatAccount
  },
  get: { runs: getChatAccount, response: chatAccount },
  update: {
    runs: updateChatAccount,
    request: { displayName: another },
    response: new ChatAccountView({
      ...chatAccount,
      displayName: another,
      updatedAt: at("13:30:00.000"),
      version: chatAccount.version + 1
    })
  },
  delete: { runs: removeChatAccount },
  check: {
    runs: checkChatAccount,
    response: new ChatAccountView({
      ...chatAccount,
      status: "degraded",
      qualityRating: "yellow",
      lastCheckedAt: at("13:40:00.000"),
      updatedAt: at("13:40:00.000"),
      version: chatAccount.version + 1
    })
  },
  onboarding: { runs: getOnboarding, response: checklist },
  addNumber: {
    runs: addChatNumber,
    request: { phone: "+14155550199", verifiedName: "Blue Bakery" },
    response: new ChatAccountView({
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
    response: unverified
  },
  verifyCode: { runs: verifyNumber, request: { code: secret("123830") }, response: verified },
  register: { runs: registerChatAccount, request: {}, response: registered },
  deregister: {
    runs: deregisterChatAccount,
    response: new ChatAccountView({
      ...chatAccount,
      status: "degraded",
      lastError: { code: null, reason: "The number is not registered." },
      updatedAt: at("13:40:00.000"),
      version: chatAccount.version + 2
    })
  },
  changePin: { runs: changeRegistrationPin, request: { pin: secret("150954") }, response: chatAccount },
  subscribe: { runs: subscribeChatAccount, request: { overrideCallback: true }, response: chatAccount },
  rotateSecret: { runs: rotateChatSecret, response: endpointAccount },
  platformApp: {
    runs: getPlatformApp,
    response: {
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
    response: new ChatAccountView({
      ...chatAccount,
      mode: "platform_app",
      webhookUrl: "https://parley.example/webhooks/chat",
      verifyToken: null,
      registrationPin: "581063"
    })
  }
})

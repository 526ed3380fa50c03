import {
  ChatAccountView,
  checkChatAccount,
  connectChatAccount,
  connectThroughPlatformApp,
  getChatAccount,
  getPlatformApp,
  listChatAccounts,
  removeChatAccount,
  rotateChatSecret,
  updateChatAccount
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
    request: { code: secret("AQBhlXsctMxJYbwbrpybxlo9tLPGy"), externalAccountId, externalPhoneId },
    answer: new ChatAccountView({
      ...chatAccount,
      mode: "platform_app",
      webhookUrl: "https://parley.example/webhooks/chat",
      verifyToken: null
    })
  }
}

import { receiveAccountDelivery, receiveChatDelivery, verifyChatWebhook } from "@parley/domain"
import { Stream } from "effect"
import type { ChatWebhooksApi } from "../../chatWebhooks.ts"
import type { ExamplesOf } from "./Example.ts"

const verify = { runs: verifyChatWebhook, answer: "1158201444" }
const receiveForAccount = { runs: receiveAccountDelivery, request: Stream.empty }
const receive = { runs: receiveChatDelivery, request: Stream.empty }

export const chatWebhooks: ExamplesOf<typeof ChatWebhooksApi> = {
  verifyPlatform: verify,
  receivePlatform: receive,
  verifyOwn: verify,
  receiveOwn: receive,
  receiveForAccount: receiveForAccount,
  receiveForAccountUnderPrefix: receiveForAccount,
  verifyPlatformUnderPrefix: verify,
  receivePlatformUnderPrefix: receive,
  verifyOwnUnderPrefix: verify,
  receiveOwnUnderPrefix: receive
}

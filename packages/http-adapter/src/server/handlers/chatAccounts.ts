import {
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
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { expectedVersion, pageOf } from "../../api/shapes.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"

/** Chat accounts. */
export const layer = HttpApiBuilder.group(Api, "chatAccounts", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query }) => listChatAccounts(pageOf(query)),
    create: ({ payload }) => connectChatAccount(payload),
    get: ({ params }) => getChatAccount(params.id),
    update: ({ headers, params, payload }) => updateChatAccount(params.id, payload, expectedVersion(headers)),
    delete: ({ headers, params }) => removeChatAccount(params.id, expectedVersion(headers)),
    check: ({ params }) => checkChatAccount(params.id),
    rotateSecret: ({ params }) => rotateChatSecret(params.id),
    platformApp: () => getPlatformApp(),
    connectThroughPlatformApp: ({ payload }) => connectThroughPlatformApp(payload)
  })
)

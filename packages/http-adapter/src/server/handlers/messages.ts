import { getMessage, listMessages, retryMessage, searchMessages, sendMessage } from "@parley/domain"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { pageOf } from "../../api/shapes.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"
import { withFaultPointers } from "../faultPointers.ts"
import { inQuery } from "./contacts.ts"

/** Messages. */
export const layer = HttpApiBuilder.group(Api, "messages", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ params, query }) => listMessages(params.id, pageOf(query)),
    search: ({ query: { cursor: _cursor, limit: _limit, ...asked }, query }) =>
      searchMessages(asked, pageOf(query)).pipe(withFaultPointers(inQuery)),
    send: ({ params, payload }) => sendMessage(params.id, payload),
    get: ({ params }) => getMessage(params.id, params.messageId),
    retry: ({ params, payload }) => retryMessage(params.id, params.messageId, payload ?? {})
  })
)

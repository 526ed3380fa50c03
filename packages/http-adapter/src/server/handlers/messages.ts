import { getMessage, Message, renderMessages, retryMessage, searchMessages, sendMessage } from "@parley/domain"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { pageOf } from "../../api/shapes.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"
import { makePageWriter } from "../answers/pageWriter.ts"
import { withFaultPointers } from "../faultPointers.ts"
import { inQuery } from "./contacts.ts"

const writePage = makePageWriter(Message)

/** Messages. */
export const layer = HttpApiBuilder.group(Api, "messages", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ params, query }) => Effect.flatMap(renderMessages(params.id, pageOf(query)), writePage),
    search: ({ query: { cursor: _cursor, limit: _limit, ...asked }, query }) =>
      searchMessages(asked, pageOf(query)).pipe(withFaultPointers(inQuery)),
    send: ({ params, payload }) => sendMessage(params.id, payload),
    get: ({ params }) => getMessage(params.id, params.messageId),
    retry: ({ params, payload }) => retryMessage(params.id, params.messageId, payload ?? {})
  })
)

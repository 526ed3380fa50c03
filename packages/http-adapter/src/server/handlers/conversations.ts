import {
  assignConversation,
  changeConversations,
  countConversations,
  getConversation,
  listConversations,
  openConversation,
  readConversation,
  reopenConversation,
  resolveConversation,
  snoozeConversation,
  unreadConversation,
  updateConversation
} from "@parley/domain"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { expectedVersion, pageOf } from "../../api/shapes.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"
import { withFaultPointers } from "../faultPointers.ts"
import { inQuery } from "./contacts.ts"

/** Conversations. */
export const layer = HttpApiBuilder.group(Api, "conversations", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query: { cursor: _cursor, limit: _limit, ...asked }, query }) =>
      listConversations(asked, pageOf(query)).pipe(withFaultPointers(inQuery)),
    create: ({ payload }) => openConversation(payload),
    counts: () => countConversations(),
    bulk: ({ payload }) => changeConversations(payload),
    get: ({ params, query }) => getConversation(params.id, query.expand),
    update: ({ headers, params, payload }) => updateConversation(params.id, payload, expectedVersion(headers)),
    read: ({ params }) => readConversation(params.id),
    unread: ({ params }) => unreadConversation(params.id),
    assign: ({ params, payload }) => assignConversation(params.id, payload.assigneeId),
    snooze: ({ params, payload }) => snoozeConversation(params.id, payload.until),
    resolve: ({ params }) => resolveConversation(params.id),
    reopen: ({ params }) => reopenConversation(params.id)
  })
)

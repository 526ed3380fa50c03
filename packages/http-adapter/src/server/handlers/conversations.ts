import {
  assignConversation,
  changeConversations,
  countConversations,
  createCannedReply,
  createNote,
  deleteCannedReply,
  deleteNote,
  getConversation,
  getMessage,
  listCannedReplies,
  listConversations,
  ExpandedMessage,
  listMessages,
  listNotes,
  openConversation,
  readConversation,
  renderMessages,
  reopenConversation,
  resolveConversation,
  retryMessage,
  searchMessages,
  sendMessage,
  snoozeConversation,
  showPresence,
  unreadConversation,
  updateCannedReply,
  updateConversation,
  updateNote
} from "@parley/domain"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { expectedVersion, pageOf } from "../../api/shapes.ts"
import { makePageWriter, withAnswerWriters } from "../answers/answerWriters.ts"
import { withFaultPointers } from "../faults.ts"
import { inQuery } from "./contacts.ts"

export const layerConversations = HttpApiBuilder.group(Api, "conversations", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query: { cursor: _cursor, limit: _limit, ...asked }, query }) =>
      listConversations({ ...asked, page: pageOf(query) }).pipe(withFaultPointers(inQuery)),
    create: ({ payload }) => openConversation(payload),
    counts: () => countConversations(),
    bulk: ({ payload }) => changeConversations(payload),
    get: ({ params, query }) => getConversation({ ...params, ...query }),
    update: ({ headers, params, payload }) =>
      updateConversation({ ...params, ...payload, ifVersion: expectedVersion(headers) }),
    read: ({ params }) => readConversation(params),
    unread: ({ params }) => unreadConversation(params),
    presence: ({ params, payload }) => showPresence({ ...params, ...payload }),
    assign: ({ params, payload }) => assignConversation({ ...params, ...payload }),
    snooze: ({ params, payload }) => snoozeConversation({ ...params, ...payload }),
    resolve: ({ params }) => resolveConversation(params),
    reopen: ({ params }) => reopenConversation(params)
  })
)

const writePage = makePageWriter(ExpandedMessage)

export const layerMessages = HttpApiBuilder.group(Api, "messages", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ params, query: { expand = [], ...page } }) =>
      // Storage renders messages without further data.
      expand.length === 0
        ? Effect.flatMap(renderMessages({ ...params, page: pageOf(page) }), writePage)
        : Effect.flatMap(listMessages({ ...params, page: pageOf(page), expand }), writePage),
    search: ({ query: { cursor: _cursor, limit: _limit, ...asked }, query }) =>
      searchMessages({ ...asked, page: pageOf(query) }).pipe(withFaultPointers(inQuery)),
    send: ({ params, payload }) => sendMessage({ ...params, ...payload }),
    get: ({ params, query }) => getMessage({ ...params, ...query }),
    retry: ({ params, payload }) => retryMessage({ ...params, ...payload })
  })
)

export const layerNotes = HttpApiBuilder.group(Api, "notes", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ params, query }) => listNotes({ ...params, page: pageOf(query) }),
    create: ({ params, payload }) => createNote({ ...params, ...payload }),
    update: ({ headers, params, payload }) =>
      updateNote({ ...params, ...payload, ifVersion: expectedVersion(headers) }),
    delete: ({ headers, params }) => deleteNote({ ...params, ifVersion: expectedVersion(headers) })
  })
)

export const layerCannedReplies = HttpApiBuilder.group(Api, "cannedReplies", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query }) => listCannedReplies({ ...query, page: pageOf(query) }),
    create: ({ payload }) => createCannedReply(payload),
    update: ({ headers, params, payload }) =>
      updateCannedReply({ ...params, ...payload, ifVersion: expectedVersion(headers) }),
    delete: ({ headers, params }) => deleteCannedReply({ ...params, ifVersion: expectedVersion(headers) })
  })
)

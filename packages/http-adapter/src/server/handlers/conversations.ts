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
      listConversations(asked, pageOf(query)).pipe(withFaultPointers(inQuery)),
    create: ({ payload }) => openConversation(payload),
    counts: () => countConversations(),
    bulk: ({ payload }) => changeConversations(payload),
    get: ({ params, query }) => getConversation(params.id, query.expand),
    update: ({ headers, params, payload }) => updateConversation(params.id, payload, expectedVersion(headers)),
    read: ({ params }) => readConversation(params.id),
    unread: ({ params }) => unreadConversation(params.id),
    presence: ({ params, payload: { showToContact = false, state } }) =>
      showPresence(params.id, state, { isShownToContact: showToContact }),
    assign: ({ params, payload }) => assignConversation(params.id, payload.assigneeId),
    snooze: ({ params, payload }) => snoozeConversation(params.id, payload.until),
    resolve: ({ params }) => resolveConversation(params.id),
    reopen: ({ params }) => reopenConversation(params.id)
  })
)

const writePage = makePageWriter(ExpandedMessage)

export const layerMessages = HttpApiBuilder.group(Api, "messages", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ params, query: { expand = [], ...page } }) =>
      // Storage renders messages without further data.
      expand.length === 0
        ? Effect.flatMap(renderMessages(params.id, pageOf(page)), writePage)
        : Effect.flatMap(listMessages(params.id, pageOf(page), expand), writePage),
    search: ({ query: { cursor: _cursor, limit: _limit, ...asked }, query }) =>
      searchMessages(asked, pageOf(query)).pipe(withFaultPointers(inQuery)),
    send: ({ params, payload }) => sendMessage(params.id, payload),
    get: ({ params, query }) => getMessage(params.id, params.messageId, query.expand),
    retry: ({ params, payload }) => retryMessage(params.id, params.messageId, payload ?? {})
  })
)

export const layerNotes = HttpApiBuilder.group(Api, "notes", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ params, query }) => listNotes(params.id, pageOf(query)),
    create: ({ params, payload }) => createNote(params.id, payload),
    update: ({ headers, params, payload }) => updateNote(params.id, params.noteId, payload, expectedVersion(headers)),
    delete: ({ headers, params }) => deleteNote(params.id, params.noteId, expectedVersion(headers))
  })
)

export const layerCannedReplies = HttpApiBuilder.group(Api, "cannedReplies", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query: { q, ...page } }) => listCannedReplies(q ?? "", pageOf(page)),
    create: ({ payload }) => createCannedReply(payload),
    update: ({ headers, params, payload }) => updateCannedReply(params.id, payload, expectedVersion(headers)),
    delete: ({ headers, params }) => deleteCannedReply(params.id, expectedVersion(headers))
  })
)

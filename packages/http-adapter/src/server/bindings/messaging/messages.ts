import { Effect } from "effect"
import { Currency } from "@parley/domain/kernel"
import {
  ExpandedMessage,
  FoundMessage,
  getMessage,
  listMessages,
  Message,
  renderMessages,
  retryMessage,
  searchMessages,
  sendMessage
} from "@parley/domain/messaging"
import { MessagesApi } from "../../../api/messages.ts"
import { pageOf } from "../../../api/shapes.ts"
import { makePageWriter } from "../../answers/answerWriters.ts"
import { queued, received } from "../../examples/inbox.ts"
import { at, contact, samplePage } from "../../examples/samples.ts"
import { bindWith } from "../bind.ts"

const delivered = new Message({
  ...queued,
  status: "delivered",
  providerMessageId: "wamid.HBgNNDkxNzAxMjM0NTY3FQIAERgSQjE4=",
  sentAt: at("14:08:30.310"),
  deliveredAt: at("14:08:31.000")
})

const writePage = makePageWriter(ExpandedMessage)

export const messages = bindWith(
  MessagesApi,
  {
    list: {
      uses: renderMessages,
      response: samplePage(new ExpandedMessage({ ...delivered }), new ExpandedMessage({ ...received }))
    },
    search: {
      runs: searchMessages,
      response: samplePage(
        new FoundMessage({
          message: received,
          snippet: { text: "Do you still have rye bread today?", matches: [{ start: 22, end: 27 }] },
          conversation: {
            id: received.conversationId,
            contact: { id: contact.id, name: contact.name, phone: contact.phone }
          }
        })
      )
    },
    send: {
      runs: sendMessage,
      request: { kind: "text", text: "We do. Shall we put one aside for you?", replyToId: received.id },
      response: queued
    },
    get: {
      runs: getMessage,
      response: new ExpandedMessage({
        ...delivered,
        expanded: { cost: { currency: Currency.make("EUR"), amount: 73_300 } }
      })
    },
    retry: { runs: retryMessage, request: { allowDuplicate: true }, response: queued }
  },
  (handlers) =>
    handlers.handleAll({
      list: ({ params, query: { expand = [], ...page } }) =>
        // Storage renders messages without further data.
        expand.length === 0
          ? Effect.flatMap(renderMessages({ ...params, page: pageOf(page) }), writePage)
          : Effect.flatMap(listMessages({ ...params, page: pageOf(page), expand }), writePage)
    })
)

import {
  FoundMessage,
  getMessage,
  Message,
  renderMessages,
  retryMessage,
  searchMessages,
  sendMessage
} from "@parley/domain"
import type { MessagesApi } from "../../messages.ts"
import type { ExamplesOf } from "./Example.ts"
import { queued, received } from "./inbox.ts"
import { at, contact, pageOf } from "./samples.ts"

const delivered = new Message({
  ...queued,
  status: "delivered",
  providerMessageId: "wamid.HBgNNDkxNzAxMjM0NTY3FQIAERgSQjE4=",
  sentAt: at("14:08:30.310"),
  deliveredAt: at("14:08:31.000")
})

export const messages: ExamplesOf<typeof MessagesApi> = {
  list: { runs: renderMessages, answer: pageOf(delivered, received) },
  search: {
    runs: searchMessages,
    answer: pageOf(
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
    answer: queued
  },
  get: { runs: getMessage, answer: delivered },
  retry: { runs: retryMessage, request: { acceptDouble: true }, answer: queued }
}

import {
  CannedReply,
  createCannedReply,
  createNote,
  Currency,
  deleteCannedReply,
  deleteNote,
  ExpandedMessage,
  FoundMessage,
  getMessage,
  listCannedReplies,
  listNotes,
  Message,
  Note,
  readMedia,
  renderMessages,
  retryMessage,
  searchMessages,
  sendMessage,
  updateCannedReply,
  updateNote,
  uploadMedia
} from "@parley/domain"
import { Stream } from "effect"
import type { MediaApi } from "../../media.ts"
import type { CannedRepliesApi, MessagesApi, NotesApi } from "../../messages.ts"
import type { ExamplesOf } from "./Example.ts"
import { cannedReply, media as file, note, queued, received } from "./inbox.ts"
import { at, contact, pageOf } from "./samples.ts"

const delivered = new Message({
  ...queued,
  status: "delivered",
  providerMessageId: "wamid.HBgNNDkxNzAxMjM0NTY3FQIAERgSQjE4=",
  sentAt: at("14:08:30.310"),
  deliveredAt: at("14:08:31.000")
})

export const messages: ExamplesOf<typeof MessagesApi> = {
  list: {
    runs: renderMessages,
    answer: pageOf(new ExpandedMessage({ ...delivered }), new ExpandedMessage({ ...received }))
  },
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
  get: {
    runs: getMessage,
    answer: new ExpandedMessage({
      ...delivered,
      expanded: { cost: { currency: Currency.make("EUR"), amount: 73_300 } }
    })
  },
  retry: { runs: retryMessage, request: { allowDuplicate: true }, answer: queued }
}

const { text, mentions } = note
const mended = "She asks every Friday. Let us set one aside each week."

export const notes: ExamplesOf<typeof NotesApi> = {
  list: { runs: listNotes, answer: pageOf(note) },
  create: { runs: createNote, request: { text, mentions }, answer: note },
  update: {
    runs: updateNote,
    request: { text: mended },
    answer: new Note({ ...note, text: mended, editedAt: at("14:12:00.000"), version: note.version + 1 })
  },
  delete: { runs: deleteNote }
}

const { text: cannedRepliesText, shortcut } = cannedReply
const longer = "We are open from 7 to 19 o'clock, Mondays excepted."

export const cannedReplies: ExamplesOf<typeof CannedRepliesApi> = {
  list: { runs: listCannedReplies, answer: pageOf(cannedReply) },
  create: { runs: createCannedReply, request: { shortcut, text: cannedRepliesText }, answer: cannedReply },
  update: {
    runs: updateCannedReply,
    request: { text: longer },
    answer: new CannedReply({
      ...cannedReply,
      text: longer,
      updatedAt: at("14:30:00.000"),
      version: cannedReply.version + 1
    })
  },
  delete: { runs: deleteCannedReply }
}

export const media: ExamplesOf<typeof MediaApi> = {
  upload: { runs: uploadMedia, request: Stream.empty, answer: file },
  download: { runs: readMedia, answer: Stream.empty }
}

import {
  assignConversation,
  changeConversations,
  ConversationView,
  countConversations,
  getConversation,
  listConversations,
  openConversation,
  readConversation,
  reopenConversation,
  resolveConversation,
  snoozeConversation,
  showPresence,
  unreadConversation,
  updateConversation
} from "@parley/domain"
import { DateTime } from "effect"
import type { ConversationsApi } from "../../conversations.ts"
import type { ExamplesOf } from "./Example.ts"
import { chatAccount, conversation } from "./inbox.ts"
import { at, contact, grace, lead, pageOf } from "./samples.ts"

const later = (changed: Partial<ConversationView>) =>
  new ConversationView({
    ...conversation,
    updatedAt: at("14:20:00.000"),
    version: conversation.version + 1,
    ...changed
  })

const tomorrow = DateTime.add(at("08:00:00.000"), { days: 1 })

export const conversations: ExamplesOf<typeof ConversationsApi> = {
  list: { runs: listConversations, answer: pageOf(conversation) },
  create: {
    runs: openConversation,
    request: { contactId: lead.id, chatAccountId: chatAccount.id, assigneeId: grace.id },
    answer: new ConversationView({
      ...conversation,
      contact: { id: lead.id, name: lead.name, phone: lead.phone },
      recipient: null,
      assigneeId: grace.id,
      unreadCount: 0,
      lastMessage: null,
      lastInboundAt: null,
      waitingSince: null,
      window: { open: false, expiresAt: null }
    })
  },
  counts: {
    runs: countConversations,
    answer: { open: 12, pending: 4, snoozed: 3, resolved: 1_204, mine: 5, unassigned: 6, unread: 7 }
  },
  bulk: {
    runs: changeConversations,
    request: { ids: [conversation.id], action: { type: "add_labels", labels: ["bread"] } },
    answer: { changed: 1, unchanged: 0, refused: [] }
  },
  get: { runs: getConversation, answer: conversation },
  update: {
    runs: updateConversation,
    request: { priority: "high", labels: ["bread"] },
    answer: later({ priority: "high", labels: ["bread"] })
  },
  read: { runs: readConversation, answer: later({ unreadCount: 0 }) },
  presence: { runs: showPresence, request: { state: "typing" } },
  unread: { runs: unreadConversation, answer: later({ unreadCount: 1 }) },
  assign: {
    runs: assignConversation,
    request: { assigneeId: grace.id },
    answer: later({ assigneeId: grace.id })
  },
  snooze: {
    runs: snoozeConversation,
    request: { until: tomorrow },
    answer: later({ status: "snoozed", snoozedUntil: tomorrow })
  },
  resolve: { runs: resolveConversation, answer: later({ status: "resolved", waitingSince: null }) },
  reopen: {
    runs: reopenConversation,
    answer: later({ contact: { id: contact.id, name: contact.name, phone: contact.phone } })
  }
}

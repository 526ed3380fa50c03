import { DateTime } from "effect"
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
  showPresence,
  snoozeConversation,
  unreadConversation,
  updateConversation
} from "@parley/domain/messaging"
import { ConversationsApi } from "../../../api/conversations.ts"
import { chatAccount, conversation } from "../../examples/inbox.ts"
import { at, contact, grace, lead, samplePage } from "../../examples/samples.ts"
import { bind } from "../bind.ts"

const later = (changed: Partial<ConversationView>) =>
  new ConversationView({
    ...conversation,
    updatedAt: at("14:20:00.000"),
    version: conversation.version + 1,
    ...changed
  })

const tomorrow = DateTime.add(at("08:00:00.000"), { days: 1 })

export const conversations = bind(ConversationsApi, {
  list: { runs: listConversations, response: samplePage(conversation) },
  create: {
    runs: openConversation,
    request: { contactId: lead.id, chatAccountId: chatAccount.id, assigneeId: grace.id },
    response: new ConversationView({
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
    response: { open: 12, pending: 4, snoozed: 3, resolved: 1_204, mine: 5, unassigned: 6, unread: 7 }
  },
  bulk: {
    runs: changeConversations,
    request: { ids: [conversation.id], action: { type: "add_labels", labels: ["bread"] } },
    response: { changed: 1, unchanged: 0, refused: [] }
  },
  get: { runs: getConversation, response: conversation },
  update: {
    runs: updateConversation,
    request: { priority: "high", labels: ["bread"] },
    response: later({ priority: "high", labels: ["bread"] })
  },
  read: { runs: readConversation, response: later({ unreadCount: 0 }) },
  presence: { runs: showPresence, request: { state: "typing" } },
  unread: { runs: unreadConversation, response: later({ unreadCount: 1 }) },
  assign: {
    runs: assignConversation,
    request: { assigneeId: grace.id },
    response: later({ assigneeId: grace.id })
  },
  snooze: {
    runs: snoozeConversation,
    request: { until: tomorrow },
    response: later({ status: "snoozed", snoozedUntil: tomorrow })
  },
  resolve: { runs: resolveConversation, response: later({ status: "resolved", waitingSince: null }) },
  reopen: {
    runs: reopenConversation,
    response: later({ contact: { id: contact.id, name: contact.name, phone: contact.phone } })
  }
})

import { Job, JobId } from "@parley/domain/platform"
import { ConsentChange, ConsentChangeId, Contact, type Duplicate, DuplicateId } from "@parley/domain/crm"
import { BroadcastId, type ContactRecipient, recipientIdAt, recipientPrefix } from "@parley/domain/campaigns"
import type { TimelineEntry } from "@parley/domain/composition"
import { ada, at, contact, lead } from "./samples.ts"
import { conversation, note } from "./inbox.ts"

export const actor = { kind: "user", id: ada.id } as const

export const consentChange = new ConsentChange({
  id: ConsentChangeId.make("01934b90-2c3d-7aaa-8f01-93041526a7b8"),
  contactId: contact.id,
  purpose: "marketing",
  state: "subscribed",
  source: "newsletter form",
  evidence: "Ticked the box under the order of 20 November 2026.",
  actor,
  at: at("10:30:00.000")
})

export const entry = {
  kind: "consent",
  id: consentChange.id,
  at: consentChange.at,
  actor,
  purpose: consentChange.purpose,
  state: consentChange.state,
  source: consentChange.source,
  evidence: consentChange.evidence
} as const

const broadcastId = BroadcastId.make("01934bd0-6071-7eee-8345-3748c9daebfc")

export const sent: ContactRecipient = {
  id: recipientIdAt(recipientPrefix(broadcastId), 1),
  broadcastId,
  broadcastName: "Spring",
  address: contact.phone,
  variant: null,
  status: "read",
  reason: null,
  error: null,
  values: { "body.1": "Ana" },
  attempts: 1,
  dueAt: null,
  sentAt: at("14:30:02.000"),
  deliveredAt: at("14:30:03.000"),
  readAt: at("14:31:00.000"),
  failedAt: null,
  repliedAt: null,
  optedOutAt: null,
  conversationId: null
}

export const sentEntry: TimelineEntry = {
  kind: "broadcast",
  id: broadcastId,
  at: at("14:30:02.000"),
  broadcastId,
  recipientId: sent.id,
  name: sent.broadcastName,
  status: sent.status,
  repliedAt: null,
  optedOutAt: null
}

export const opened = {
  kind: "conversation_opened",
  id: conversation.id,
  at: conversation.createdAt,
  conversationId: conversation.id,
  chatAccountId: conversation.chatAccountId
} as const

export const noted = {
  kind: "note",
  id: note.id,
  at: note.createdAt,
  actor: note.author,
  conversationId: note.conversationId,
  text: note.text,
  editedAt: note.editedAt
} as const

export const later = { updatedAt: at("11:00:00.000"), version: contact.version + 1 }

export const changing = new Job({
  id: JobId.make("01934ba0-3d4e-7bbb-9012-041526a7b8c9"),
  kind: "contacts.change",
  state: "queued",
  progress: { done: 0, total: null },
  counts: {},
  error: null,
  errorCode: null,
  resultUrl: null,
  cancelRequested: false,
  createdBy: actor,
  createdAt: at("11:10:00.000"),
  startedAt: null,
  finishedAt: null,
  updatedAt: at("11:10:00.000")
})

export const joined = new Contact({
  ...contact,
  ...later,
  identities: [...contact.identities, ...lead.identities],
  attributes: { ...lead.attributes, ...contact.attributes }
})

export const duplicate: Duplicate = {
  id: DuplicateId.make("01934ba1-d7e8-7888-9bcd-c6d7e8f90a1b"),
  contact: lead,
  source: "import",
  identity: { kind: "phone", value: contact.phone ?? "" },
  otherIdentity: { kind: "external", value: "crm-1867" },
  foundAt: at("11:05:00.000")
}

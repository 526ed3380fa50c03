import {
  AuditEvent,
  AuditEventId,
  BroadcastId,
  type BulkResult,
  changeContacts,
  ConsentChange,
  ConsentChangeId,
  Contact,
  ContactAutomationRun,
  type ContactRecipient,
  type ContactRun,
  countContacts,
  createContact,
  deleteContact,
  dismissDuplicate,
  type Duplicate,
  DuplicateId,
  exportContact,
  getContact,
  Job,
  JobId,
  listContactRuns,
  listDuplicates,
  mergeContacts,
  type Message,
  readTimeline,
  recipientIdAt,
  recipientPrefix,
  renderContacts,
  tagContact,
  type TimelineEntry,
  unmergeContacts,
  untagContact,
  updateContact,
  upsertContactByPhone
} from "@parley/domain"
import type { ContactsApi } from "../../contacts.ts"
import type { ExamplesOf } from "./Example.ts"
import { conversation, media, note, queued, received } from "./inbox.ts"
import {
  ada,
  at,
  automation,
  automationRun,
  contact,
  lead,
  mergeId,
  onlyPageOf,
  pageOf,
  requestId,
  tag
} from "./samples.ts"

const actor = { kind: "user", id: ada.id } as const

const said = new ConsentChange({
  id: ConsentChangeId.make("01934b90-2c3d-7aaa-8f01-93041526a7b8"),
  contactId: contact.id,
  purpose: "marketing",
  state: "subscribed",
  source: "newsletter form",
  evidence: "Ticked the box under the order of 20 November 2026.",
  actor,
  at: at("10:30:00.000")
})

const entry = {
  kind: "consent",
  id: said.id,
  at: said.at,
  actor,
  purpose: said.purpose,
  state: said.state,
  source: said.source,
  evidence: said.evidence
} as const

const broadcastId = BroadcastId.make("01934bd0-6071-7eee-8345-3748c9daebfc")

const sent: ContactRecipient = {
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

const sentEntry: TimelineEntry = {
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

const asEntry = (message: Message): TimelineEntry => {
  const { at, author, conversationId, direction, id, kind: messageKind, status, text } = message
  return { kind: "message", id, at, conversationId, direction, messageKind, text, status, author }
}

const opened = {
  kind: "conversation_opened",
  id: conversation.id,
  at: conversation.createdAt,
  conversationId: conversation.id,
  chatAccountId: conversation.chatAccountId
} as const

const noted = {
  kind: "note",
  id: note.id,
  at: note.createdAt,
  actor: note.author,
  conversationId: note.conversationId,
  text: note.text,
  editedAt: note.editedAt
} as const

const later = { updatedAt: at("11:00:00.000"), version: contact.version + 1 }

const changing = new Job({
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

const joined = new Contact({
  ...contact,
  ...later,
  identities: [...contact.identities, ...lead.identities],
  attributes: { ...lead.attributes, ...contact.attributes }
})

const duplicate: Duplicate = {
  id: DuplicateId.make("01934ba1-d7e8-7888-9bcd-c6d7e8f90a1b"),
  contact: lead,
  source: "import",
  identity: { kind: "phone", value: contact.phone ?? "" },
  otherIdentity: { kind: "external", value: "crm-1867" },
  foundAt: at("11:05:00.000")
}

export const contacts: ExamplesOf<typeof ContactsApi> = {
  list: { runs: renderContacts, answer: pageOf(contact) },
  count: { runs: countContacts, answer: { count: 42 } },
  create: {
    runs: createContact,
    request: {
      name: "Marie Curie",
      phone: "+491701234567",
      email: "marie@curie.example",
      attributes: { city: "Paris" },
      tags: [tag.id],
      marketing: {
        state: "subscribed",
        source: said.source,
        evidence: "Ticked the box under the order of 20 November 2026."
      }
    },
    answer: contact
  },
  get: { runs: getContact, answer: contact },
  update: {
    runs: updateContact,
    request: { name: "Marie Skłodowska-Curie", attributes: { city: null } },
    answer: new Contact({ ...contact, ...later, name: "Marie Skłodowska-Curie", attributes: {} })
  },
  delete: { runs: deleteContact },
  upsertByPhone: {
    runs: upsertContactByPhone,
    request: { name: "Marie Curie", tags: [tag.id] },
    answer: contact
  },
  tag: { runs: tagContact, request: { tags: [tag.id] }, answer: contact },
  untag: { runs: untagContact, answer: new Contact({ ...contact, ...later, tags: [] }) },
  bulk: {
    runs: changeContacts,
    request: { change: { action: "tag", tags: [tag.id] }, target: { ids: [contact.id, lead.id] } },
    answer: { matched: 2, changed: 1, missing: [] } satisfies BulkResult,
    others: [changing]
  },
  merge: { runs: mergeContacts, request: { contactId: lead.id }, answer: { contact: joined, mergeId } },
  unmerge: {
    runs: unmergeContacts,
    request: { mergeId },
    answer: { contact: new Contact({ ...contact, ...later, version: contact.version + 2 }), restored: lead }
  },
  listDuplicates: { runs: listDuplicates, answer: onlyPageOf<Duplicate>(duplicate) },
  dismissDuplicate: { runs: dismissDuplicate },
  timeline: {
    runs: readTimeline,
    answer: onlyPageOf<TimelineEntry>(
      sentEntry,
      noted,
      asEntry(queued),
      asEntry(received),
      opened,
      {
        kind: "merged",
        id: "01934ba2-4e5f-7ccc-a123-1526a7b8c9da",
        at: at("11:00:00.000"),
        actor,
        contactId: lead.id,
        mergeId
      },
      entry
    )
  },
  listRuns: {
    runs: listContactRuns,
    answer: pageOf<ContactRun>(
      new ContactAutomationRun({
        id: automationRun.id,
        kind: "automation",
        at: automationRun.createdAt,
        name: automation.name,
        run: automationRun
      })
    )
  },
  exportOne: {
    runs: exportContact,
    answer: {
      contact,
      tags: [tag],
      consents: [said],
      timeline: [sentEntry, noted, asEntry(queued), asEntry(received), opened, entry],
      conversations: [{ ...conversation, resolvedAt: null }],
      messages: [queued, received],
      notes: [note],
      media: [{ ...media, url: `/api/v1/media/${media.id}` }],
      storeCustomers: [],
      orders: [],
      carts: [],
      broadcasts: [sent],
      automationRuns: [],
      workflowRuns: [],
      duplicates: [duplicate],
      merges: [],
      audit: [
        new AuditEvent({
          id: AuditEventId.make("01934b90-2c3e-7ddd-b234-26a7b8c9daeb"),
          actor,
          action: "contact.created",
          target: { kind: "contact", id: contact.id },
          before: null,
          after: { name: contact.name, phone: contact.phone, email: contact.email },
          requestId,
          at: contact.createdAt
        })
      ],
      complete: true
    }
  }
}

import { Effect, Schema } from "effect"
import { AuditEvent, AuditEventId } from "@parley/domain/platform"
import {
  type BulkResult,
  changeContacts,
  Contact,
  countContacts,
  createContact,
  deleteContact,
  dismissDuplicate,
  type Duplicate,
  eraseContact,
  ExpandedContact,
  getContact,
  listDuplicates,
  mergeContacts,
  renderContacts,
  tagContact,
  unmergeContacts,
  untagContact,
  updateContact,
  upsertContactByPhone
} from "@parley/domain/crm"
import type { Message } from "@parley/domain/messaging"
import { ContactAutomationRun, type ContactRun, listContactRuns } from "@parley/domain/automation"
import { exportContact, readTimeline, type TimelineEntry } from "@parley/domain/composition"
import { ContactsApi } from "../../../api/contacts.ts"
import { expectedVersion, pageOf } from "../../../api/shapes.ts"
import { makeAnswerWriter, makePageWriter } from "../../answers/answerWriters.ts"
import {
  actor,
  changing,
  duplicate,
  entry,
  joined,
  later,
  noted,
  opened,
  consentChange,
  sent,
  sentEntry
} from "../../examples/contacts.ts"
import { conversation, media, note, queued, received } from "../../examples/inbox.ts"
import {
  at,
  automation,
  automationRun,
  contact,
  lead,
  mergeId,
  lastSamplePage,
  requestId,
  samplePage,
  tag
} from "../../examples/samples.ts"
import { withFaultPointers } from "../../faults.ts"
import { bindWith, inQuery } from "../bind.ts"
import { listRequestOf } from "./contactQuery.ts"

const asEntry = (message: Message): TimelineEntry => {
  const { at, author, conversationId, direction, id, kind: messageKind, status, text } = message
  return { kind: "message", id, at, conversationId, direction, messageKind, text, status, author }
}

const schema = Schema.toCodecJson(Contact)

const [writeNew, writeKnown] = [makeAnswerWriter({ schema, status: 201 }), makeAnswerWriter({ schema, status: 200 })]

const writePage = makePageWriter(ExpandedContact)

export const contacts = bindWith(
  ContactsApi,
  {
    list: { uses: renderContacts, response: samplePage(contact) },
    count: { uses: countContacts, response: { count: 42 } },
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
          source: consentChange.source,
          evidence: "Ticked the box under the order of 20 November 2026."
        }
      },
      response: contact
    },
    get: { runs: getContact, response: contact },
    update: {
      runs: updateContact,
      request: { name: "Marie Skłodowska-Curie", attributes: { city: null } },
      response: new Contact({ ...contact, ...later, name: "Marie Skłodowska-Curie", attributes: {} })
    },
    delete: { uses: deleteContact },
    upsertByPhone: {
      uses: upsertContactByPhone,
      request: { name: "Marie Curie", tags: [tag.id] },
      response: contact
    },
    tag: { runs: tagContact, request: { tags: [tag.id] }, response: contact },
    untag: { runs: untagContact, response: new Contact({ ...contact, ...later, tags: [] }) },
    bulk: {
      uses: changeContacts,
      request: { change: { action: "tag", tags: [tag.id] }, target: { ids: [contact.id, lead.id] } },
      response: { matched: 2, changed: 1, missing: [] } satisfies BulkResult,
      others: [changing]
    },
    merge: { runs: mergeContacts, request: { contactId: lead.id }, response: { contact: joined, mergeId } },
    unmerge: {
      runs: unmergeContacts,
      request: { mergeId },
      response: { contact: new Contact({ ...contact, ...later, version: contact.version + 2 }), restored: lead }
    },
    listDuplicates: { runs: listDuplicates, response: lastSamplePage<Duplicate>(duplicate) },
    dismissDuplicate: { runs: dismissDuplicate },
    timeline: {
      runs: readTimeline,
      response: lastSamplePage<TimelineEntry>(
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
      response: samplePage<ContactRun>(
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
      response: {
        contact,
        tags: [tag],
        consents: [consentChange],
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
  },
  (handlers) =>
    handlers.handleAll({
      list: ({ query }) =>
        renderContacts({ ...listRequestOf(query), page: pageOf(query) }).pipe(
          withFaultPointers(inQuery),
          Effect.flatMap(writePage)
        ),
      count: ({ query }) => countContacts(listRequestOf(query)).pipe(withFaultPointers(inQuery)),
      delete: ({ headers, params, query }) =>
        (query.erase === true ? eraseContact : deleteContact)({ ...params, ifVersion: expectedVersion(headers) }),
      upsertByPhone: ({ params, payload }) =>
        Effect.flatMap(upsertContactByPhone({ ...payload, ...params }), ({ contact, created }) =>
          (created ? writeNew : writeKnown)(contact)
        ),
      bulk: ({ payload }) =>
        Effect.map(changeContacts(payload), (outcome) => (outcome.kind === "started" ? outcome.job : outcome.result))
    })
)

import {
  changeContacts,
  Contact,
  type ContactListRequest,
  countContacts,
  createContact,
  createContactField,
  createSegment,
  createTag,
  deleteContact,
  deleteContactField,
  deleteSegment,
  deleteTag,
  dismissDuplicate,
  eraseContact,
  ExpandedContact,
  exportContact,
  getContact,
  getSegment,
  getTag,
  listContactFields,
  listContactRuns,
  listFilterFields,
  listDuplicates,
  listSegments,
  listTags,
  mergeContacts,
  mergeTags,
  readTimeline,
  renderContacts,
  tagContact,
  unmergeContacts,
  untagContact,
  updateContact,
  updateContactField,
  updateSegment,
  updateTag,
  upsertContactByPhone
} from "@parley/domain"
import { Effect, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import type { ContactsQuery } from "../../api/contacts.ts"
import { expectedVersion, pageOf } from "../../api/shapes.ts"
import { makeAnswerWriter, makePageWriter, withAnswerWriters } from "../answers/answerWriters.ts"
import { withFaultPointers } from "../faults.ts"

const attribute = "attribute."

/** Returns the contact field parameters by field key. */
const attributesIn = (query: ContactsQuery): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      name.startsWith(attribute) && typeof value === "string" ? [[name.slice(attribute.length), value]] : []
    )
  )

/** Converts the query to the list request of the use case. */
export const listRequestOf = ({ tag = [], ...query }: ContactsQuery): ContactListRequest => ({
  ...query,
  tags: tag,
  attributes: attributesIn(query)
})

/** Prefixes a pointer with the query, which contains all list parameters. */
export const inQuery = (pointer: string) => `/query${pointer}`

const schema = Schema.toCodecJson(Contact)
const [writeNew, writeKnown] = [makeAnswerWriter({ schema, status: 201 }), makeAnswerWriter({ schema, status: 200 })]
const writePage = makePageWriter(ExpandedContact)

export const layerContacts = HttpApiBuilder.group(Api, "contacts", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query }) =>
      renderContacts(listRequestOf(query), pageOf(query)).pipe(withFaultPointers(inQuery), Effect.flatMap(writePage)),
    count: ({ query }) => countContacts(listRequestOf(query)).pipe(withFaultPointers(inQuery)),
    create: ({ payload }) => createContact(payload),
    get: ({ params, query }) => getContact(params.id, query.expand),
    update: ({ headers, params, payload }) => updateContact(params.id, payload, expectedVersion(headers)),
    delete: ({ headers, params, query }) =>
      (query.erase === true ? eraseContact : deleteContact)(params.id, expectedVersion(headers)),
    upsertByPhone: ({ params, payload }) =>
      Effect.flatMap(upsertContactByPhone(params.phone, payload), ({ contact, created }) =>
        (created ? writeNew : writeKnown)(contact)
      ),
    tag: ({ params, payload }) => tagContact(params.id, payload.tags),
    untag: ({ params, query }) =>
      untagContact(params.id, query.tag).pipe(withFaultPointers((pointer) => pointer.replace("/tags", "/query/tag"))),
    bulk: ({ payload }) =>
      Effect.map(changeContacts(payload), (outcome) => (outcome.kind === "started" ? outcome.job : outcome.result)),
    merge: ({ headers, params, payload }) => mergeContacts(params.id, payload.contactId, expectedVersion(headers)),
    unmerge: ({ headers, params, payload }) => unmergeContacts(params.id, payload.mergeId, expectedVersion(headers)),
    listDuplicates: ({ params, query }) => listDuplicates(params.id, pageOf(query)),
    dismissDuplicate: ({ params }) => dismissDuplicate(params.id, params.otherId),
    timeline: ({ params, query }) => readTimeline(params.id, pageOf(query)),
    listRuns: ({ params, query }) => listContactRuns({ contactId: params.id, page: pageOf(query) }),
    exportOne: ({ params }) => exportContact(params.id)
  })
)

export const layerContactFields = HttpApiBuilder.group(Api, "contactFields", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query }) => listContactFields(pageOf(query)),
    create: ({ payload }) => createContactField(payload),
    update: ({ headers, params, payload }) => updateContactField(params.id, payload, expectedVersion(headers)),
    delete: ({ headers, params }) => deleteContactField(params.id, expectedVersion(headers)),
    filters: () => Effect.map(listFilterFields(), (data) => ({ data }))
  })
)

export const layerTags = HttpApiBuilder.group(Api, "tags", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query: { q, ...page } }) => listTags(q ?? "", pageOf(page)),
    create: ({ payload }) => createTag(payload),
    get: ({ params }) => getTag(params.id),
    update: ({ headers, params, payload }) => updateTag(params.id, payload, expectedVersion(headers)),
    delete: ({ headers, params }) => deleteTag(params.id, expectedVersion(headers)),
    merge: ({ params, payload }) => mergeTags(params.id, payload.into)
  })
)

export const layerSegments = HttpApiBuilder.group(Api, "segments", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query }) => listSegments(pageOf(query)),
    create: ({ payload }) => createSegment(payload),
    get: ({ params }) => getSegment(params.id),
    update: ({ headers, params, payload }) => updateSegment(params.id, payload, expectedVersion(headers)),
    delete: ({ headers, params }) => deleteSegment(params.id, expectedVersion(headers))
  })
)

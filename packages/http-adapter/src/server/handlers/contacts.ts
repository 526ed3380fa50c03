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
      renderContacts({ ...listRequestOf(query), page: pageOf(query) }).pipe(
        withFaultPointers(inQuery),
        Effect.flatMap(writePage)
      ),
    count: ({ query }) => countContacts(listRequestOf(query)).pipe(withFaultPointers(inQuery)),
    create: ({ payload }) => createContact(payload),
    get: ({ params, query }) => getContact({ ...params, ...query }),
    update: ({ headers, params, payload }) =>
      updateContact({ ...params, ...payload, ifVersion: expectedVersion(headers) }),
    delete: ({ headers, params, query }) =>
      (query.erase === true ? eraseContact : deleteContact)({ ...params, ifVersion: expectedVersion(headers) }),
    upsertByPhone: ({ params, payload }) =>
      Effect.flatMap(upsertContactByPhone({ ...params, ...payload }), ({ contact, created }) =>
        (created ? writeNew : writeKnown)(contact)
      ),
    tag: ({ params, payload }) => tagContact({ ...params, ...payload }),
    untag: ({ params, query }) => untagContact({ ...params, ...query }).pipe(withFaultPointers(inQuery)),
    bulk: ({ payload }) =>
      Effect.map(changeContacts(payload), (outcome) => (outcome.kind === "started" ? outcome.job : outcome.result)),
    merge: ({ headers, params, payload }) =>
      mergeContacts({ ...params, ...payload, ifVersion: expectedVersion(headers) }),
    unmerge: ({ headers, params, payload }) =>
      unmergeContacts({ ...params, ...payload, ifVersion: expectedVersion(headers) }),
    listDuplicates: ({ params, query }) => listDuplicates({ ...params, page: pageOf(query) }),
    dismissDuplicate: ({ params }) => dismissDuplicate(params),
    timeline: ({ params, query }) => readTimeline({ ...params, page: pageOf(query) }),
    listRuns: ({ params, query }) => listContactRuns({ ...params, page: pageOf(query) }),
    exportOne: ({ params }) => exportContact(params)
  })
)

export const layerContactFields = HttpApiBuilder.group(Api, "contactFields", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query }) => listContactFields({ page: pageOf(query) }),
    create: ({ payload }) => createContactField(payload),
    update: ({ headers, params, payload }) =>
      updateContactField({ ...params, ...payload, ifVersion: expectedVersion(headers) }),
    delete: ({ headers, params }) => deleteContactField({ ...params, ifVersion: expectedVersion(headers) }),
    filters: () => Effect.map(listFilterFields(), (data) => ({ data }))
  })
)

export const layerTags = HttpApiBuilder.group(Api, "tags", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query }) => listTags({ ...query, page: pageOf(query) }),
    create: ({ payload }) => createTag(payload),
    get: ({ params }) => getTag(params),
    update: ({ headers, params, payload }) => updateTag({ ...params, ...payload, ifVersion: expectedVersion(headers) }),
    delete: ({ headers, params }) => deleteTag({ ...params, ifVersion: expectedVersion(headers) }),
    merge: ({ params, payload }) => mergeTags({ ...params, ...payload })
  })
)

export const layerSegments = HttpApiBuilder.group(Api, "segments", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query }) => listSegments({ page: pageOf(query) }),
    create: ({ payload }) => createSegment(payload),
    get: ({ params }) => getSegment(params),
    update: ({ headers, params, payload }) =>
      updateSegment({ ...params, ...payload, ifVersion: expectedVersion(headers) }),
    delete: ({ headers, params }) => deleteSegment({ ...params, ifVersion: expectedVersion(headers) })
  })
)

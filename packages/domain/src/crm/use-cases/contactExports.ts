import { DateTime, Effect, type Schema, Stream } from "effect"
import { type Tenancy, transact, useCase } from "../../kernel/index.ts"
import { recordAudit } from "../../platform/audit/index.ts"
import { type CsvRow, writeCsv, writeNdjson } from "../../platform/files/index.ts"
import type { Contact } from "../Contact.ts"
import { type ContactField, ContactFields } from "../ContactFields.ts"
import { type ContactQuery, Contacts, type FoundContacts } from "../Contacts.ts"
import type { TagId } from "../Identity.ts"
import { Tags } from "../Tags.ts"
import { contactCursorKey } from "../contactListing.ts"
import { parseContactSearch } from "../contactSearch.ts"
import { buildContactFilter, type ContactListRequest } from "../filter/contactFilter.ts"
import type { TransferFormat } from "../imports/ContactImport.ts"
import { joinTagNames } from "../imports/tagNames.ts"

/** Columns of an export, in order. */
const exportColumns = (fields: ReadonlyArray<ContactField>): ReadonlyArray<string> => [
  "id",
  "name",
  "phone",
  "email",
  "locale",
  "timezone",
  "marketing",
  "tags",
  ...fields.map(({ key }) => `attribute.${key}`),
  "createdAt",
  "lastSeenAt"
]

/** Builds the export row of a contact, with its tag names. */
const exportRow = (
  contact: Contact,
  names: ReadonlyMap<TagId, string>,
  fields: ReadonlyArray<ContactField>
): Readonly<Record<string, Schema.Json>> => {
  const { attributes, consent, createdAt, email, id, lastSeenAt, locale, name, phone, timezone } = contact
  return {
    id,
    name,
    phone,
    email,
    locale,
    timezone,
    marketing: consent.marketing,
    tags: contact.tags.flatMap((tag) => names.get(tag) ?? []),
    // A key can equal a property of every object, such as `constructor`.
    ...Object.fromEntries(
      fields.map(({ key }) => [`attribute.${key}`, Object.hasOwn(attributes, key) ? (attributes[key] ?? null) : null])
    ),
    createdAt: DateTime.formatIso(createdAt),
    lastSeenAt: lastSeenAt === null ? null : DateTime.formatIso(lastSeenAt)
  }
}

const isTextList = (value: Schema.Json): value is ReadonlyArray<string> => Array.isArray(value)

const cellText = (value: Schema.Json): string =>
  value === null ? "" : isTextList(value) ? joinTagNames(value) : String(value)

/** Converts the row to text cells. */
const asCells = (row: Readonly<Record<string, Schema.Json>>): CsvRow =>
  Object.fromEntries(Object.entries(row).map(([column, value]) => [column, cellText(value)]))

/** Number of contacts in one read. */
const pageSize = 1_000

/** Contacts to export: the contacts of the same list request, sorted by creation. */
export type ContactExportRequest = Omit<ContactListRequest, "expand" | "sort">

const sort = "createdAt"

/** Start of the next page; `null` after the last page. */
type PageStart = { readonly after: ReadonlyArray<string> | null } | null

const nextPageStart = ({ resume, rows }: FoundContacts): PageStart => {
  if (resume !== null) return { after: resume }
  const last = rows.length < pageSize ? undefined : rows.at(-1)
  return last === undefined ? null : { after: contactCursorKey(sort, last) }
}

/** Streams the requested contacts in pages, with their tag names. */
const streamPages = Effect.fnUntraced(function* (query: Omit<ContactQuery, "sort">) {
  const contacts = yield* Contacts
  const tags = yield* Tags
  const context = yield* Effect.context<Tenancy>()
  const read = Effect.fnUntraced(function* ({ after }: NonNullable<PageStart>) {
    const found = yield* contacts.list({ ...query, sort }, { limit: pageSize, after })
    const named = yield* tags.find([...new Set(found.rows.flatMap((contact) => contact.tags))])
    const page = { contacts: found.rows, names: new Map(named.map(({ id, name }) => [id, name])) }
    return [page, nextPageStart(found)] as const
  })
  const start: PageStart = { after: null }
  return Stream.unfold(start, (place: PageStart) => (place === null ? Effect.undefined : read(place))).pipe(
    Stream.provideContext(context)
  )
})

/** Exports any number of contacts as a stream. An exported CSV can be imported again. */
export const exportContacts = useCase(
  { name: "contacts.export", access: { permission: "contacts.export" }, audit: "contacts.exported" },
  Effect.fnUntraced(function* ({ format, ...request }: { readonly format: TransferFormat } & ContactExportRequest) {
    const filter = yield* buildContactFilter(request)
    const search = request.q === undefined ? null : parseContactSearch(request.q)
    const fields = (yield* (yield* ContactFields).all()).filter(({ status }) => status === "active")
    yield* transact(recordAudit("contacts.exported", { kind: "contacts", id: format }, { after: { format } }))
    const rows = (yield* streamPages({ filter, search })).pipe(
      Stream.map(({ contacts, names }) => contacts.map((contact) => exportRow(contact, names, fields))),
      Stream.flattenIterable
    )
    return format === "csv" ? writeCsv(exportColumns(fields))(Stream.map(rows, asCells)) : writeNdjson(rows)
  })
)

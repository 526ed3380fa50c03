import { Effect, Stream } from "effect"
import { record } from "../../platform/audit/index.ts"
import { writeCsv, writeNdjson } from "../../platform/files/index.ts"
import { type Tenancy, transact, useCase } from "../../kernel/index.ts"
import { ContactFields } from "../ContactFields.ts"
import { contactKey } from "../contactKey.ts"
import { type ContactQuery, Contacts, type FoundContacts } from "../Contacts.ts"
import type { TransferFormat } from "../imports/ContactImport.ts"
import { asCells, exportColumns, exportRow } from "../imports/exportRows.ts"
import { searchOf } from "../search.ts"
import { Tags } from "../Tags.ts"
import { type ContactListRequest, contactFilter } from "../filter/contactFilter.ts"

/** How many contacts are read at once. */
const pageSize = 1_000

/** Which contacts to export; those of a list that is asked for the same, in the order in which they were added. */
export type ContactExportRequest = Omit<ContactListRequest, "expand" | "sort">

const sort = "createdAt"

/** Where the next page begins; `null` behind the last one. */
type Place = { readonly after: ReadonlyArray<string> | null } | null

const placeBehind = ({ resume, rows }: FoundContacts): Place => {
  if (resume !== null) return { after: resume }
  const last = rows.length < pageSize ? undefined : rows.at(-1)
  return last === undefined ? null : { after: contactKey(sort, last) }
}

/** The contacts that are asked for, page by page, with the names of their tags. */
const pages = Effect.fnUntraced(function* (query: Omit<ContactQuery, "sort">) {
  const contacts = yield* Contacts
  const tags = yield* Tags
  const context = yield* Effect.context<Tenancy>()
  const read = Effect.fnUntraced(function* ({ after }: NonNullable<Place>) {
    const found = yield* contacts.list({ ...query, sort }, { limit: pageSize, after })
    const named = yield* tags.find([...new Set(found.rows.flatMap((contact) => contact.tags))])
    const page = { contacts: found.rows, names: new Map(named.map(({ id, name }) => [id, name])) }
    return [page, placeBehind(found)] as const
  })
  const start: Place = { after: null }
  return Stream.unfold(start, (place: Place) => (place === null ? Effect.undefined : read(place))).pipe(
    Stream.provideContext(context)
  )
})

/** Exports contacts of any number, piece by piece. A CSV that was exported can be imported again. */
export const exportContacts = useCase(
  "contacts.export",
  { access: { permission: "contacts.export" } },
  Effect.fnUntraced(function* (request: ContactExportRequest, format: TransferFormat) {
    const filter = yield* contactFilter(request)
    const search = request.q === undefined ? null : searchOf(request.q)
    const fields = (yield* (yield* ContactFields).all()).filter(({ status }) => status === "active")
    yield* transact(record("contacts.exported", { kind: "contacts", id: format }, { after: { format } }))
    const rows = (yield* pages({ filter, search })).pipe(
      Stream.map(({ contacts, names }) => contacts.map((contact) => exportRow(contact, names, fields))),
      Stream.flattenIterable
    )
    return format === "csv" ? writeCsv(exportColumns(fields))(Stream.map(rows, asCells)) : writeNdjson(rows)
  })
)

import { Effect, Stream } from "effect"
import { record } from "../../platform/audit/index.ts"
import type { Contacts, TransferFormat } from "../../crm/index.ts"
import { writeCsv, writeNdjson } from "../../platform/files/index.ts"
import { type Tenancy, transact, useCase } from "../../kernel/index.ts"
import { Broadcasts } from "../Broadcasts.ts"
import type { BroadcastId } from "../Ids.ts"
import { RecipientList, type RecipientQuery } from "../RecipientList.ts"
import { asCells, exportColumns, exportRow } from "../recipients/exportRows.ts"
import { namedRecipients } from "../recipients/namedRecipients.ts"
import { requireContact, requireRecipients } from "../recipients/requireRecipients.ts"

/** How many recipients are read at once. */
const pageSize = 1_000

/** Where the next page begins; `null` behind the last one. */
type Place = { readonly after: ReadonlyArray<string> | null } | null

const pages = Effect.fnUntraced(function* (id: BroadcastId, query: RecipientQuery) {
  const recipients = yield* RecipientList
  const context = yield* Effect.context<Tenancy | Contacts>()
  const read = Effect.fnUntraced(function* ({ after }: NonNullable<Place>) {
    const { resume, rows } = yield* recipients.list(id, query, { limit: pageSize, after })
    const last = rows.length < pageSize ? undefined : rows.at(-1)
    const behind = resume ?? (last === undefined ? null : [String(last.seq)])
    const next: Place = behind === null ? null : { after: behind }
    return [yield* namedRecipients(rows), next] as const
  })
  const start: Place = { after: null }
  return Stream.unfold(start, (place: Place) => (place === null ? Effect.undefined : read(place))).pipe(
    Stream.provideContext(context)
  )
})

/** Exports whom a broadcast goes to and what came of each, of any number, piece by piece, in the order of the list. */
export const exportRecipients = useCase(
  "broadcasts.exportRecipients",
  { access: { permission: "contacts.export" }, actsThrough: "nothing" },
  Effect.fnUntraced(function* (id: BroadcastId, query: RecipientQuery, format: TransferFormat) {
    yield* requireRecipients(yield* (yield* Broadcasts).get(id))
    yield* requireContact(query)
    yield* transact(record("broadcast.exported", { kind: "broadcast", id }, { after: { format } }))
    const rows = (yield* pages(id, query)).pipe(Stream.flattenIterable, Stream.map(exportRow))
    return format === "csv" ? writeCsv(exportColumns)(Stream.map(rows, asCells)) : writeNdjson(rows)
  })
)

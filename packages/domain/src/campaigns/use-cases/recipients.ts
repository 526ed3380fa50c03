import { DateTime, Effect, type Schema, Stream } from "effect"
import type { Contacts, TransferFormat } from "../../crm/index.ts"
import {
  pagedPartial,
  type PageRequest,
  type Tenancy,
  requirePermissions,
  transact,
  useCase
} from "../../kernel/index.ts"
import { recordAudit } from "../../platform/audit/index.ts"
import { type CsvRow, writeCsv, writeNdjson } from "../../platform/files/index.ts"
import { Broadcasts } from "../Broadcasts.ts"
import type { BroadcastId } from "../Ids.ts"
import {
  type BroadcastRecipient,
  withContactNames,
  RecipientList,
  type RecipientQuery,
  requireContact,
  requireRecipients
} from "../RecipientList.ts"

/** Columns of a recipient export, in order. */
const exportColumns = [
  "id",
  "contactId",
  "name",
  "address",
  "variant",
  "status",
  "reason",
  "errorCode",
  "errorProviderCode",
  "errorReason",
  "attempts",
  "dueAt",
  "sentAt",
  "deliveredAt",
  "readAt",
  "failedAt",
  "repliedAt",
  "optedOutAt",
  "conversationId"
] as const

type Row = Readonly<Record<(typeof exportColumns)[number], string | number | null>>

const formatTime = (time: DateTime.Utc | null) => (time === null ? null : DateTime.formatIso(time))

/** Converts a recipient to an export row. */
const exportRow = (recipient: BroadcastRecipient): Row & Readonly<Record<string, Schema.Json>> => {
  const { address, attempts, contactId, conversationId, error, id, name, reason, status, variant } = recipient
  return {
    id,
    contactId,
    name,
    address,
    variant,
    status,
    reason,
    errorCode: error?.code ?? null,
    errorProviderCode: error?.providerCode ?? null,
    errorReason: error?.reason ?? null,
    attempts,
    dueAt: formatTime(recipient.dueAt),
    sentAt: formatTime(recipient.sentAt),
    deliveredAt: formatTime(recipient.deliveredAt),
    readAt: formatTime(recipient.readAt),
    failedAt: formatTime(recipient.failedAt),
    repliedAt: formatTime(recipient.repliedAt),
    optedOutAt: formatTime(recipient.optedOutAt),
    conversationId
  }
}

/** Converts a row to CSV cells. */
const asCells = (row: Row): CsvRow =>
  Object.fromEntries(Object.entries(row).map(([column, value]) => [column, value === null ? "" : String(value)]))

/** Lists the recipients of a broadcast with their results. */
export const listRecipients = useCase(
  { name: "broadcasts.recipients", access: { permission: "broadcasts.read" } },
  Effect.fnUntraced(function* ({
    id,
    page,
    ...query
  }: { readonly id: BroadcastId; readonly page: PageRequest } & RecipientQuery) {
    yield* requireRecipients(yield* (yield* Broadcasts).get(id))
    yield* requireContact(query)
    const recipients = yield* RecipientList
    const { data, nextCursor } = yield* pagedPartial(
      `broadcasts/${id}/recipients`,
      page,
      (slice) => recipients.list(id, query, slice),
      ({ seq }) => [String(seq)]
    )
    return { data: yield* withContactNames(data), nextCursor }
  })
)

/** Batch size of recipients. */
const pageSize = 1_000

/** Start of the next page; `null` after the last one. */
type PageCursor = { readonly after: ReadonlyArray<string> | null } | null

const recipientPages = Effect.fnUntraced(function* (id: BroadcastId, query: RecipientQuery) {
  const recipients = yield* RecipientList
  const context = yield* Effect.context<Tenancy | Contacts>()
  const read = Effect.fnUntraced(function* ({ after }: NonNullable<PageCursor>) {
    const { resume, rows } = yield* recipients.list(id, query, { limit: pageSize, after })
    const last = rows.length < pageSize ? undefined : rows.at(-1)
    const behind = resume ?? (last === undefined ? null : [String(last.seq)])
    const next: PageCursor = behind === null ? null : { after: behind }
    return [yield* withContactNames(rows), next] as const
  })
  const start: PageCursor = { after: null }
  return Stream.unfold(start, (place: PageCursor) => (place === null ? Effect.undefined : read(place))).pipe(
    Stream.provideContext(context)
  )
})

/** Exports any number of recipients of a broadcast with their results, as a stream in list order. */
export const exportRecipients = useCase(
  {
    name: "broadcasts.exportRecipients",
    access: { permission: "contacts.export" },
    actsThrough: "nothing",
    audit: "broadcast.exported"
  },
  Effect.fnUntraced(function* ({
    id,
    format,
    ...query
  }: { readonly id: BroadcastId; readonly format: TransferFormat } & RecipientQuery) {
    // The rows and the filters also tell the results of the broadcast.
    yield* requirePermissions(["broadcasts.read"])
    yield* requireRecipients(yield* (yield* Broadcasts).get(id))
    yield* requireContact(query)
    yield* transact(recordAudit("broadcast.exported", { kind: "broadcast", id }, { after: { format } }))
    const rows = (yield* recipientPages(id, query)).pipe(Stream.flattenIterable, Stream.map(exportRow))
    return format === "csv" ? writeCsv(exportColumns)(Stream.map(rows, asCells)) : writeNdjson(rows)
  })
)

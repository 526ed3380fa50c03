import { DateTime, type Schema } from "effect"
import type { CsvRow } from "../../platform/files/index.ts"
import type { BroadcastRecipient } from "../BroadcastRecipient.ts"

/** The columns of an export of recipients, in their order. */
export const exportColumns = [
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

const at = (time: DateTime.Utc | null) => (time === null ? null : DateTime.formatIso(time))

/** A recipient as a row of an export. */
export const exportRow = (recipient: BroadcastRecipient): Row & Readonly<Record<string, Schema.Json>> => {
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
    dueAt: at(recipient.dueAt),
    sentAt: at(recipient.sentAt),
    deliveredAt: at(recipient.deliveredAt),
    readAt: at(recipient.readAt),
    failedAt: at(recipient.failedAt),
    repliedAt: at(recipient.repliedAt),
    optedOutAt: at(recipient.optedOutAt),
    conversationId
  }
}

/** The same row as cells of text. */
export const asCells = (row: Row): CsvRow =>
  Object.fromEntries(Object.entries(row).map(([column, value]) => [column, value === null ? "" : String(value)]))

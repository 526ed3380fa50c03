import { Schema } from "effect"
import { FileId } from "../../files/index.ts"
import { JobId, JobProgress, JobState } from "../../jobs/index.ts"
import { ActorRef, isWellFormed, Timestamp, Uuid } from "../../kernel/index.ts"
import { TagIds } from "../Contact.ts"
import { Country } from "../PhoneNumber.ts"

export const ContactImportId = Uuid.pipe(Schema.brand("ContactImportId"))
export type ContactImportId = typeof ContactImportId.Type

/** How the rows of a file are written down. */
export const TransferFormat = Schema.Literals(["csv", "ndjson"])
export type TransferFormat = typeof TransferFormat.Type

/** The parts of a contact that a column can fill, besides its custom fields. */
export const plainTargets = [
  "id",
  "name",
  "phone",
  "email",
  "locale",
  "timezone",
  "external",
  "marketing",
  "tags"
] as const

/** What a column fills: a part of the contact, or `attribute.` and the key of a custom field. */
export const ImportTarget = Schema.String.check(
  Schema.isPattern(
    /^(?:id|name|phone|email|locale|timezone|external|marketing|tags|attribute\.[a-z][a-zA-Z0-9_]{0,39})$/u,
    { message: `Expected one of ${plainTargets.join(", ")}, or attribute. and the key of a contact field` }
  )
)
export type ImportTarget = typeof ImportTarget.Type

const Column = Schema.String.check(
  isWellFormed,
  Schema.isPattern(/^[^\0]*$/u, { message: "Expected text without control characters" })
)

/** A column of the file, and what it fills. */
export const ColumnTarget = Schema.Struct({ column: Column, target: ImportTarget }).annotate({
  identifier: "ColumnTarget"
})
export type ColumnTarget = typeof ColumnTarget.Type

/** What is done with rows about contacts that there are already. */
export const OnExisting = Schema.Literals(["update", "skip"])
export type OnExisting = typeof OnExisting.Type

/** What came of the rows so far. */
export const ImportCounts = Schema.Struct({
  rows: Schema.Int,
  created: Schema.Int,
  updated: Schema.Int,
  unchanged: Schema.Int,
  bad: Schema.Int,
  suppressed: Schema.Int.annotateKey({
    description: "Rows of contacts who had opted out of marketing before, and stay so whatever the row says."
  })
}).annotate({ identifier: "ImportCounts" })
export type ImportCounts = typeof ImportCounts.Type

/** Before the first row. */
export const noRows: ImportCounts = { rows: 0, created: 0, updated: 0, unchanged: 0, bad: 0, suppressed: 0 }

/** An import of contacts from a file: how far it is, and what came of the rows. */
export class ContactImport extends Schema.Class<ContactImport>("ContactImport")({
  id: ContactImportId,
  jobId: JobId,
  state: JobState,
  format: TransferFormat,
  /** Nothing is written: the counts and the errors are those that there would be. */
  dryRun: Schema.Boolean,
  onExisting: OnExisting,
  createTags: Schema.Boolean,
  country: Schema.NullOr(Country),
  /** Tags that every contact of the file gets. */
  tags: TagIds,
  mapping: Schema.Array(ColumnTarget),
  /** In bytes of the file. */
  progress: JobProgress,
  counts: ImportCounts,
  /** A sentence for people, when it failed. */
  error: Schema.NullOr(Schema.String),
  /** The path of the bad rows as CSV, when there are any. */
  errorsUrl: Schema.NullOr(Schema.String),
  createdBy: ActorRef,
  createdAt: Timestamp,
  finishedAt: Schema.NullOr(Timestamp)
}) {}

/** An import as it is kept: what does not change while it runs. */
export class ImportOrder extends Schema.Class<ImportOrder>("ImportOrder")({
  id: ContactImportId,
  jobId: JobId,
  fileId: FileId,
  size: Schema.Int,
  format: TransferFormat,
  delimiter: Schema.Literals([",", ";", "\t"]),
  header: Schema.Array(Schema.String),
  /** Where the first row begins. */
  start: Schema.Struct({ offset: Schema.Int, line: Schema.Int }),
  dryRun: Schema.Boolean,
  onExisting: OnExisting,
  createTags: Schema.Boolean,
  country: Schema.NullOr(Country),
  tags: TagIds,
  mapping: Schema.Array(ColumnTarget),
  createdAt: Timestamp
}) {}

/** What is wrong with a row: its line, the column if it is one cell, and the cells as they stand in the file. */
export interface ImportFault {
  /** Counts the faults of the import, from 1. */
  readonly number: number
  readonly line: number
  readonly column: string | null
  readonly reason: string
  readonly cells: ReadonlyArray<string>
}

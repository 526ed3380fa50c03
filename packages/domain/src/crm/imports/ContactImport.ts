import { Context, type DateTime, type Effect, Schema } from "effect"
import {
  ActorRef,
  isWellFormed,
  type NotFound,
  shownWith,
  type TenantScoped,
  Timestamp,
  type Transaction,
  Uuid
} from "../../kernel/index.ts"
import { FileId } from "../../platform/files/index.ts"
import { Job, JobId, JobProgress, JobState } from "../../platform/jobs/index.ts"
import { TagIds } from "../Contact.ts"
import { Country } from "../PhoneNumber.ts"
import { TagSeparator } from "./tagNames.ts"

export const ContactImportId = Uuid.pipe(Schema.brand("ContactImportId"))
export type ContactImportId = typeof ContactImportId.Type

export const TransferFormat = Schema.Literals(["csv", "ndjson"])
export type TransferFormat = typeof TransferFormat.Type

/** Parts of a contact that a column can fill, in addition to custom fields. */
export const contactTargets = [
  "id",
  "name",
  "firstName",
  "lastName",
  "phone",
  "email",
  "locale",
  "timezone",
  "external",
  "marketing",
  "tags"
] as const

/** Prefix of a custom field's key in a column target. */
export const attributePrefix = "attribute."

/** Target of an ignored column. */
export const ignoredTarget = "ignore"

/** Returns whether exports have this column but imports ignore it without a mapping. */
export const isExportOnlyColumn = (column: string): boolean => column === "createdAt" || column === "lastSeenAt"

/** Target of a column: a part of the contact, `attribute.` and the key of a custom field, or `ignore`. */
export const ImportTarget = Schema.String.check(
  Schema.isPattern(
    /^(?:id|name|firstName|lastName|phone|email|locale|timezone|external|marketing|tags|ignore|attribute\.[a-z][a-zA-Z0-9_]{0,39})$/u,
    {
      message: `Expected one of ${contactTargets.join(", ")}, ignore, or attribute. and the key of a contact field`
    }
  )
)
export type ImportTarget = typeof ImportTarget.Type

const Column = Schema.String.check(
  isWellFormed,
  Schema.isPattern(/^[^\0]*$/u, { message: "Expected text without control characters" })
)

export const ColumnTarget = Schema.Struct({ column: Column, target: ImportTarget }).annotate({
  identifier: "ColumnTarget"
})
export type ColumnTarget = typeof ColumnTarget.Type

/** Column of the file with its target; `null` for none. */
export const ImportColumn = Schema.Struct({ name: Schema.String, field: Schema.NullOr(ImportTarget) }).annotate({
  identifier: "ImportColumn"
})
export type ImportColumn = typeof ImportColumn.Type

/** Maximum number of named columns of a file whose rows name their own cells. */
export const maxImportColumns = 500

/** Result of a finished import: every row, some rows or no row was used. */
export const ImportOutcome = Schema.Literals(["complete", "partial", "nothing"])
export type ImportOutcome = typeof ImportOutcome.Type

/** Handling of rows about existing contacts. */
export const OnExisting = Schema.Literals(["update", "skip"])
export type OnExisting = typeof OnExisting.Type

/** A count that depends on the stored contacts, also for the rows that are bad because of them. */
const contactCount = Schema.NullOr(Schema.Int)

/** Counts of the rows so far. */
export const ImportCounts = Schema.Struct({
  rows: Schema.Int,
  created: contactCount.pipe(shownWith("contacts.read")),
  updated: contactCount.pipe(shownWith("contacts.read")),
  unchanged: contactCount.pipe(shownWith("contacts.read")),
  bad: contactCount.pipe(shownWith("contacts.read")),
  suppressed: contactCount
    .annotateKey({
      description: "Rows of contacts with an earlier opt-out. The opt-out stays, even if the row contains a consent."
    })
    .pipe(shownWith("contacts.read")),
  unknownIds: contactCount
    .annotateKey({
      description:
        "Rows with an unknown id, for example from another system. The id is ignored; the phone number, e-mail address or external id of the row applies."
    })
    .pipe(shownWith("contacts.read"))
}).annotate({ identifier: "ImportCounts" })

/** Counts of the rows so far, before they are hidden from callers. */
export type RowCounts = { readonly [Name in keyof typeof ImportCounts.Type]: number }

/** Counts before the first row. */
export const zeroRowCounts: RowCounts = {
  rows: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  bad: 0,
  suppressed: 0,
  unknownIds: 0
}

/** Import of contacts from a file, with its progress and results. */
export class ContactImport extends Schema.Class<ContactImport>("ContactImport")({
  id: ContactImportId,
  jobId: JobId,
  state: JobState,
  format: TransferFormat,
  /** Whether the import writes nothing. Counts and errors equal the result of a real import. */
  dryRun: Schema.Boolean,
  onExisting: OnExisting,
  createTags: Schema.Boolean,
  country: Schema.NullOr(Country),
  /** Tags for every contact of the file. */
  tags: TagIds,
  mapping: Schema.Array(ColumnTarget),
  columns: Schema.Array(ImportColumn).annotateKey({
    description: `Columns of the file with their target; \`null\` without a target. For NDJSON, the columns of the rows read so far, at most ${maxImportColumns}.`
  }),
  unknownColumns: Schema.Array(Schema.String).annotateKey({
    description: "Columns without a target that the mapping does not ignore. Their values are not imported."
  }),
  strict: Schema.Boolean.annotateKey({ description: "Whether columns without a target are refused." }),
  tagSeparator: TagSeparator.annotateKey({ description: "Separator between tag names in a cell." }),
  /** In bytes of the file. */
  progress: JobProgress,
  counts: ImportCounts,
  outcome: Schema.NullOr(ImportOutcome)
    .annotateKey({
      description:
        "Result after the end: all rows were used (`complete`), some (`partial`), or none (`nothing`). An import without a valid row has the state `failed`, even in a dry run. If its requester cannot read contacts, rows that are bad because of stored contacts do not count for the state."
    })
    .pipe(shownWith("contacts.read")),
  summary: Schema.NullOr(Schema.String)
    .annotateKey({ description: "The result as a sentence." })
    .pipe(shownWith("contacts.read")),
  /** Error message for people, if the import failed. */
  error: Schema.NullOr(Schema.String),
  errorCode: Job.fields.errorCode,
  errorsUrl: Schema.NullOr(Schema.String)
    .annotateKey({ description: "Path of the bad rows as CSV. Null without bad rows." })
    .pipe(shownWith("contacts.read")),
  createdBy: ActorRef,
  createdAt: Timestamp,
  finishedAt: Schema.NullOr(Timestamp)
}) {}

/** Stored data of an import that does not change during its run. */
export class StoredImport extends Schema.Class<StoredImport>("ImportOrder")({
  id: ContactImportId,
  jobId: JobId,
  fileId: FileId,
  size: Schema.Int,
  format: TransferFormat,
  delimiter: Schema.Literals([",", ";", "\t"]),
  /** Column names. If rows name their own cells, the names in the rows read so far. */
  header: Schema.Array(Schema.String),
  /** Position of the first row. */
  start: Schema.Struct({ offset: Schema.Int, line: Schema.Int }),
  dryRun: Schema.Boolean,
  onExisting: OnExisting,
  createTags: Schema.Boolean,
  country: Schema.NullOr(Country),
  tags: TagIds,
  mapping: Schema.Array(ColumnTarget),
  strict: Schema.optionalKey(Schema.Boolean),
  /** Set only if the request specifies it: a comma in the name of a new tag is then intended. */
  tagSeparator: Schema.optionalKey(TagSeparator),
  createdAt: Timestamp
}) {}

/** Error in a row: its line, the column for a single cell, and the cells as in the file. */
export interface ImportIssue {
  /** Number of the error in the import, from 1. */
  readonly number: number
  readonly line: number
  readonly column: string | null
  readonly reason: string
  readonly cells: ReadonlyArray<string>
  /** Whether the error depends on stored contacts. */
  readonly ofContacts: boolean
}

/** Contact imports of the organization, their files and their bad rows. */
export class ContactImports extends Context.Service<
  ContactImports,
  TenantScoped<{
    readonly get: (id: ContactImportId) => Effect.Effect<StoredImport, NotFound>
    readonly insert: (order: StoredImport) => Effect.Effect<void, never, Transaction>
    /** Appends new columns of the file to the known ones. */
    readonly addColumns: (
      id: ContactImportId,
      columns: ReadonlyArray<string>
    ) => Effect.Effect<void, never, Transaction>
    /** Appends errors to the existing ones. */
    readonly addFaults: (
      id: ContactImportId,
      faults: ReadonlyArray<ImportIssue>
    ) => Effect.Effect<void, never, Transaction>
    /** Returns at most `limit` errors with higher numbers, lowest first. */
    readonly faults: (id: ContactImportId, after: number, limit: number) => Effect.Effect<ReadonlyArray<ImportIssue>>
    /** Records a file before it is written, because the sweep must find an abandoned file. */
    readonly expectFile: (file: FileId, now: DateTime.Utc) => Effect.Effect<void, never, Transaction>
    /** Deletes the record of a file without an import. Returns whether one existed. */
    readonly forgetFile: (file: FileId) => Effect.Effect<boolean, never, Transaction>
  }>
>()("@parley/domain/crm/imports/ContactImports") {}

/** Deletes the remains of imports of the organization. */
export class ContactImportCleanup extends Context.Service<
  ContactImportCleanup,
  TenantScoped<{
    /** Deletes the files of finished imports, files without an import after one day, and bad rows after thirty days. Returns their number. */
    readonly sweep: () => Effect.Effect<number>
  }>
>()("@parley/domain/crm/imports/ContactImportCleanup") {}

import { Context, type DateTime, type Effect, Schema } from "effect"
import {
  ActorRef,
  isWellFormed,
  type NotFound,
  type TenantScoped,
  Timestamp,
  type Transaction,
  Uuid
} from "../../kernel/index.ts"
import { FileId } from "../../platform/files/index.ts"
import { JobId, JobProgress, JobState } from "../../platform/jobs/index.ts"
import { TagIds } from "../Contact.ts"
import { Country } from "../PhoneNumber.ts"
import { TagSeparator } from "./tagNames.ts"

export const ContactImportId = Uuid.pipe(Schema.brand("ContactImportId"))
export type ContactImportId = typeof ContactImportId.Type

/** How the rows of a file are written down. */
export const TransferFormat = Schema.Literals(["csv", "ndjson"])
export type TransferFormat = typeof TransferFormat.Type

/** The parts of a contact that a column can fill, besides its custom fields. */
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

/** What stands in front of the key of a custom field that a column fills. */
export const attributePrefix = "attribute."

/** The target of a column that is to fill nothing. */
export const ignoredTarget = "ignore"

/** Whether it is a column of exports that imports do not take over, and need not say so. */
export const isExportOnlyColumn = (column: string): boolean => column === "createdAt" || column === "lastSeenAt"

/** What a column fills: a part of the contact, `attribute.` and the key of a custom field, or nothing (`ignore`). */
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

/** A column of the file, and what it fills. */
export const ColumnTarget = Schema.Struct({ column: Column, target: ImportTarget }).annotate({
  identifier: "ColumnTarget"
})
export type ColumnTarget = typeof ColumnTarget.Type

/** A column of the file, and what it fills; nothing if that is `null`. */
export const ImportColumn = Schema.Struct({ name: Schema.String, field: Schema.NullOr(ImportTarget) }).annotate({
  identifier: "ImportColumn"
})
export type ImportColumn = typeof ImportColumn.Type

/** The most columns that are named of a file whose rows name their own cells. */
export const maxImportColumns = 500

/** What came of an import that has ended: every row was used, some were, or none was. */
export const ImportOutcome = Schema.Literals(["complete", "partial", "nothing"])
export type ImportOutcome = typeof ImportOutcome.Type

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
  }),
  unknownIds: Schema.Int.annotateKey({
    description:
      "Rows with an id that no contact of the organization has, such as one of another system. The id is ignored: the row goes by its phone number, e-mail address or external id."
  })
}).annotate({ identifier: "ImportCounts" })
export type ImportCounts = typeof ImportCounts.Type

/** Before the first row. */
export const zeroImportCounts: ImportCounts = {
  rows: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  bad: 0,
  suppressed: 0,
  unknownIds: 0
}

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
  columns: Schema.Array(ImportColumn).annotateKey({
    description: `The columns of the file, each with what it fills; \`null\` if that is nothing. Of NDJSON they are those of the rows read so far, at most ${maxImportColumns}.`
  }),
  unknownColumns: Schema.Array(Schema.String).annotateKey({
    description:
      "The columns that fill nothing, but for those that the mapping ignores. What is in them is not imported."
  }),
  strict: Schema.Boolean.annotateKey({ description: "Whether columns that fill nothing are refused." }),
  tagSeparator: TagSeparator.annotateKey({ description: "What stands between the names of tags in a cell." }),
  /** In bytes of the file. */
  progress: JobProgress,
  counts: ImportCounts,
  outcome: Schema.NullOr(ImportOutcome).annotateKey({
    description:
      "What came of it, once it has ended: every row was used (`complete`), some were (`partial`), or none was (`nothing`). An import all of whose rows are bad has the state `failed`, a dry run as well."
  }),
  summary: Schema.NullOr(Schema.String).annotateKey({ description: "The same as a sentence for people." }),
  /** A sentence for people, when it failed. */
  error: Schema.NullOr(Schema.String),
  /** The path of the bad rows as CSV, when there are any. */
  errorsUrl: Schema.NullOr(Schema.String),
  createdBy: ActorRef,
  createdAt: Timestamp,
  finishedAt: Schema.NullOr(Timestamp)
}) {}

/** An import as it is kept: what does not change while it runs. */
export class StoredImport extends Schema.Class<StoredImport>("ImportOrder")({
  id: ContactImportId,
  jobId: JobId,
  fileId: FileId,
  size: Schema.Int,
  format: TransferFormat,
  delimiter: Schema.Literals([",", ";", "\t"]),
  /** The names of the columns; where rows name their own cells, those of the rows read so far. */
  header: Schema.Array(Schema.String),
  /** Where the first row begins. */
  start: Schema.Struct({ offset: Schema.Int, line: Schema.Int }),
  dryRun: Schema.Boolean,
  onExisting: OnExisting,
  createTags: Schema.Boolean,
  country: Schema.NullOr(Country),
  tags: TagIds,
  mapping: Schema.Array(ColumnTarget),
  strict: Schema.optionalKey(Schema.Boolean),
  /** Only there if somebody has said so: then a comma in the name of a new tag is meant. */
  tagSeparator: Schema.optionalKey(TagSeparator),
  createdAt: Timestamp
}) {}

/** What is wrong with a row: its line, the column if it is one cell, and the cells as they stand in the file. */
export interface ImportIssue {
  /** Counts the faults of the import, from 1. */
  readonly number: number
  readonly line: number
  readonly column: string | null
  readonly reason: string
  readonly cells: ReadonlyArray<string>
}

/** The imports of contacts of the organization, the files that wait for one, and the rows that were bad. */
export class ContactImports extends Context.Service<
  ContactImports,
  TenantScoped<{
    readonly get: (id: ContactImportId) => Effect.Effect<StoredImport, NotFound>
    readonly insert: (order: StoredImport) => Effect.Effect<void, never, Transaction>
    /** Names further columns that the file has, behind those that are known. None of them is among those. */
    readonly addColumns: (
      id: ContactImportId,
      columns: ReadonlyArray<string>
    ) => Effect.Effect<void, never, Transaction>
    /** Adds faults behind those that there are. */
    readonly addFaults: (
      id: ContactImportId,
      faults: ReadonlyArray<ImportIssue>
    ) => Effect.Effect<void, never, Transaction>
    /** At most `limit` faults with higher numbers than that, the lowest first. */
    readonly faults: (id: ContactImportId, after: number, limit: number) => Effect.Effect<ReadonlyArray<ImportIssue>>
    /** Notes that a file is about to be written for an import, so that it is found if nobody comes back for it. */
    readonly expectFile: (file: FileId, now: DateTime.Utc) => Effect.Effect<void, never, Transaction>
    /** Forgets a file that no import has; says whether it was one. */
    readonly forgetFile: (file: FileId) => Effect.Effect<boolean, never, Transaction>
  }>
>()("@parley/domain/crm/imports/ContactImports") {}

/** Removes what imports of the organization leave behind. */
export class ContactImportCleanup extends Context.Service<
  ContactImportCleanup,
  TenantScoped<{
    /**
     * Removes the files of imports that have ended and those that came a day ago and are for no import, and bad rows
     * that are thirty days old; says how many.
     */
    readonly sweep: () => Effect.Effect<number>
  }>
>()("@parley/domain/crm/imports/ContactImportCleanup") {}

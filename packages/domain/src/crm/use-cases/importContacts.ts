import { DateTime, Effect, Stream } from "effect"
import { record } from "../../platform/audit/index.ts"
import { type Delimiter, Files, isFaulty, readCsvHead, readNdjson, startOfFile } from "../../platform/files/index.ts"
import { startJob } from "../../platform/jobs/index.ts"
import { invalid, nextId, transact, useCase, ValidationFailed } from "../../kernel/index.ts"
import { ContactFields } from "../ContactFields.ts"
import type { TagId } from "../Ids.ts"
import {
  type ColumnTarget,
  ContactImportId,
  ignored,
  ImportOrder,
  mostColumns,
  type OnExisting,
  type TransferFormat
} from "../imports/ContactImport.ts"
import { ContactImports } from "../imports/ContactImports.ts"
import { importContactsJob } from "../imports/importContactsJob.ts"
import { mapColumns } from "../imports/mapping.ts"
import { columnsIn } from "../imports/rowColumns.ts"
import { storable } from "../imports/storable.ts"
import type { TagSeparator } from "../imports/tagNames.ts"
import { unknownColumns } from "../imports/unknownColumns.ts"
import { checkTags } from "../checks/checkTags.ts"
import { importOf } from "../imports/importOf.ts"
import type { ContactFile } from "../imports/ContactFile.ts"

/** How a file is to be imported. */
export interface ImportRequest {
  readonly format: TransferFormat
  /** What the columns fill; by their names when nothing is said. */
  readonly map?: ReadonlyArray<ColumnTarget>
  readonly delimiter?: Delimiter
  /** Whose national phone numbers are meant when one has no country code. */
  readonly country?: string
  readonly dryRun?: boolean
  readonly onExisting?: OnExisting
  /** Whether tags are added that there are not yet; rows that name such are bad otherwise. */
  readonly createTags?: boolean
  /** Tags for every contact in the file. */
  readonly tags?: ReadonlyArray<TagId>
  /** What stands between the names of tags in a cell. Whoever says so means commas in names of new tags as they stand. */
  readonly tagSeparator?: TagSeparator
  /** Whether a file is refused that has columns which fill nothing. */
  readonly strict?: boolean
}

/** Rows of NDJSON that are looked at before the answer, for the names of their cells. */
const ahead = { rows: 1_000, bytes: 1024 * 1024 }

interface Head {
  readonly header: ReadonlyArray<string>
  readonly delimiter: Delimiter
  readonly start: ImportOrder["start"]
}

const csvHead = Effect.fnUntraced(function* (file: ContactFile, delimiter: Delimiter | undefined) {
  const files = yield* Files
  const head = yield* readCsvHead(delimiter === undefined ? {} : { delimiter })(files.read(file.id, 0))
  if (isFaulty(head)) return yield* invalid("", head.fault)
  return { header: head.header.map(storable), delimiter: head.delimiter, start: head.next } satisfies Head
})

const ndjsonHead = Effect.fnUntraced(function* (file: ContactFile) {
  const files = yield* Files
  const first = yield* readNdjson()(files.read(file.id, 0)).pipe(
    Stream.takeUntil(({ next }) => next.offset >= ahead.bytes),
    Stream.take(ahead.rows),
    Stream.runCollect
  )
  if (first.length === 0) return yield* invalid("", "The file is empty.")
  return { header: columnsIn(first).slice(0, mostColumns), delimiter: ",", start: startOfFile } satisfies Head
})

const refuseUnknown = (unknown: ReadonlyArray<string>) =>
  unknown.length === 0
    ? Effect.void
    : Effect.fail(
        new ValidationFailed({
          errors: unknown.map((column) => ({
            pointer: "/strict",
            message: `The column "${column}" fills nothing. Say what it fills, or map it to ${ignored}`
          }))
        })
      )

/** Imports contacts from a file that has arrived. What cannot work is refused at once; the rows are a job's. */
export const importContacts = useCase(
  "contacts.import",
  { access: { permission: "contacts.import" } },
  Effect.fnUntraced(function* (file: ContactFile, request: ImportRequest) {
    const {
      country = null,
      createTags = false,
      dryRun = false,
      format,
      map = [],
      onExisting = "update",
      strict = false,
      tags = [],
      tagSeparator
    } = request
    yield* checkTags(tags, "/tag")
    const head = yield* format === "csv" ? csvHead(file, request.delimiter) : ndjsonHead(file)
    const columns = { names: head.header, areAll: format === "csv" }
    const mapped = mapColumns(map, columns, yield* (yield* ContactFields).all())
    if ("faults" in mapped) return yield* new ValidationFailed({ errors: mapped.faults })
    if (strict) yield* refuseUnknown(unknownColumns(head.header, mapped.mapping))

    const id = yield* nextId(ContactImportId)
    const job = yield* startJob(importContactsJob, { importId: id }, { total: file.size })
    const order = new ImportOrder({
      id,
      jobId: job.id,
      fileId: file.id,
      size: file.size,
      format,
      delimiter: head.delimiter,
      header: head.header,
      start: head.start,
      dryRun,
      onExisting,
      createTags,
      country,
      tags,
      mapping: mapped.mapping,
      strict,
      ...(tagSeparator !== undefined && { tagSeparator }),
      createdAt: yield* DateTime.now
    })
    yield* (yield* ContactImports).insert(order)
    yield* record("contacts.imported", { kind: "contact_import", id }, { after: { jobId: job.id, format, dryRun } })
    return importOf(order, job)
  }, transact)
)

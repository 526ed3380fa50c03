import { DateTime, Effect, Stream } from "effect"
import {
  canView,
  CurrentActor,
  invalid,
  nextId,
  PermissionDenied,
  toActorRef,
  transact,
  useCase,
  ValidationFailed
} from "../../kernel/index.ts"
import { recordAudit } from "../../platform/audit/index.ts"
import {
  type Delimiter,
  FileId,
  Files,
  isInvalidRecord,
  readCsvHead,
  readNdjson,
  startOfFile,
  writeCsv
} from "../../platform/files/index.ts"
import { Jobs, startJob } from "../../platform/jobs/index.ts"
import { ContactFields } from "../ContactFields.ts"
import type { TagId } from "../Identity.ts"
import { checkTags } from "../Tags.ts"
import {
  findColumns,
  type ContactFile,
  FileTooLarge,
  toStorableText,
  findUnknownColumns
} from "../imports/ContactFile.ts"
import {
  type ColumnTarget,
  ContactImportId,
  ContactImports,
  ignoredTarget,
  type ImportIssue,
  StoredImport,
  maxImportColumns,
  type OnExisting,
  type TransferFormat
} from "../imports/ContactImport.ts"
import { mapColumns } from "../imports/columnMapping.ts"
import { importContactsJob } from "../imports/importJob.ts"
import { toContactImport } from "../imports/importOutcome.ts"
import type { TagSeparator } from "../imports/tagNames.ts"

export interface ImportRequest {
  readonly format: TransferFormat
  /** Targets of the columns. Default: by column name. */
  readonly map?: ReadonlyArray<ColumnTarget>
  readonly delimiter?: Delimiter
  /** Country of phone numbers without a country code. */
  readonly country?: string
  readonly dryRun?: boolean
  readonly onExisting?: OnExisting
  /** Whether to add missing tags. Otherwise rows with missing tags are bad. */
  readonly createTags?: boolean
  readonly tags?: ReadonlyArray<TagId>
  /** Separator between tag names in a cell. With an explicit separator, commas in names of new tags are intended. */
  readonly tagSeparator?: TagSeparator
  /** Whether to refuse a file with columns without a target. */
  readonly strict?: boolean
}

/** Limits of NDJSON rows that are read before the answer, to find cell names. */
const previewLimits = { rows: 1_000, bytes: 1024 * 1024 }

interface FileHead {
  readonly header: ReadonlyArray<string>
  readonly delimiter: Delimiter
  readonly start: StoredImport["start"]
}

const csvHead = Effect.fnUntraced(function* (file: ContactFile, delimiter: Delimiter | undefined) {
  const files = yield* Files
  const head = yield* readCsvHead(delimiter === undefined ? {} : { delimiter })(files.read(file.id, 0))
  if (isInvalidRecord(head)) return yield* invalid("", head.fault)
  return { header: head.header.map(toStorableText), delimiter: head.delimiter, start: head.next } satisfies FileHead
})

const ndjsonHead = Effect.fnUntraced(function* (file: ContactFile) {
  const files = yield* Files
  const first = yield* readNdjson()(files.read(file.id, 0)).pipe(
    Stream.takeUntil(({ next }) => next.offset >= previewLimits.bytes),
    Stream.take(previewLimits.rows),
    Stream.runCollect
  )
  if (first.length === 0) return yield* invalid("", "The file is empty.")
  return {
    header: findColumns(first).slice(0, maxImportColumns),
    delimiter: ",",
    start: startOfFile
  } satisfies FileHead
})

const rejectUnknownColumns = (unknown: ReadonlyArray<string>) =>
  unknown.length === 0
    ? Effect.void
    : Effect.fail(
        new ValidationFailed({
          errors: unknown.map((column) => ({
            pointer: "/strict",
            message: `The column "${column}" has no target. Map it to a target or to ${ignoredTarget}`
          }))
        })
      )

/** Imports contacts from a received file. Invalid requests fail immediately; a job imports the rows. */
export const importContacts = useCase(
  {
    name: "contacts.import",
    access: { permission: "contacts.import" },
    audit: "contacts.imported",
    emits: ["job.started"]
  },
  Effect.fnUntraced(function* ({ file, ...request }: { readonly file: ContactFile } & ImportRequest) {
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
    if (strict) yield* rejectUnknownColumns(findUnknownColumns(head.header, mapped.mapping))

    const id = yield* nextId(ContactImportId)
    const job = yield* startJob(importContactsJob, { importId: id }, { total: file.size })
    const order = new StoredImport({
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
    yield* recordAudit(
      "contacts.imported",
      { kind: "contact_import", id },
      { after: { jobId: job.id, format, dryRun } }
    )
    return toContactImport(order, job)
  }, transact)
)

const limitSize =
  (max: number) =>
  (bytes: Stream.Stream<Uint8Array>): Stream.Stream<Uint8Array, FileTooLarge> =>
    Stream.suspend(() => {
      let size = 0
      return Stream.mapEffect(bytes, (piece) => {
        size += piece.length
        return size > max ? Effect.fail(new FileTooLarge({ max })) : Effect.succeed(piece)
      })
    })

/** Receives the file of an import as a stream. Call it outside of a unit of work. */
export const receiveContactFile = useCase(
  { name: "contacts.receiveFile", access: { permission: "contacts.import" } },
  Effect.fnUntraced(function* ({ bytes, max }: { readonly bytes: Stream.Stream<Uint8Array>; readonly max: number }) {
    const id = yield* nextId(FileId)
    yield* transact(
      Effect.flatMap(DateTime.now, (now) => Effect.flatMap(ContactImports, (imports) => imports.expectFile(id, now)))
    )
    const { size } = yield* (yield* Files).write(id, limitSize(max)(bytes))
    return { id, size } satisfies ContactFile
  })
)

/** Deletes a file without an import. A file of an import stays. */
export const dropContactFile = useCase(
  { name: "contacts.dropFile", access: { permission: "contacts.import" } },
  Effect.fnUntraced(function* ({ id }: { readonly id: FileId }) {
    if (yield* (yield* ContactImports).forgetFile(id)) yield* (yield* Files).remove(id)
  }, transact)
)

/** Loads an import and its job. Column names and bad rows are contact data, so they are shown to its requester and to readers of contacts. */
const loadImport = Effect.fnUntraced(function* (id: ContactImportId) {
  const order = yield* (yield* ContactImports).get(id)
  const job = yield* (yield* Jobs).get(order.jobId)
  const actor = yield* CurrentActor
  const { id: actorId, kind } = toActorRef(actor)
  const isRequester = job.createdBy.kind === kind && job.createdBy.id === actorId
  const canReadContacts = canView(actor, "contacts.read")
  if (!canReadContacts && !isRequester) return yield* new PermissionDenied({ permission: "contacts.read" })
  return { order, job, canReadContacts }
})

/** Reads the progress and the result of an import. */
export const getContactImport = useCase(
  { name: "contacts.getImport", access: { permission: "contacts.import" } },
  Effect.fnUntraced(function* ({ id }: { readonly id: ContactImportId }) {
    const { job, order } = yield* loadImport(id)
    return toContactImport(order, job)
  })
)

const pageSize = 1_000

/** Makes column names unique, among themselves and among the taken names. */
const uniqueNames = (taken: ReadonlyArray<string>, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const seen = new Set(taken)
  return names.map((name) => {
    let free = name
    while (seen.has(free)) free = `${free}_`
    seen.add(free)
    return free
  })
}

/**
 * Reads the bad rows of an import as CSV: position, error, and cells as in the file. A requester who cannot read contacts gets only the errors that do
 * not depend on them.
 */
export const readImportIssues = useCase(
  { name: "contacts.readImportFaults", access: { permission: "contacts.import" } },
  Effect.fnUntraced(function* ({ id }: { readonly id: ContactImportId }) {
    const { canReadContacts, order } = yield* loadImport(id)
    const imports = yield* ContactImports
    const context = yield* Effect.context<Effect.Services<ReturnType<typeof imports.faults>>>()
    const own = ["line", "column", "reason"]
    const columns = uniqueNames(own, order.header)
    const rowOf = ({ cells, column, line, reason }: ImportIssue) =>
      Object.fromEntries([
        ["line", String(line)],
        ["column", column ?? ""],
        ["reason", reason],
        ...columns.map((name, at) => [name, cells[at] ?? ""] as const)
      ])
    const rows = Stream.unfold(0, (after: number | null) =>
      after === null
        ? Effect.undefined
        : Effect.map(
            imports.faults(id, after, pageSize),
            (faults) => [faults, faults.length < pageSize ? null : (faults.at(-1)?.number ?? null)] as const
          )
    ).pipe(
      Stream.flattenIterable,
      Stream.filter(({ ofContacts }) => canReadContacts || !ofContacts),
      Stream.map(rowOf)
    )
    return Stream.provideContext(writeCsv([...own, ...columns])(rows), context)
  })
)

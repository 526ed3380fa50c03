import { Effect, Schema, Stream } from "effect"
import { canView, CurrentActor, transact } from "../../kernel/index.ts"
import {
  type CsvRow,
  type FileId,
  Files,
  type NdjsonRow,
  type FilePosition,
  readCsv,
  type RecordResult,
  readNdjson
} from "../../platform/files/index.ts"
import { defineJob, JobFailed } from "../../platform/jobs/index.ts"
import { ContactFields } from "../ContactFields.ts"
import { appendEvent } from "../events.ts"
import { findColumns, toStorableText } from "./ContactFile.ts"
import {
  ContactImportId,
  ContactImports,
  type ImportIssue,
  type RowCounts,
  type StoredImport,
  maxImportColumns,
  zeroRowCounts
} from "./ContactImport.ts"
import { importPath, emptyImportReason } from "./importOutcome.ts"
import { type RowMatchResult, matchRows } from "./rowMatching.ts"
import { type InvalidRow, isInvalidRow, type RowDetails, makeRowReader } from "./rowReading.ts"

/** Maximum number of rows and file bytes in a step. The last row can exceed the bytes. */
const stepLimits = { rows: 1_000, bytes: 4 * 1024 * 1024 }

/** Attempts of a step during concurrent writes to the same contacts, before it is postponed. */
const maxAttempts = 5

const Checkpoint = Schema.Struct({
  offset: Schema.Int,
  line: Schema.Int,
  rows: Schema.Int,
  created: Schema.Int,
  updated: Schema.Int,
  unchanged: Schema.Int,
  bad: Schema.Int,
  /** Rows that are bad independent of stored contacts. Checkpoints of earlier releases do not contain them. */
  badAlone: Schema.optionalKey(Schema.Int),
  suppressed: Schema.optionalKey(Schema.Int),
  unknownIds: Schema.optionalKey(Schema.Int),
  faults: Schema.Int
})

const streamRows = (order: StoredImport, from: FilePosition, bytes: ReturnType<Files["Service"]["read"]>) =>
  order.format === "csv"
    ? Stream.map(
        readCsv({ header: order.header, delimiter: order.delimiter, from })(bytes),
        (row): RecordResult<CsvRow | NdjsonRow> => row
      )
    : Stream.map(readNdjson({ from })(bytes), (row): RecordResult<CsvRow | NdjsonRow> => row)

/** Reads the next rows of the file from a position. */
const readRows = Effect.fnUntraced(function* (order: StoredImport, fileId: FileId, from: FilePosition) {
  const files = yield* Files
  return yield* streamRows(order, from, files.read(fileId, from.offset)).pipe(
    Stream.takeUntil(({ next }) => next.offset - from.offset >= stepLimits.bytes),
    Stream.take(stepLimits.rows),
    Stream.runCollect
  )
})

const matchStepRows = Effect.fnUntraced(function* (
  order: StoredImport,
  rows: ReadonlyArray<RowDetails>,
  created: number
) {
  if (rows.length === 0) return { placed: [], suppressed: 0, unknownIds: 0 }
  // A concurrent write added the same contacts or tags. The retry reads them as existing.
  return yield* transact(matchRows(order, rows, created)).pipe(Effect.retry({ times: maxAttempts - 1 }), Effect.orDie)
})

/** Stores new columns of the rows, if rows name their own cells. */
const saveNewColumns = Effect.fnUntraced(function* (
  { format, header, id }: StoredImport,
  rows: ReadonlyArray<RecordResult<CsvRow | NdjsonRow>>
) {
  if (format === "csv") return
  const added = findColumns(rows, header).slice(0, Math.max(0, maxImportColumns - header.length))
  if (added.length > 0) yield* (yield* ContactImports).addColumns(id, added)
})

interface StepOutcome {
  readonly counts: RowCounts
  readonly badAlone: number
  readonly faults: ReadonlyArray<Omit<ImportIssue, "number">>
}

const toStepOutcome = (
  read: ReadonlyArray<RowDetails | InvalidRow>,
  { placed, suppressed, unknownIds }: RowMatchResult,
  before: RowCounts
): StepOutcome => {
  const counts = {
    ...before,
    rows: before.rows + read.length,
    suppressed: before.suppressed + suppressed,
    unknownIds: before.unknownIds + unknownIds
  }
  const faults: Array<Omit<ImportIssue, "number">> = []
  let badAlone = 0
  let at = 0
  for (const row of read) {
    const result = isInvalidRow(row) ? row.faults : placed[at++]
    if (typeof result === "string") counts[result] += 1
    else if (result !== undefined) {
      counts.bad += 1
      const found = "reason" in result ? [result] : result
      if (found.some(({ ofContacts = false }) => !ofContacts)) badAlone += 1
      const cells = row.cells.map(toStorableText)
      faults.push(
        ...found.map(({ column, ofContacts = false, reason }) => ({
          line: row.line,
          column,
          reason: toStorableText(reason),
          cells,
          ofContacts
        }))
      )
    }
  }
  return { counts, badAlone, faults }
}

const publishImported = Effect.fnUntraced(function* ({ dryRun, jobId }: StoredImport, { created, updated }: RowCounts) {
  if (!dryRun) yield* appendEvent({ type: "contacts.imported", created, updated, jobId })
})

/**
 * Imports contacts from a file, some rows in each step. Results and file position commit together. After a crash, no row is lost or counted twice.
 */
export const importContactsJob = defineJob({
  name: "contacts.import",
  needs: ["contacts.import"],
  input: Schema.Struct({ importId: ContactImportId }),
  checkpoint: Checkpoint,
  step: Effect.fnUntraced(
    function* ({ importId }, checkpoint) {
      const imports = yield* ContactImports
      const order = yield* imports.get(importId)
      const {
        badAlone: badAloneBefore,
        faults: faultsBefore,
        line,
        offset,
        ...before
      } = { ...order.start, ...zeroRowCounts, badAlone: 0, faults: 0, ...checkpoint }
      const fields = yield* (yield* ContactFields).all()
      const readings = yield* readRows(order, order.fileId, { offset, line })
      yield* saveNewColumns(order, readings)
      const read = readings.map(
        makeRowReader(
          order,
          fields.filter(({ status }) => status === "active")
        )
      )
      const placed = yield* matchStepRows(
        order,
        read.flatMap((row) => (isInvalidRow(row) ? [] : [row])),
        before.created
      )
      const { badAlone: badAloneHere, counts, faults } = toStepOutcome(read, placed, before)
      const badAlone = badAloneBefore + badAloneHere
      if (faults.length > 0) {
        yield* imports.addFaults(
          importId,
          faults.map((fault, at) => ({ ...fault, number: faultsBefore + at + 1 }))
        )
      }
      const next = readings.at(-1)?.next ?? { offset, line }
      const done = readings.length === 0
      if (done) {
        // The state must not tell a requester who cannot read contacts whether a contact exists.
        const bad = canView(yield* CurrentActor, "contacts.read") ? counts.bad : badAlone
        const failure = emptyImportReason({ rows: counts.rows, bad }, order.dryRun)
        if (failure !== null) return yield* new JobFailed({ reason: failure })
        yield* publishImported(order, counts)
        yield* (yield* Files).remove(order.fileId)
      }
      return {
        checkpoint: { ...next, ...counts, badAlone, faults: faultsBefore + faults.length },
        done,
        progress: { done: done ? order.size : next.offset, total: order.size },
        counts,
        resultUrl: importPath(importId)
      }
    },
    Effect.catchTag("NotFound", () => new JobFailed({ reason: "The file of the import no longer exists." }))
  )
})

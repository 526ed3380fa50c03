import type { Job, JobState } from "../../platform/jobs/index.ts"
import { toImportColumns, findUnknownColumns } from "./ContactFile.ts"
import {
  ContactImport,
  type ContactImportId,
  type RowCounts,
  type StoredImport,
  type ImportOutcome,
  zeroRowCounts
} from "./ContactImport.ts"
import { defaultTagSeparator } from "./tagNames.ts"

/** Outcome of an import, as a term and as a sentence for people. */
export interface ImportSummary {
  readonly outcome: ImportOutcome | null
  readonly summary: string | null
}

const describeRowCount = (count: number) => (count === 1 ? "1 row is" : `${count} rows are`)

/** Returns the reason why no row was imported; `null` if some were. */
export const emptyImportReason = ({ bad, rows }: Pick<RowCounts, "bad" | "rows">, dryRun: boolean): string | null =>
  rows === 0 || bad < rows
    ? null
    : `${dryRun ? "Nothing would be imported" : "Nothing was imported"}: ${rows === 1 ? "the only row is invalid" : `all ${rows} rows are invalid`}.`

/** Summarizes a finished import. A running one has no outcome. */
const importOutcome = (state: JobState, counts: RowCounts, dryRun: boolean): ImportSummary => {
  if (state === "queued" || state === "running") return { outcome: null, summary: null }
  const { bad, created, rows, unchanged, unknownIds, updated } = counts
  const isWhole = state === "succeeded"
  if (rows === bad) {
    const plain = dryRun ? "Nothing would be imported." : "Nothing was imported."
    const summary = emptyImportReason(counts, dryRun) ?? (isWhole ? "The file has no rows." : plain)
    return { outcome: "nothing", summary }
  }
  const good = rows - bad
  const does = dryRun ? "would be imported" : good === 1 ? "was imported" : "were imported"
  const of = bad === 0 ? (good === 1 ? "1 row" : `${good} rows`) : `${good} of ${rows} rows`
  const parts = `${of} ${does}: ${created} created, ${updated} updated, ${unchanged} unchanged.`
  const foreign =
    unknownIds === 0
      ? ""
      : ` The id of ${unknownIds === 1 ? "1 row" : `${unknownIds} rows`} is unknown and was ignored.`
  const stopped = isWhole ? "" : " The import stopped before the end of the file."
  return {
    outcome: isWhole && bad === 0 ? "complete" : "partial",
    summary: `${parts}${bad === 0 ? "" : ` ${describeRowCount(bad)} invalid.`}${foreign}${stopped}`
  }
}

/** API path of an import. */
export const importPath = (id: ContactImportId) => `/api/v1/contacts/imports/${id}`

/** API path of the bad rows of an import. */
const importIssuesPath = (id: ContactImportId) => `${importPath(id)}/errors`

/** Combines an import with the progress of its job. */
export const toContactImport = (order: StoredImport, job: Job): ContactImport => {
  const counts = { ...zeroRowCounts, ...job.counts }
  return new ContactImport({
    id: order.id,
    jobId: order.jobId,
    state: job.state,
    format: order.format,
    dryRun: order.dryRun,
    onExisting: order.onExisting,
    createTags: order.createTags,
    country: order.country,
    tags: order.tags,
    mapping: order.mapping,
    columns: toImportColumns(order.header, order.mapping),
    unknownColumns: findUnknownColumns(order.header, order.mapping),
    strict: order.strict ?? false,
    tagSeparator: order.tagSeparator ?? defaultTagSeparator,
    progress: job.progress,
    counts,
    ...importOutcome(job.state, counts, order.dryRun),
    error: job.error,
    errorCode: job.errorCode,
    errorsUrl: counts.bad > 0 ? importIssuesPath(order.id) : null,
    createdBy: job.createdBy,
    createdAt: order.createdAt,
    finishedAt: job.finishedAt
  })
}

import type { Job } from "../../platform/jobs/index.ts"
import { noRows, ContactImport, type ImportOrder } from "./ContactImport.ts"
import { endingOf } from "./outcome.ts"
import { pathOfFaults } from "./paths.ts"
import { usualSeparator } from "./tagNames.ts"
import { columnsOf, unknownColumns } from "./unknownColumns.ts"

/** An import together with how far its job is. */
export const importOf = (order: ImportOrder, job: Job): ContactImport => {
  const counts = { ...noRows, ...job.counts }
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
    columns: columnsOf(order.header, order.mapping),
    unknownColumns: unknownColumns(order.header, order.mapping),
    strict: order.strict ?? false,
    tagSeparator: order.tagSeparator ?? usualSeparator,
    progress: job.progress,
    counts,
    ...endingOf(job.state, counts, order.dryRun),
    error: job.error,
    errorsUrl: counts.bad > 0 ? pathOfFaults(order.id) : null,
    createdBy: job.createdBy,
    createdAt: order.createdAt,
    finishedAt: job.finishedAt
  })
}

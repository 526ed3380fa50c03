import type { Job } from "../../jobs/index.ts"
import { noRows, ContactImport, type ImportOrder } from "./ContactImport.ts"
import { pathOfFaults } from "./paths.ts"

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
    progress: job.progress,
    counts,
    error: job.error,
    errorsUrl: counts.bad > 0 ? pathOfFaults(order.id) : null,
    createdBy: job.createdBy,
    createdAt: order.createdAt,
    finishedAt: job.finishedAt
  })
}

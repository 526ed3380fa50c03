import type { JobQueue } from "./JobQueue.ts"
import type { Jobs } from "./Jobs.ts"

/** What a storage adapter provides of this area. */
export type JobsStorage = JobQueue | Jobs

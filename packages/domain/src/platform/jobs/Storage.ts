import { JobQueue } from "./JobQueue.ts"
import { Jobs } from "./Jobs.ts"

/** The ports that a storage adapter provides of this area. */
export const jobsStorage = [JobQueue, Jobs] as const

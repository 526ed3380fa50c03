import { jobQueue } from "./jobQueue.ts"
import { jobs } from "./jobs.ts"

export { jobQueueContract } from "./jobQueue.ts"
export { jobsContract } from "./jobs.ts"

export const jobsContracts = [jobs, jobQueue]

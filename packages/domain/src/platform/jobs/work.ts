import { jobs } from "./runJobs.ts"

/** Jobs are done, of whatever area they are. */
export const jobsWorks = [jobs] as const

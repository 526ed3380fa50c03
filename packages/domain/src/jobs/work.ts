import type { Work } from "../work/index.ts"
import { runJobs } from "./runJobs.ts"

/** A long job does not keep a short one waiting. */
const jobs = { name: "jobs", run: runJobs, wake: {}, lanes: 2 } satisfies Work<unknown>

/** Jobs are done, of whatever area they are. */
export const jobsWorks = [jobs] as const

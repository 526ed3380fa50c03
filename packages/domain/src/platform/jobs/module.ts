import { idInput, defineArea, defineEventResource, defineEvents } from "../../kernel/index.ts"
import { Job, JobId, Jobs } from "./Job.ts"
import { JobQueue } from "./JobQueue.ts"
import { JobEvent } from "./events.ts"
import { jobWorker } from "./jobRuns.ts"
import { getJob } from "./use-cases/jobs.ts"

const jobsStorage = [JobQueue, Jobs] as const

/** Runs the jobs of all areas. */
export const jobTasks = [jobWorker] as const

const jobResources = [defineEventResource("job", getJob, Job, idInput("jobId", JobId))] as const

export const jobsArea = defineArea({
  name: "platform/jobs",
  storage: jobsStorage,
  events: defineEvents(JobEvent, {
    "job.started": "jobs.read",
    "job.finished": "jobs.read"
  }),
  permissions: ["jobs.read", "jobs.manage"],
  backgroundTasks: jobTasks,
  eventResources: jobResources
})

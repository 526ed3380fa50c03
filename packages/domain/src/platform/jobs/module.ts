import { idArgument, defineArea, defineEventResource, defineEvents } from "../../kernel/index.ts"
import { Job, JobId, Jobs } from "./Job.ts"
import { JobQueue } from "./JobQueue.ts"
import { JobEvent } from "./events.ts"
import { jobWorker } from "./jobRuns.ts"
import { getJob } from "./use-cases/jobs.ts"

/** The ports that a storage adapter provides of this area. */
const jobsStorage = [JobQueue, Jobs] as const

/** Jobs are done, of whatever area they are. */
export const jobTasks = [jobWorker] as const

/** The resources of the events of this area, as GET answers them. */
const jobResources = [defineEventResource("job", getJob, Job, idArgument("jobId", JobId))] as const

/** What this area says of itself. */
export const jobsArea = defineArea({
  name: "platform/jobs",
  storage: jobsStorage,
  events: defineEvents(JobEvent, {
    "job.started": "jobs.read",
    "job.finished": "jobs.read"
  }),
  permissions: ["jobs.read", "jobs.manage"],
  works: jobTasks,
  eventResources: jobResources
})

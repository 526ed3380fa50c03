import { eventResource, byId } from "../../kernel/index.ts"
import { Job, JobId } from "./Job.ts"
import { getJob } from "./use-cases/getJob.ts"

/** The resources of the events of this area, as GET answers them. */
export const jobResources = [eventResource("job", getJob, Job, byId("jobId", JobId))] as const

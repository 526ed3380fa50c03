import { defineArea, seenWith } from "../../kernel/index.ts"
import { JobEvent } from "./Events.ts"
import { jobsStorage } from "./Storage.ts"
import { jobsWorks } from "./work.ts"
import { jobResources } from "./eventResources.ts"

/** What this area says of itself. */
export const jobsArea = defineArea({
  name: "platform/jobs",
  storage: jobsStorage,
  events: seenWith(JobEvent, {
    "job.started": "jobs.read",
    "job.finished": "jobs.read"
  }),
  permissions: ["jobs.read", "jobs.manage"],
  works: jobsWorks,
  eventResources: jobResources
})

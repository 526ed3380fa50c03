import { cancelJob, getJob, Job, JobId, listJobs } from "@parley/domain/platform"
import { JobsApi } from "../../../api/operations.ts"
import { ada, at, samplePage } from "../../examples/samples.ts"
import { bind } from "../bind.ts"

const running = new Job({
  id: JobId.make("01934b80-1a2b-7c99-8d11-8293041526a7"),
  kind: "contacts.import",
  state: "running",
  progress: { done: 4000, total: 12_500 },
  counts: { created: 3710, updated: 280, bad: 10 },
  error: null,
  errorCode: null,
  resultUrl: null,
  cancelRequested: false,
  createdBy: { kind: "user", id: ada.id },
  createdAt: at("10:15:00.000"),
  startedAt: at("10:15:00.480"),
  finishedAt: null,
  updatedAt: at("10:15:21.070")
})

export const jobs = bind(JobsApi, {
  list: { runs: listJobs, response: samplePage(running) },
  get: { runs: getJob, response: running },
  cancel: { runs: cancelJob, response: new Job({ ...running, cancelRequested: true, updatedAt: at("10:15:22.000") }) }
})

import { Job, JobId } from "@parley/domain/platform"
import { ada, at } from "./samples.ts"

/** Job before its first step. */
export const queuedJob = (kind: string, total: number | null): Job =>
  new Job({
    id: JobId.make("01934ba6-8293-7222-b678-66a7b8c9dbf2"),
    kind,
    state: "queued",
    progress: { done: 0, total },
    counts: {},
    error: null,
    errorCode: null,
    resultUrl: null,
    cancelRequested: false,
    createdBy: { kind: "user", id: ada.id },
    createdAt: at("11:35:00.000"),
    startedAt: null,
    updatedAt: at("11:35:00.000"),
    finishedAt: null
  })

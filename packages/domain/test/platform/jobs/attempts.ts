import { transact } from "@parley/domain/kernel"
import { cancelJob, defineJob, getJob, listJobs, startJob } from "@parley/domain/platform"
import { Effect, Schema } from "effect"
import { asOwner, attempt, firstPage, reads, type World, type Prepare } from "../../attempting.ts"

/** Work without a runner: the job stays unchanged. */
const leftAlone = defineJob({
  name: "test.left_alone",
  needs: null,
  input: Schema.Struct({}),
  checkpoint: Schema.Struct({}),
  step: () => Effect.die(new Error("Nobody does this."))
})

const givenJob = (world: World) => asOwner(world, transact(startJob(leftAlone, {})))

/** A valid attempt at every use case of this area. */
export const attempts: Readonly<Record<string, Prepare>> = {
  "jobs.cancel": (world) =>
    Effect.map(givenJob(world), ({ id, kind }) =>
      attempt(cancelJob({ id }), () => ({
        action: "job.cancelled",
        target: { kind: "job", id },
        before: null,
        after: { kind },
        event: { type: "job.finished", jobId: id, kind, state: "cancelled" }
      }))
    ),
  "jobs.get": (world) => Effect.map(givenJob(world), ({ id }) => attempt(getJob({ id }))),
  "jobs.list": reads(() => listJobs({ state: null, kind: null, page: firstPage }))
}

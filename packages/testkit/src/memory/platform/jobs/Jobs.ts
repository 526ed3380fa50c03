import { NotFound } from "@parley/domain/kernel"
import { type CancelResult, Job, Jobs } from "@parley/domain/platform"
import { Effect, HashMap, Layer } from "effect"
import { descending } from "../../store/slice.ts"
import { rowAt } from "../../store/State.ts"
import { refuse, Store } from "../../store/Store.ts"

const notFound = () => new NotFound({ resource: "job" })

export const layer = Layer.effect(
  Jobs,
  Effect.map(Store, (store) =>
    Jobs.of({
      get: (id) =>
        Effect.flatMap(
          store.readTenant(({ jobs }) => rowAt(jobs, id)),
          (row) => (row === null ? Effect.fail(notFound()) : Effect.succeed(row.job))
        ),
      list: (filter, slice) =>
        store.readTenant(({ jobs }) =>
          descending(
            Array.from(HashMap.values(jobs), ({ job }) => job).filter(
              ({ kind, state }) =>
                (filter.kind === null || filter.kind === kind) && (filter.state === null || filter.state === state)
            ),
            ({ id }) => id,
            slice
          )
        ),
      insert: ({ input, job, permissions }) =>
        store.writeTenant(({ jobs }) => [
          undefined,
          {
            jobs: HashMap.set(jobs, job.id, {
              job,
              input,
              permissions,
              checkpoint: null,
              attempts: 0,
              begunUnder: null
            })
          }
        ]),
      requestCancel: (id, now) =>
        store.writeTenant<CancelResult, NotFound>(({ jobs }) => {
          const row = rowAt(jobs, id)
          if (row === null) return refuse(notFound())
          const { job } = row
          const isQueued = job.state === "queued"
          if (!isQueued && (job.state !== "running" || job.cancelRequested)) return [{ job, changed: false }, {}]
          const after = new Job({
            ...job,
            cancelRequested: true,
            updatedAt: now,
            ...(isQueued ? { state: "cancelled" as const, finishedAt: now } : {})
          })
          return [{ job: after, changed: true }, { jobs: HashMap.set(jobs, id, { ...row, job: after }) }]
        })
    })
  )
)

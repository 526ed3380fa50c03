import { CurrentOrganization } from "@parley/domain/kernel"
import { Job, jobIdOfLane, JobQueue, type LaneLease, LeaseLost } from "@parley/domain/platform"
import { type DateTime, Effect, HashMap, Layer } from "effect"
import { rowAt, type State, tenantOf, withTenant } from "../../store/State.ts"
import type { JobRow } from "../state.ts"
import { refuse, type Refused, Store, type Written } from "../../store/Store.ts"
import { leased, withLaneDue, withoutLane } from "../background/laneRows.ts"

const isUnfinished = ({ job }: JobRow) => job.state === "queued" || job.state === "running"

const asIs = (state: State) => state

export const layer = Layer.effect(
  JobQueue,
  Effect.map(Store, (store) => {
    /** Writes under the lease: first the row, then the lane. */
    const write = <A>(
      lease: LaneLease,
      change: (row: JobRow) => readonly [answer: A, row: JobRow] | null,
      ofLane: (state: State) => State = asIs
    ) =>
      Effect.flatMap(CurrentOrganization, ({ id }) =>
        store.write((state): Written<A | null, State> | Refused<LeaseLost> => {
          if (leased(state, lease) === null) return refuse(new LeaseLost())
          const { jobs } = tenantOf(state, id)
          const row = rowAt(jobs, jobIdOfLane(lease))
          const changed = row === null ? null : change(row)
          if (changed === null) return [null, state]
          const [answer, after] = changed
          return [answer, ofLane(withTenant(state, id, { jobs: HashMap.set(jobs, after.job.id, after) }))]
        })
      )

    /** As `write`, of a job that runs. */
    const writeRunning = Effect.fnUntraced(function* <A>(
      lease: LaneLease,
      change: (row: JobRow) => readonly [answer: A, row: JobRow],
      ofLane?: (state: State) => State
    ) {
      const written = yield* write(
        lease,
        (row) => {
          if (row.job.state !== "running") return null
          const [answer, after] = change(row)
          return [{ answer }, after]
        },
        ofLane
      )
      return written === null ? yield* new LeaseLost() : written.answer
    })

    const waiting = (row: JobRow, attempts: number, now: DateTime.Utc): readonly [undefined, JobRow] => [
      undefined,
      { ...row, job: new Job({ ...row.job, state: "queued", updatedAt: now }), attempts, begunUnder: null }
    ]

    return JobQueue.of({
      begin: (lease, kinds, now) =>
        write(lease, (row) => {
          if (!isUnfinished(row) || !kinds.includes(row.job.kind)) return null
          const { checkpoint, input, permissions } = row
          const job = new Job({ ...row.job, state: "running", startedAt: row.job.startedAt ?? now, updatedAt: now })
          const attempts = row.attempts + (row.begunUnder === lease.fence ? 0 : 1)
          return [
            { job, input, checkpoint, permissions, attempts },
            { ...row, job, attempts, begunUnder: lease.fence }
          ]
        }),
      advance: (lease, { checkpoint, counts, now, progress }) =>
        writeRunning(lease, (row) => {
          const job = new Job({ ...row.job, progress, counts, updatedAt: now })
          return [job.cancelRequested, { ...row, job, checkpoint, attempts: 1 }]
        }),
      finish: (lease, { error, errorCode, now, resultUrl, state }) =>
        writeRunning(
          lease,
          (row) => {
            const job = new Job({ ...row.job, state, error, errorCode, resultUrl, finishedAt: now, updatedAt: now })
            return [job, { ...row, job, begunUnder: null }]
          },
          (after) => withoutLane(after, lease)
        ),
      giveBack: (lease, now) => writeRunning(lease, (row) => waiting(row, Math.max(row.attempts - 1, 0), now)),
      postpone: (lease, until, now) =>
        writeRunning(
          lease,
          (row) => waiting(row, row.attempts, now),
          (after) => withLaneDue(after, lease, until)
        ),
      isUnfinished: (id) =>
        store.readTenant(({ jobs }) => {
          const row = rowAt(jobs, id)
          return row !== null && isUnfinished(row)
        })
    })
  })
)

import { type Claim, type ClaimedJob, Job, JobQueue, type Lease, LeaseLost, type OrganizationId } from "@parley/domain"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { type JobRow, rowAt, type State, type Tenant, tenantOf, withTenant } from "../store/State.ts"
import { refuse, type Refused, Store, type Written } from "../store/Store.ts"

interface Candidate {
  readonly organizationId: OrganizationId
  /** Somebody works for the organization already. */
  readonly isServed: boolean
  readonly row: JobRow
}

const rowsOf = ({ jobs }: Tenant) => Array.from(HashMap.values(jobs))

const candidatesOf = (state: State, { kinds, now }: Claim): ReadonlyArray<Candidate> =>
  Array.from(HashMap.entries(state.tenants)).flatMap(([organizationId, tenant]) => {
    const isServed = rowsOf(tenant).some(
      ({ job, runnableAt }) => job.state === "running" && DateTime.isGreaterThan(runnableAt, now)
    )
    return rowsOf(tenant)
      .filter(
        ({ job, runnableAt }) =>
          (job.state === "queued" || job.state === "running") &&
          kinds.includes(job.kind) &&
          DateTime.isLessThanOrEqualTo(runnableAt, now)
      )
      .map((row) => ({ organizationId, isServed, row }))
  })

const comesFirst = (one: Candidate, other: Candidate) =>
  Number(one.isServed) - Number(other.isServed) || (one.row.job.id < other.row.job.id ? -1 : 1)

const withRow = (state: State, organizationId: OrganizationId, row: JobRow): State =>
  withTenant(state, organizationId, { jobs: HashMap.set(tenantOf(state, organizationId).jobs, row.job.id, row) })

const underLease =
  <A>({ jobId, organizationId, runner }: Lease, change: (row: JobRow) => readonly [answer: A, row: JobRow]) =>
  (state: State): Written<A, State> | Refused<LeaseLost> => {
    const row = rowAt(tenantOf(state, organizationId).jobs, jobId)
    if (row === null || row.runner !== runner) return refuse(new LeaseLost())
    const [answer, after] = change(row)
    return [answer, withRow(state, organizationId, after)]
  }

const waiting = ({ job }: JobRow, now: DateTime.Utc) => new Job({ ...job, state: "queued", updatedAt: now })

export const layer = Layer.effect(
  JobQueue,
  Effect.map(Store, (store) =>
    JobQueue.of({
      claim: (claim) =>
        store.write<ClaimedJob | null>((state) => {
          const [first] = candidatesOf(state, claim).toSorted(comesFirst)
          if (first === undefined) return [null, state]
          const { organizationId, row } = first
          const { now, runner, until } = claim
          const job = new Job({
            ...row.job,
            state: "running",
            startedAt: row.job.startedAt ?? now,
            updatedAt: now
          })
          const { checkpoint, input, permissions } = row
          const attempts = row.attempts + 1
          return [
            { lease: { organizationId, jobId: job.id, runner }, job, input, checkpoint, permissions, attempts },
            withRow(state, organizationId, { ...row, job, attempts, runner, runnableAt: until })
          ]
        }),
      renew: (lease, until) => store.write(underLease(lease, (row) => [undefined, { ...row, runnableAt: until }])),
      advance: (lease, { checkpoint, counts, now, progress, until }) =>
        store.write(
          underLease(lease, (row) => {
            const job = new Job({ ...row.job, progress, counts, updatedAt: now })
            return [job.cancelRequested, { ...row, job, checkpoint, attempts: 1, runnableAt: until }]
          })
        ),
      finish: (lease, { error, now, resultUrl, state }) =>
        store.write(
          underLease(lease, (row) => {
            const job = new Job({ ...row.job, state, error, resultUrl, finishedAt: now, updatedAt: now })
            return [job, { ...row, job, runner: null }]
          })
        ),
      handBack: (lease, now) =>
        store.write(
          underLease(lease, (row) => [
            undefined,
            { ...row, job: waiting(row, now), attempts: Math.max(row.attempts - 1, 0), runner: null, runnableAt: now }
          ])
        ),
      postpone: (lease, until, now) =>
        store.write(
          underLease(lease, (row) => [undefined, { ...row, job: waiting(row, now), runner: null, runnableAt: until }])
        )
    })
  )
)

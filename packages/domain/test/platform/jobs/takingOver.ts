import { CurrentActor, CurrentOrganization, Ids, transact } from "@parley/domain/kernel"
import {
  type Job,
  jobLane,
  JobQueue,
  jobsTaskName,
  type LaneLease,
  LaneQueue,
  type Organization,
  shardCount,
  shardOf,
  Shards
} from "@parley/domain/platform"
import { DateTime, Effect } from "effect"

/** Declares all active processes dead, in any state. */
export const declareDead = Effect.gen(function* () {
  const shards = yield* Shards
  const now = yield* DateTime.now
  const id = yield* (yield* Ids).next
  yield* shards.join({ id, name: "witness", tasks: [], now })
  const view = yield* shards.renew(id, now)
  for (const node of view?.nodes ?? []) yield* shards.expire(node.id, node.beat)
})

/** Claims the lane of a job as a process that others have seen alive, with all shards that no living process owns. */
export const claim = Effect.fnUntraced(function* (organization: Organization, job: Pick<Job, "id">) {
  const shards = yield* Shards
  const now = yield* DateTime.now
  const node = yield* (yield* Ids).next
  yield* shards.join({ id: node, name: "doomed", tasks: [jobsTaskName], now })
  const lane = jobLane(organization.id, job.id)
  const owned = yield* shards.claim(node, jobsTaskName, shardCount)
  const wanted = owned.filter(({ shard }) => shard === shardOf(lane)).map((own): LaneLease => ({ ...lane, ...own }))
  const [lease] = yield* (yield* LaneQueue).claim(node, wanted, now)
  return lease ?? (yield* Effect.die(new Error("There was nothing to claim.")))
})

/** Starts a job, as a process that then dies silently. */
export const beginAndDie = Effect.fnUntraced(function* (organization: Organization, job: Pick<Job, "id" | "kind">) {
  const lease = yield* claim(organization, job)
  const begun = yield* transact((yield* JobQueue).begin(lease, [job.kind], yield* DateTime.now)).pipe(
    Effect.provideService(CurrentOrganization, { id: organization.id }),
    Effect.provideService(CurrentActor, { kind: "system", name: "jobs" })
  )
  return begun === null ? yield* Effect.die(new Error("There was nothing to begin.")) : lease
})

import { DateTime, Effect } from "effect"
import { defineSubscriber } from "../platform/events/index.ts"
import { JobEvent } from "../platform/jobs/index.ts"
import { openStoreLane } from "./syncing/storeLane.ts"
import { syncJob } from "./syncing/syncJob.ts"
import { StoreConnections } from "./StoreConnections.ts"

/** More stores than any plan has. */
const mostStores = 1_000

/** Keeps that a store is not being read any more where its job has ended before the end of the store. */
const endOfSync = defineSubscriber({
  name: "stores.end_syncs",
  schema: JobEvent,
  events: ["job.finished"],
  beginsWith: "next_event",
  batch: 100,
  handle: Effect.fnUntraced(function* (events) {
    const ended = new Set<string>(
      events.flatMap(({ event: { jobId, kind, state } }) =>
        kind === syncJob.name && state !== "succeeded" ? [jobId] : []
      )
    )
    if (ended.size === 0) return
    const connections = yield* StoreConnections
    for (const { id } of yield* connections.list(null, { limit: mostStores, after: null })) {
      const sync = (yield* connections.lock(id))?.sync
      if (sync?.state !== "running" || sync.jobId === null || !ended.has(sync.jobId)) continue
      yield* connections.keepProgress(id, { sync: { ...sync, state: "failed" } })
      yield* openStoreLane(id, yield* DateTime.now)
    }
  })
})

/** What this area does about events. */
export const storesReactions = [endOfSync] as const

import { sendTaskName } from "@parley/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

interface Owner {
  readonly node: string
  readonly beat: string
}

/** Silence of a process before others had taken over its sends. */
export interface Takeover {
  readonly node: string
  readonly millis: number
}

const lookEvery = 200

/**
 * Watches the owners of accounts until interrupted. A process is silent from its last observed heartbeat on, and replaced when it owns no account.
 * Time without an answer of the database counts for none, because no process can then detect a silent one.
 */
export const watchTakeovers = Effect.fnUntraced(function* (into: Array<Takeover>) {
  const sql = yield* SqlClient.SqlClient
  const owners = sql<Owner>`
    SELECT n.id AS node, n.heartbeat::text AS beat FROM worker_processes AS n
    WHERE EXISTS (SELECT FROM task_shards AS s WHERE s.task = ${sendTaskName} AND s.process_id = n.id)`
  const seen = new Map<string, { beat: string; silent: number }>()
  let last = performance.now()
  while (true) {
    yield* Effect.sleep(lookEvery)
    const found = yield* Effect.option(Effect.sandbox(owners))
    const now = performance.now()
    // A slow observation means that the database hung or was unavailable.
    const passed = found._tag === "Some" ? Math.min(now - last, 2 * lookEvery) : 0
    last = now
    if (found._tag === "None") continue
    for (const [node, { silent }] of seen) {
      if (found.value.some((owner) => owner.node === node)) continue
      into.push({ node, millis: silent + passed })
      seen.delete(node)
    }
    for (const { beat, node } of found.value) {
      const before = seen.get(node)
      seen.set(node, { beat, silent: before?.beat === beat ? before.silent + passed : 0 })
    }
  }
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { backends } from "./backends.ts"
import { withIdleShare } from "./idle.ts"
import { cpuSecondsBetween, usesOf } from "./ProcessUse.ts"

/** The processes of PostgreSQL that serve no client. */
const background = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly pid: number }>`
    SELECT pid FROM pg_stat_activity WHERE backend_type NOT IN ('client backend', 'autovacuum worker')`
  return rows.map(({ pid }) => pid)
})

/** Which share of all cores the server, PostgreSQL and the load generator have used while the effect ran. */
export const withShares = Effect.fnUntraced(function* <A, E, R>(
  pids: { readonly server: number; readonly generator: number },
  cores: number,
  effect: Effect.Effect<A, E, R>
) {
  const look = Effect.all({
    server: usesOf([pids.server]),
    clients: Effect.flatMap(backends, usesOf),
    background: Effect.flatMap(background, usesOf),
    generator: usesOf([pids.generator])
  })
  const before = yield* look
  const begun = performance.now()
  const { idleShare, value } = yield* withIdleShare(effect)
  const took = (performance.now() - begun) / 1_000
  const after = yield* look
  const share = (part: keyof typeof before) => cpuSecondsBetween(before[part], after[part]) / (took * cores)
  const shares = {
    server: share("server"),
    "PostgreSQL for the server": share("clients"),
    "PostgreSQL in the background": share("background"),
    "the bench itself": share("generator"),
    "everything on the machine": 1 - idleShare
  }
  return { value, shares, seconds: took }
})

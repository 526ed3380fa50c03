import { DateTime, Effect } from "effect"
import { transact } from "../../kernel/index.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import { StoreConnections } from "../StoreConnections.ts"
import { removeSome } from "./removeSome.ts"

/** How long what is known of a shop is kept after the app is gone there: whoever installs it again finds it. */
const kept = { days: 30 } as const

const pageSize = 100

/** Removes the stores that the app has been gone from for too long. */
export const sweepUninstalled = Effect.gen(function* () {
  const connections = yield* StoreConnections
  const before = DateTime.subtract(yield* DateTime.now, kept)
  let after: ReadonlyArray<string> | null = null
  for (;;) {
    const page: ReadonlyArray<StoreConnection> = yield* connections.list("uninstalled", { limit: pageSize, after })
    for (const { id, uninstalledAt } of page) {
      if (uninstalledAt === null || DateTime.isGreaterThan(uninstalledAt, before)) continue
      yield* Effect.repeat(transact(removeSome(id, uninstalledAt)), { while: ({ state }) => state === "more" })
    }
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    after = [last.id]
  }
})

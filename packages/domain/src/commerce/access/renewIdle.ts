import { DateTime, Effect } from "effect"
import { holdsShop } from "../connections/connectionStatus.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import { StoreConnections } from "../StoreConnections.ts"
import { renewSecrets } from "./renewSecrets.ts"

const pageSize = 100

/** Refresh tokens end when nobody uses them: those of stores that nothing is read from are used once a week. */
const longestIdle = { days: 7 } as const

/** Renews what the organization's stores are read with where nobody has done so for a week. */
export const renewIdle = Effect.gen(function* () {
  const connections = yield* StoreConnections
  const before = DateTime.subtract(yield* DateTime.now, longestIdle)
  let after: ReadonlyArray<string> | null = null
  for (;;) {
    const page: ReadonlyArray<StoreConnection> = yield* connections.list(null, { limit: pageSize, after })
    for (const { id } of page.filter(({ status }) => holdsShop(status))) {
      yield* renewSecrets(
        id,
        ({ expiresAt, refreshToken }) =>
          refreshToken !== null && expiresAt !== null && DateTime.isLessThanOrEqualTo(expiresAt, before)
      ).pipe(Effect.catch((error) => Effect.logWarning(`The access to the store ${id} was not renewed`, error)))
    }
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    after = [last.id]
  }
})

import { Effect } from "effect"
import { record } from "../../platform/audit/index.ts"
import { transact, useCase } from "../../kernel/index.ts"
import { resealedFor } from "../connecting/secrets.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import { StoreConnections } from "../StoreConnections.ts"

const reseal = Effect.fnUntraced(function* ({ id }: StoreConnection) {
  const connections = yield* StoreConnections
  const secrets = yield* connections.lockSecrets(id)
  if (secrets === null) return 0
  yield* Effect.orDie(connections.keepSecrets(id, yield* resealedFor(id, secrets.shopDomain, secrets)))
  yield* record("store_connection.resealed", { kind: "store_connection", id })
  return 1
}, transact)

const pageSize = 100

/** Seals what the organization's stores are read with by the newest master key; says how many stores that were. */
export const resealStoreSecrets = useCase(
  "storeConnections.reseal",
  { access: "operator" },
  Effect.fnUntraced(function* () {
    const connections = yield* StoreConnections
    let sealed = 0
    let after: ReadonlyArray<string> | null = null
    for (;;) {
      const page: ReadonlyArray<StoreConnection> = yield* connections.list(null, { limit: pageSize, after })
      for (const connection of page) sealed += yield* reseal(connection)
      const last = page.at(-1)
      if (last === undefined || page.length < pageSize) return sealed
      after = [last.id]
    }
  })
)

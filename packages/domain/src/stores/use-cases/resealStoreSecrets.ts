import { Effect } from "effect"
import { record } from "../../audit/index.ts"
import { transact, useCase, Vault } from "../../kernel/index.ts"
import { openStoreSecret, secretContext } from "../connecting/secrets.ts"
import type { StoreConnectionId } from "../Ids.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import { StoreConnections } from "../StoreConnections.ts"

type SecretName = Parameters<typeof secretContext>[1]

const again = Effect.fnUntraced(function* (id: StoreConnectionId, name: SecretName, sealed: string) {
  return yield* (yield* Vault).seal(yield* secretContext(id, name), yield* openStoreSecret(id, name, sealed))
})

const reseal = Effect.fnUntraced(function* ({ id }: StoreConnection) {
  const connections = yield* StoreConnections
  const secrets = yield* connections.lockSecrets(id)
  if (secrets === null) return 0
  const { accessToken, refreshToken } = secrets
  yield* Effect.orDie(
    connections.keepSecrets(id, {
      ...secrets,
      accessToken: yield* again(id, "access_token", accessToken),
      refreshToken: refreshToken === null ? null : yield* again(id, "refresh_token", refreshToken)
    })
  )
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

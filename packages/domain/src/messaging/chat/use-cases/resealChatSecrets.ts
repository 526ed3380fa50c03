import { Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { Locks, transact, useCase } from "../../../kernel/index.ts"
import { ChatAccounts, type ChatSecrets } from "../ChatAccounts.ts"
import type { ChatAccountId } from "../Ids.ts"
import { type ChatSecretName, openSecret, sealSecret } from "../secrets.ts"

const resealed = Effect.fnUntraced(function* (id: ChatAccountId, secrets: ChatSecrets) {
  const again = Effect.fnUntraced(function* (name: ChatSecretName, sealed: string) {
    return yield* sealSecret(id, name, yield* openSecret(id, name, sealed))
  })
  const { accessToken, appSecret, formerAppSecret, verifyToken } = secrets
  return {
    accessToken: yield* again("access_token", accessToken),
    appSecret: appSecret === null ? null : yield* again("app_secret", appSecret),
    formerAppSecret:
      formerAppSecret === null
        ? null
        : { sealed: yield* again("app_secret", formerAppSecret.sealed), until: formerAppSecret.until },
    verifyToken: verifyToken === null ? null : yield* again("verify_token", verifyToken)
  } satisfies ChatSecrets
})

/** Seals the secrets of every number of the organization with the newest master key; says how many numbers that were. */
export const resealChatSecrets = useCase(
  "chatAccounts.reseal",
  { access: "operator" },
  Effect.fnUntraced(function* () {
    const accounts = yield* ChatAccounts
    yield* (yield* Locks).exclusive("chat_accounts")
    const all = yield* accounts.list({ limit: 1_000, after: null })
    for (const { id, ...secrets } of yield* accounts.secrets(all.map(({ id }) => id))) {
      const account = yield* Effect.orDie(accounts.get(id))
      yield* Effect.orDie(accounts.save(account, yield* resealed(id, secrets), account.version))
      yield* record("chat_account.resealed", { kind: "chat_account", id })
    }
    return all.length
  }, transact)
)

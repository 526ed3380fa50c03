import { DateTime, Effect } from "effect"
import { ChatAccounts, type AccountSecrets } from "./ChatAccounts.ts"
import { OpenedSecrets } from "./OpenedSecrets.ts"
import { secretContext } from "./secrets.ts"

/** The secrets that deliveries to these accounts may be signed with: those of now, and former ones that are still good. */
export const signingSecretsOf = Effect.fnUntraced(function* (accounts: ReadonlyArray<AccountSecrets>) {
  const now = yield* DateTime.now
  const { open } = yield* OpenedSecrets
  const secrets = yield* Effect.forEach(
    accounts,
    Effect.fnUntraced(function* ({ appSecret, formerAppSecret, id }) {
      const isFormerGood = formerAppSecret !== null && DateTime.isGreaterThan(formerAppSecret.until, now)
      const sealed = [...(appSecret === null ? [] : [appSecret]), ...(isFormerGood ? [formerAppSecret.sealed] : [])]
      const context = yield* secretContext(id, "app_secret")
      return yield* Effect.forEach(sealed, (each) => open(context, each))
    })
  )
  return secrets.flat()
})

/** What the provider may prove itself with when it verifies the webhook of the organization's own apps. */
export const openVerifyTokens = Effect.gen(function* () {
  const { open } = yield* OpenedSecrets
  const accounts = yield* (yield* ChatAccounts).ownAppSecrets()
  const tokens = yield* Effect.forEach(
    accounts,
    Effect.fnUntraced(function* ({ id, verifyToken }) {
      return verifyToken === null ? [] : [yield* open(yield* secretContext(id, "verify_token"), verifyToken)]
    })
  )
  return tokens.flat()
})

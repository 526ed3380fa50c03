import { DateTime, Duration, Effect, type Redacted } from "effect"
import { ChatAccounts, type ChatAccountId, type ChatSecrets } from "../chat/index.ts"
import { CurrentOrganization, Vault } from "../kernel/index.ts"

const keptFor = Duration.toMillis("30 seconds")
const mostKept = 2_000

/** Secrets that were opened a moment ago, by what they were sealed as: a provider sends thousands of deliveries a second. */
const opened = new Map<string, { readonly secret: Redacted.Redacted; readonly until: number }>()

const open = Effect.fnUntraced(function* (context: string, sealed: string) {
  const key = `${context} ${sealed}`
  const now = DateTime.toEpochMillis(yield* DateTime.now)
  const kept = opened.get(key)
  if (kept !== undefined && kept.until > now && kept.until <= now + keptFor) return kept.secret
  const secret = yield* (yield* Vault).open(context, sealed)
  if (opened.size >= mostKept) opened.clear()
  opened.set(key, { secret, until: now + keptFor })
  return secret
})

type OwnApp = ChatSecrets & { readonly id: ChatAccountId }

const contextOf = Effect.fnUntraced(function* ({ id }: OwnApp, name: "app_secret" | "verify_token") {
  const { id: organizationId } = yield* CurrentOrganization
  return `chat_account/${organizationId}/${id}/${name}`
})

/** The secrets that deliveries to the organization's own apps may be signed with: those of now, and former ones that are still good. */
export const openAppSecrets = Effect.gen(function* () {
  const now = yield* DateTime.now
  const accounts = yield* (yield* ChatAccounts).ownAppSecrets()
  const secrets = yield* Effect.forEach(
    accounts,
    Effect.fnUntraced(function* (account) {
      const { appSecret, formerAppSecret } = account
      const isFormerGood = formerAppSecret !== null && DateTime.isGreaterThan(formerAppSecret.until, now)
      const sealed = [...(appSecret === null ? [] : [appSecret]), ...(isFormerGood ? [formerAppSecret.sealed] : [])]
      const context = yield* contextOf(account, "app_secret")
      return yield* Effect.forEach(sealed, (each) => open(context, each))
    })
  )
  return secrets.flat()
})

/** What the provider may prove itself with when it verifies the webhook of the organization's own apps. */
export const openVerifyTokens = Effect.gen(function* () {
  const accounts = yield* (yield* ChatAccounts).ownAppSecrets()
  const tokens = yield* Effect.forEach(
    accounts,
    Effect.fnUntraced(function* (account) {
      if (account.verifyToken === null) return []
      return [yield* open(yield* contextOf(account, "verify_token"), account.verifyToken)]
    })
  )
  return tokens.flat()
})

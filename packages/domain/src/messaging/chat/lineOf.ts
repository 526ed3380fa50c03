import { DateTime, Effect } from "effect"
import { NotFound } from "../../kernel/index.ts"
import type { ChatAccount } from "./ChatAccount.ts"
import { ChatAccounts, type ChatSecrets } from "./ChatAccounts.ts"
import type { ChatAccountId } from "./Ids.ts"
import type { Line } from "./Line.ts"
import { OpenedSecrets } from "./OpenedSecrets.ts"
import { type ChatSecretName, secretContext } from "./secrets.ts"

/** Whoever sends asks for the same secret again and again. */
const openSecret = Effect.fnUntraced(function* (id: ChatAccountId, name: ChatSecretName, sealed: string) {
  return yield* (yield* OpenedSecrets).open(yield* secretContext(id, name), sealed)
})

/** The secret before this one, as long as the other side may go by it. */
const openFormer = Effect.fnUntraced(function* (id: ChatAccountId, { formerAppSecret }: ChatSecrets) {
  const isGood = formerAppSecret !== null && DateTime.isGreaterThan(formerAppSecret.until, yield* DateTime.now)
  return isGood ? { formerToken: yield* openSecret(id, "app_secret", formerAppSecret.sealed) } : {}
})

/** The number of an account with the right to use it. An account that was removed meanwhile has none. */
export const openLine = Effect.fnUntraced(function* ({ externalAccountId, externalPhoneId, id, url }: ChatAccount) {
  const [secrets] = yield* (yield* ChatAccounts).secrets([id])
  if (secrets === undefined) return yield* new NotFound({ resource: "chat account" })
  const accessToken = yield* openSecret(id, "access_token", secrets.accessToken)
  const line: Line = { accessToken, phoneId: externalPhoneId, businessId: externalAccountId }
  return url === null ? line : { ...line, url, ...(yield* openFormer(id, secrets)) }
})

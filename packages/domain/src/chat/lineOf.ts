import { Effect } from "effect"
import { NotFound } from "../kernel/index.ts"
import type { ChatAccount } from "./ChatAccount.ts"
import { ChatAccounts } from "./ChatAccounts.ts"
import type { Line } from "./Line.ts"
import { openSecret } from "./secrets.ts"

/** The number of an account with the right to use it. An account that was removed meanwhile has none. */
export const openLine = Effect.fnUntraced(function* ({ externalAccountId, externalPhoneId, id }: ChatAccount) {
  const [secrets] = yield* (yield* ChatAccounts).secrets([id])
  if (secrets === undefined) return yield* new NotFound({ resource: "chat account" })
  const accessToken = yield* openSecret(id, "access_token", secrets.accessToken)
  return { accessToken, phoneId: externalPhoneId, businessId: externalAccountId } satisfies Line
})

import { DateTime, Effect } from "effect"
import { nextId, Ids, useCase } from "../../kernel/index.ts"
import type { NewChatAccount } from "../ChatAccount.ts"
import { ChatChannel } from "../ChatChannel.ts"
import { checkedAccount } from "../health.ts"
import { ChatAccountId } from "../Ids.ts"
import { sealSecret } from "../secrets.ts"
import { shownAccount } from "../shown.ts"
import { addAccount, freshAccount } from "./addAccount.ts"

/** How many random bytes a verify token has. */
const verifyTokenBytes = 24

/**
 * Connects a number through the organization's own app. The provider is asked about it first; what it says is kept, and a
 * number that it refuses is kept as well, with what is wrong.
 */
export const connectChatAccount = useCase(
  "chatAccounts.connect",
  { access: { permission: "chat_accounts.manage" } },
  Effect.fnUntraced(function* (said: NewChatAccount) {
    const { accessToken, appSecret, displayName, externalAccountId, externalPhoneId } = said
    const id = yield* nextId(ChatAccountId)
    const line = { accessToken, phoneId: externalPhoneId, businessId: externalAccountId }
    const now = yield* DateTime.now
    const fresh = freshAccount(
      { id, mode: "own_app", displayName: displayName ?? externalPhoneId, externalAccountId, externalPhoneId },
      now
    )
    const account = yield* checkedAccount(fresh, (yield* ChatChannel).health(line), now)
    const verifyToken = yield* (yield* Ids).secret(verifyTokenBytes)
    yield* addAccount(account, {
      accessToken: yield* sealSecret(id, "access_token", accessToken),
      appSecret: yield* sealSecret(id, "app_secret", appSecret),
      formerAppSecret: null,
      verifyToken: yield* sealSecret(id, "verify_token", verifyToken)
    })
    return yield* shownAccount(account)
  })
)

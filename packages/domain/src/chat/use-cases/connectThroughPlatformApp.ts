import { DateTime, Effect } from "effect"
import { nextId, useCase } from "../../kernel/index.ts"
import type { PlatformSignup } from "../ChatAccount.ts"
import { ChatChannel } from "../ChatChannel.ts"
import { ChatSettings } from "../ChatSettings.ts"
import { PlatformAppAbsent } from "../Errors.ts"
import { checkedAccount } from "../health.ts"
import { ChatAccountId } from "../Ids.ts"
import { sealSecret } from "../secrets.ts"
import { shownAccount } from "../shown.ts"
import { addAccount, checkRoom, freshAccount } from "./addAccount.ts"

/** Connects a number through the platform app, from the code that its signup has given. A code is good once. */
export const connectThroughPlatformApp = useCase(
  "chatAccounts.signUp",
  { access: { permission: "chat_accounts.manage" } },
  Effect.fnUntraced(function* ({ code, displayName, externalAccountId, externalPhoneId }: PlatformSignup) {
    if ((yield* ChatSettings).platformApp === null) return yield* new PlatformAppAbsent()
    // The provider takes the code once: what can be refused without it is refused before.
    yield* checkRoom(externalPhoneId)
    const channel = yield* ChatChannel
    const accessToken = yield* channel.exchangeSignupCode(code)
    const line = { accessToken, phoneId: externalPhoneId, businessId: externalAccountId }
    // The token must be able to use the number: whose signup it is, is known from nothing else.
    const health = yield* channel.health(line)
    yield* channel.subscribe(line)
    const id = yield* nextId(ChatAccountId)
    const now = yield* DateTime.now
    const fresh = freshAccount(
      { id, mode: "platform_app", displayName: displayName ?? externalPhoneId, externalAccountId, externalPhoneId },
      now
    )
    const account = yield* checkedAccount(fresh, Effect.succeed(health), now)
    yield* addAccount(account, {
      accessToken: yield* sealSecret(id, "access_token", accessToken),
      appSecret: null,
      formerAppSecret: null,
      verifyToken: null
    })
    return yield* shownAccount(account)
  })
)

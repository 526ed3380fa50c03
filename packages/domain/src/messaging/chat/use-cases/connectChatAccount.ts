import { Effect } from "effect"
import { Ids, invalid, nextId, useCase } from "../../../kernel/index.ts"
import { addAccount, checkRoom } from "../addAccount.ts"
import { askHealth } from "../askHealth.ts"
import type { NewChatAccount, NewNumber } from "../ChatAccount.ts"
import type { ChatSecrets } from "../ChatAccounts.ts"
import { ChatChannels } from "../ChatChannels.ts"
import { connectEndpoint } from "../connectEndpoint.ts"
import { ChatAccountId } from "../Ids.ts"
import { sealSecret } from "../secrets.ts"
import { shownAccount } from "../shown.ts"

/** Whose a number is of which nothing else is said. */
const usualProvider = "whatsapp"

/** How many random bytes a verify token has. */
const verifyTokenBytes = 24

const sealed = Effect.fnUntraced(function* (id: ChatAccountId, { accessToken, appSecret }: NewNumber) {
  const verifyToken = yield* (yield* Ids).secret(verifyTokenBytes)
  return {
    accessToken: yield* sealSecret(id, "access_token", accessToken),
    appSecret: yield* sealSecret(id, "app_secret", appSecret),
    formerAppSecret: null,
    verifyToken: yield* sealSecret(id, "verify_token", verifyToken)
  } satisfies ChatSecrets
})

const connectNumber = Effect.fnUntraced(function* (said: NewNumber) {
  const { accessToken, displayName, externalAccountId, externalPhoneId, provider = usualProvider } = said
  const channel = (yield* ChatChannels).get(provider)
  if (channel !== undefined && channel.endpoints !== null) {
    return yield* invalid("/url", `An account of the provider ${provider} is an address of its own: say which`)
  }
  yield* checkRoom({ provider, externalPhoneId })
  const health = yield* askHealth(provider, { accessToken, phoneId: externalPhoneId, businessId: externalAccountId })
  const id = yield* nextId(ChatAccountId)
  const connecting = { provider, mode: "own_app", displayName, externalAccountId, externalPhoneId, url: null } as const
  return yield* shownAccount(yield* addAccount(id, connecting, health, (id) => sealed(id, said)))
})

/**
 * Connects a number through the organization's own app, once the provider has said that there is such a number and that the
 * token may use it. Where it refuses that, or cannot be asked, nothing is kept. An account that is an address of its own is asked nothing: it does
 * not know yet what we sign with.
 */
export const connectChatAccount = useCase(
  "chatAccounts.connect",
  { access: { permission: "chat_accounts.manage" } },
  Effect.fnUntraced(function* (said: NewChatAccount) {
    return yield* "url" in said ? connectEndpoint(said) : connectNumber(said)
  })
)

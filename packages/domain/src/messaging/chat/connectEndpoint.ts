import { Effect, Redacted } from "effect"
import { nextId } from "../../kernel/index.ts"
import { addAccount } from "./addAccount.ts"
import { ChatAccountView, type NewEndpoint } from "./ChatAccount.ts"
import { checkUrl } from "./checkUrl.ts"
import { endpointSecrets } from "./endpointSecrets.ts"
import { ChatAccountId } from "./Ids.ts"
import { shownAccount } from "./shown.ts"

/** Connects an account that is an address of its own, and shows once what requests are signed with. */
export const connectEndpoint = Effect.fnUntraced(function* ({ displayName, provider, url }: NewEndpoint) {
  yield* checkUrl(provider, url)
  const id = yield* nextId(ChatAccountId)
  const { secret, secrets } = yield* endpointSecrets(id, null)
  const account = yield* addAccount(
    id,
    { provider, mode: "own_app", displayName, externalAccountId: id, externalPhoneId: id, url },
    null,
    () => Effect.succeed(secrets)
  )
  return new ChatAccountView({ ...(yield* shownAccount(account)), signingSecret: Redacted.value(secret) })
})

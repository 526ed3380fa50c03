import { Effect, Redacted } from "effect"
import { Ids } from "../../kernel/index.ts"
import type { ChatSecrets } from "./ChatAccounts.ts"
import type { ChatAccountId } from "./Ids.ts"
import { sealSecret } from "./secrets.ts"

/** A whole number of characters of base64, so that there is nothing to fill up. */
const secretBytes = 24

/** A secret as Standard Webhooks writes them. */
const newSecret = Effect.map(
  Effect.flatMap(Ids, (ids) => ids.secret(secretBytes)),
  (secret) => Redacted.make(`whsec_${Redacted.value(secret).replaceAll("-", "+").replaceAll("_", "/")}`)
)

/** A new secret for an account that is an address of its own, and how it is kept: we sign with it, and the other side does. */
export const endpointSecrets = Effect.fnUntraced(function* (
  id: ChatAccountId,
  formerAppSecret: ChatSecrets["formerAppSecret"]
) {
  const secret = yield* newSecret
  const secrets: ChatSecrets = {
    accessToken: yield* sealSecret(id, "access_token", secret),
    appSecret: yield* sealSecret(id, "app_secret", secret),
    formerAppSecret,
    verifyToken: null
  }
  return { secret, secrets }
})

import { Effect, Redacted } from "effect"
import { ChatSettings } from "../../chat/index.ts"
import { type OrganizationId, useCase, Vault } from "../../kernel/index.ts"
import { asChat } from "../asChat.ts"
import { WebhookForbidden } from "../Errors.ts"
import { openVerifyTokens } from "../openSecrets.ts"

/** What a provider says when it asks whether the webhook is ours. */
export interface WebhookHandshake {
  readonly mode: string | undefined
  readonly token: string | undefined
  readonly challenge: string | undefined
}

const platformTokens = Effect.map(ChatSettings, ({ platformApp }) =>
  platformApp === null ? [] : [platformApp.verifyToken]
)

/** Answers the provider's handshake: the challenge, if it knows the verify token. Without an organization it is the platform app's. */
export const verifyChatWebhook = useCase(
  "deliveries.verifyChatWebhook",
  { access: "public" },
  Effect.fnUntraced(function* (
    organizationId: OrganizationId | null,
    { challenge, mode, token = "" }: WebhookHandshake
  ) {
    const known = yield* organizationId === null ? platformTokens : asChat(organizationId)(openVerifyTokens)
    const vault = yield* Vault
    // Digests are compared, so that the time it takes tells nothing about the token.
    const said = yield* vault.digest(Redacted.make(token))
    const digests = yield* Effect.forEach(known, vault.digest)
    if (mode !== "subscribe" || challenge === undefined || !digests.includes(said)) {
      return yield* new WebhookForbidden()
    }
    return challenge
  })
)

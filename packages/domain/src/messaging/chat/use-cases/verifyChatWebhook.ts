import { Effect, Redacted } from "effect"
import { type OrganizationId, useCase, Vault } from "../../../kernel/index.ts"
import { asChat } from "../asChat.ts"
import { ChatChannels } from "../ChatChannels.ts"
import { ChatSettings } from "../ChatSettings.ts"
import { WebhookForbidden } from "../WebhookErrors.ts"
import { openVerifyTokens } from "../webhookSecrets.ts"

const platformTokens = Effect.map(ChatSettings, ({ platformApp }) =>
  platformApp === null ? [] : [platformApp.verifyToken]
)

/** The handshake, of whichever provider it is. */
const handshakeIn = Effect.fnUntraced(function* (query: Readonly<Record<string, string | undefined>>) {
  for (const { deliveries } of (yield* ChatChannels).values()) {
    const handshake = deliveries.handshake(query)
    if (handshake !== null) return handshake
  }
  return null
})

/** Answers the provider's handshake: the challenge, if it knows the verify token. Without an organization it is the platform app's. */
export const verifyChatWebhook = useCase(
  "chatWebhooks.verify",
  { access: "public" },
  Effect.fnUntraced(function* (
    organizationId: OrganizationId | null,
    query: Readonly<Record<string, string | undefined>>
  ) {
    const known = yield* organizationId === null ? platformTokens : asChat(organizationId)(openVerifyTokens)
    const handshake = yield* handshakeIn(query)
    const vault = yield* Vault
    // Digests are compared, so that the time it takes tells nothing about the token.
    const said = yield* vault.digest(Redacted.make(handshake?.token ?? ""))
    const digests = yield* Effect.forEach(known, vault.digest)
    if (handshake === null || !digests.includes(said)) return yield* new WebhookForbidden()
    return handshake.challenge
  })
)

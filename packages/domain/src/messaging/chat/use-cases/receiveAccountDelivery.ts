import { DateTime, Effect } from "effect"
import { storeDeliveries } from "../../../platform/deliveries/index.ts"
import { invalid, type OrganizationId, useCase } from "../../../kernel/index.ts"
import { asChat } from "../asChat.ts"
import { ChatAccounts } from "../ChatAccounts.ts"
import { ChatChannels } from "../ChatChannels.ts"
import type { DeliveryRequest } from "../DeliveryReading.ts"
import type { ChatAccountId } from "../Ids.ts"
import { chatSource } from "../source.ts"
import { WebhookSignatureInvalid } from "../WebhookErrors.ts"
import { signingSecretsOf } from "../webhookSecrets.ts"

/** The account, where it is an address of its own and has signed this. */
const signerOf = Effect.fnUntraced(function* (id: ChatAccountId, request: DeliveryRequest) {
  const account = (yield* (yield* ChatAccounts).ownAppSecrets()).find((each) => each.id === id)
  const channel = account === undefined ? undefined : (yield* ChatChannels).get(account.provider)
  if (account === undefined || channel === undefined || channel.endpoints === null) {
    return yield* new WebhookSignatureInvalid()
  }
  const secrets = yield* signingSecretsOf([account])
  const { deliveries } = channel
  if (!deliveries.isSigned(secrets, request, yield* DateTime.now)) return yield* new WebhookSignatureInvalid()
  return { provider: account.provider, deliveries }
})

/**
 * Takes in what is delivered to one account that is an address of its own: it is checked over its raw bytes, and stored for good before
 * this answers. Whoever delivers it is one of the organization's own systems, so what cannot be read is refused, and they see why.
 */
export const receiveAccountDelivery = useCase(
  "chatWebhooks.receiveForAccount",
  { access: "public" },
  Effect.fnUntraced(function* (organizationId: OrganizationId, id: ChatAccountId, request: DeliveryRequest) {
    const { deliveries, provider } = yield* signerOf(id, request).pipe(asChat(organizationId))
    const parts = deliveries.parts(request.body, id)
    if (parts === null) return yield* invalid("", "Expected a type, a timestamp, and the data of that type")
    const found = parts.map(({ body }) => ({ organizationId, body }))
    yield* storeDeliveries(chatSource, provider, found)
  })
)

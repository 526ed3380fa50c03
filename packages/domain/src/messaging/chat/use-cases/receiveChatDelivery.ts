import { DateTime, Effect, Metric } from "effect"
import { type Addressed, storeDeliveries } from "../../../platform/deliveries/index.ts"
import { type OrganizationId, useCase } from "../../../kernel/index.ts"
import { asChat } from "../asChat.ts"
import { ChatAccounts, ChatNumbers } from "../ChatAccounts.ts"
import { channelFor, ChatChannels } from "../ChatChannels.ts"
import { ChatSettings } from "../ChatSettings.ts"
import type { DeliveryPart, DeliveryRequest } from "../DeliveryReading.ts"
import { chatSource } from "../source.ts"
import { WebhookSignatureInvalid } from "../WebhookErrors.ts"
import { signingSecretsOf } from "../webhookSecrets.ts"

const unowned = Metric.counter("parley_chat_deliveries_unowned", {
  description: "Parts of deliveries about numbers that no organization has connected."
})

const unreadable = Metric.counter("parley_chat_deliveries_unreadable", {
  description: "Deliveries through the platform app that are signed, but are none of the chat provider's."
})

/** Whose each part is. An organization never sees the part of another one. */
const addressed = Effect.fnUntraced(function* (provider: string, parts: ReadonlyArray<DeliveryPart>) {
  const owners = yield* (yield* ChatNumbers).ownersOf(
    provider,
    parts.map(({ businessId, phoneId }) => ({ businessId, phoneId }))
  )
  const found = parts.map(({ body, businessId, phoneId }) => {
    const mine = owners.filter(
      (owner) => owner.businessId === businessId && (phoneId ?? owner.phoneId) === owner.phoneId
    )
    return [...new Set(mine.map(({ organizationId }) => organizationId))].map((organizationId): Addressed => ({
      organizationId,
      body
    }))
  })
  const lost = found.filter((each) => each.length === 0).length
  if (lost > 0) {
    yield* Metric.update(unowned, lost)
    yield* Effect.logWarning(
      `${lost} of ${parts.length} parts of a delivery are about numbers that nobody has connected`
    )
  }
  return found.flat()
})

/** Whose the delivery through the platform app is. One that cannot be read is nobody's: it is counted. */
const divided = Effect.fnUntraced(function* (provider: string, parts: ReadonlyArray<DeliveryPart> | null) {
  if (parts !== null) return yield* addressed(provider, parts)
  yield* Metric.update(unreadable, 1)
  yield* Effect.logWarning("A delivery through the platform app is signed, but is none of the chat provider's")
  return []
})

/** A delivery that cannot be split is stored whole: applying it reports why. */
const ofOwnApp = (
  organizationId: OrganizationId,
  body: Uint8Array,
  parts: ReadonlyArray<DeliveryPart>
): ReadonlyArray<Addressed> =>
  (parts.length === 0 ? [{ body }] : parts).map((part) => ({ organizationId, body: part.body }))

const throughPlatformApp = Effect.fnUntraced(function* (request: DeliveryRequest) {
  const { platformApp } = yield* ChatSettings
  if (platformApp === null) return yield* new WebhookSignatureInvalid()
  const { appSecrets, provider } = platformApp
  const { isSigned, parts } = yield* Effect.orDie(channelFor(platformApp, "deliveries"))
  if (!isSigned(appSecrets, request, yield* DateTime.now)) return yield* new WebhookSignatureInvalid()
  return { provider, found: yield* divided(provider, parts(request.body, null)) }
})

/** The provider whose own app has signed it, with a secret that the organization has given. */
const signerOf = Effect.fnUntraced(function* (request: DeliveryRequest) {
  const accounts = yield* (yield* ChatAccounts).ownAppSecrets()
  const now = yield* DateTime.now
  for (const [provider, { deliveries, endpoints }] of yield* ChatChannels) {
    // Each of those accounts has an address and a secret to itself: none speaks for another.
    if (endpoints !== null) continue
    const secrets = yield* signingSecretsOf(accounts.filter((account) => account.provider === provider))
    if (deliveries.isSigned(secrets, request, now)) return { provider, deliveries }
  }
  return yield* new WebhookSignatureInvalid()
})

const throughOwnApp = Effect.fnUntraced(function* (organizationId: OrganizationId, request: DeliveryRequest) {
  const { deliveries, provider } = yield* signerOf(request).pipe(asChat(organizationId))
  return { provider, found: ofOwnApp(organizationId, request.body, deliveries.parts(request.body, null) ?? []) }
})

/**
 * Takes in what the provider delivers: it is checked over its raw bytes, and stored for good before this answers. Whatever is
 * signed is taken, or the provider would send it again for days. Without an
 * organization it comes through the platform app, and each organization gets what is about its own numbers.
 */
export const receiveChatDelivery = useCase(
  "chatWebhooks.receive",
  { access: "public" },
  Effect.fnUntraced(function* (organizationId: OrganizationId | null, request: DeliveryRequest) {
    const { found, provider } = yield* organizationId === null
      ? throughPlatformApp(request)
      : throughOwnApp(organizationId, request)
    yield* storeDeliveries(chatSource, provider, found)
  })
)

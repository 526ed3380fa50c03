import { DateTime, Effect, Metric, Redacted } from "effect"
import { invalid, type OrganizationId, useCase, Vault } from "../../../kernel/index.ts"
import { type AddressedDelivery, saveInboundDeliveries } from "../../../platform/deliveries/index.ts"
import type { ChatAccountId } from "../ChatAccount.ts"
import { ChatAccounts, ChatNumbers } from "../ChatAccounts.ts"
import {
  asMessagingSystem,
  channelFor,
  ChatChannels,
  chatSource,
  type DeliveryPart,
  type DeliveryRequest
} from "../ChatChannels.ts"
import { ChatSettings } from "../ChatSettings.ts"
import { WebhookForbidden, WebhookSignatureInvalid } from "../errors.ts"
import { openVerifyTokens, loadSigningSecrets } from "../secrets.ts"

const platformVerifyTokens = Effect.map(ChatSettings, ({ platformApp }) =>
  platformApp === null ? [] : [platformApp.verifyToken]
)

/** The handshake, of whichever provider it is. */
const findHandshake = Effect.fnUntraced(function* (query: Readonly<Record<string, string | undefined>>) {
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
    const known = yield* organizationId === null
      ? platformVerifyTokens
      : asMessagingSystem(organizationId)(openVerifyTokens)
    const handshake = yield* findHandshake(query)
    const vault = yield* Vault
    // Digests are compared, so that the time it takes tells nothing about the token.
    const said = yield* vault.digest(Redacted.make(handshake?.token ?? ""))
    const digests = yield* Effect.forEach(known, vault.digest)
    if (handshake === null || !digests.includes(said)) return yield* new WebhookForbidden()
    return handshake.challenge
  })
)

/** The account, where it is an address of its own and has signed this. */
const findEndpointSigner = Effect.fnUntraced(function* (id: ChatAccountId, request: DeliveryRequest) {
  const account = (yield* (yield* ChatAccounts).ownAppSecrets()).find((each) => each.id === id)
  const channel = account === undefined ? undefined : (yield* ChatChannels).get(account.provider)
  if (account === undefined || channel === undefined || channel.endpoints === null) {
    return yield* new WebhookSignatureInvalid()
  }
  const secrets = yield* loadSigningSecrets([account])
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
    const { deliveries, provider } = yield* findEndpointSigner(id, request).pipe(asMessagingSystem(organizationId))
    const parts = deliveries.parts(request.body, id)
    if (parts === null) return yield* invalid("", "Expected a type, a timestamp, and the data of that type")
    const found = parts.map(({ body }) => ({ organizationId, body }))
    yield* saveInboundDeliveries(chatSource, provider, found)
  })
)

const unownedDeliveries = Metric.counter("parley_chat_deliveries_unowned", {
  description: "Parts of deliveries about numbers that no organization has connected."
})

const unreadableDeliveries = Metric.counter("parley_chat_deliveries_unreadable", {
  description: "Deliveries through the platform app that are signed, but are none of the chat provider's."
})

/** Whose each part is. An organization never sees the part of another one. */
const resolvePartOwners = Effect.fnUntraced(function* (provider: string, parts: ReadonlyArray<DeliveryPart>) {
  const owners = yield* (yield* ChatNumbers).ownersOf(
    provider,
    parts.map(({ businessId, phoneId }) => ({ businessId, phoneId }))
  )
  const found = parts.map(({ body, businessId, phoneId }) => {
    const mine = owners.filter(
      (owner) => owner.businessId === businessId && (phoneId ?? owner.phoneId) === owner.phoneId
    )
    return [...new Set(mine.map(({ organizationId }) => organizationId))].map((organizationId): AddressedDelivery => ({
      organizationId,
      body
    }))
  })
  const lost = found.filter((each) => each.length === 0).length
  if (lost > 0) {
    yield* Metric.update(unownedDeliveries, lost)
    yield* Effect.logWarning(
      `${lost} of ${parts.length} parts of a delivery are about numbers that nobody has connected`
    )
  }
  return found.flat()
})

/** Whose the delivery through the platform app is. One that cannot be read is nobody's: it is counted. */
const splitDelivery = Effect.fnUntraced(function* (provider: string, parts: ReadonlyArray<DeliveryPart> | null) {
  if (parts !== null) return yield* resolvePartOwners(provider, parts)
  yield* Metric.update(unreadableDeliveries, 1)
  yield* Effect.logWarning("A delivery through the platform app is signed, but is none of the chat provider's")
  return []
})

/** A delivery that cannot be split is stored whole: applying it reports why. */
const toOwnAppDeliveries = (
  organizationId: OrganizationId,
  body: Uint8Array,
  parts: ReadonlyArray<DeliveryPart>
): ReadonlyArray<AddressedDelivery> =>
  (parts.length === 0 ? [{ body }] : parts).map((part) => ({ organizationId, body: part.body }))

const receiveFromPlatformApp = Effect.fnUntraced(function* (request: DeliveryRequest) {
  const { platformApp } = yield* ChatSettings
  if (platformApp === null) return yield* new WebhookSignatureInvalid()
  const { appSecrets, provider } = platformApp
  const { isSigned, parts } = yield* Effect.orDie(channelFor(platformApp, "deliveries"))
  if (!isSigned(appSecrets, request, yield* DateTime.now)) return yield* new WebhookSignatureInvalid()
  return { provider, found: yield* splitDelivery(provider, parts(request.body, null)) }
})

/** The provider whose own app has signed it, with a secret that the organization has given. */
const findOwnAppSigner = Effect.fnUntraced(function* (request: DeliveryRequest) {
  const accounts = yield* (yield* ChatAccounts).ownAppSecrets()
  const now = yield* DateTime.now
  for (const [provider, { deliveries, endpoints }] of yield* ChatChannels) {
    // Each of those accounts has an address and a secret to itself: none speaks for another.
    if (endpoints !== null) continue
    const secrets = yield* loadSigningSecrets(accounts.filter((account) => account.provider === provider))
    if (deliveries.isSigned(secrets, request, now)) return { provider, deliveries }
  }
  return yield* new WebhookSignatureInvalid()
})

const receiveFromOwnApp = Effect.fnUntraced(function* (organizationId: OrganizationId, request: DeliveryRequest) {
  const { deliveries, provider } = yield* findOwnAppSigner(request).pipe(asMessagingSystem(organizationId))
  return {
    provider,
    found: toOwnAppDeliveries(organizationId, request.body, deliveries.parts(request.body, null) ?? [])
  }
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
      ? receiveFromPlatformApp(request)
      : receiveFromOwnApp(organizationId, request)
    yield* saveInboundDeliveries(chatSource, provider, found)
  })
)

import { DateTime, Effect, Redacted } from "effect"
import { invalid, type OrganizationId, useCase, Vault } from "../../../kernel/index.ts"
import {
  type AddressedDelivery,
  countRejectedDeliveries,
  saveInboundDeliveries
} from "../../../platform/deliveries/index.ts"
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

/** Finds the handshake in the query, for any provider. */
const findHandshake = Effect.fnUntraced(function* (query: Readonly<Record<string, string | undefined>>) {
  for (const { deliveries } of (yield* ChatChannels).values()) {
    const handshake = deliveries.handshake(query)
    if (handshake !== null) return handshake
  }
  return null
})

/**
 * Answers the provider's handshake with the challenge, if the verify token matches. Without an organization it checks the token of the platform app.
 */
export const verifyChatWebhook = useCase(
  { name: "chatWebhooks.verify", access: "public" },
  Effect.fnUntraced(function* ({
    organizationId,
    query
  }: {
    readonly organizationId: OrganizationId | null
    readonly query: Readonly<Record<string, string | undefined>>
  }) {
    const known = yield* organizationId === null
      ? platformVerifyTokens
      : asMessagingSystem(organizationId)(openVerifyTokens)
    const handshake = yield* findHandshake(query)
    const vault = yield* Vault
    // Compares digests, because the duration then reveals nothing about the token.
    const presented = yield* vault.digest(Redacted.make(handshake?.token ?? ""))
    const digests = yield* Effect.forEach(known, vault.digest)
    if (handshake === null || !digests.includes(presented)) return yield* new WebhookForbidden()
    return handshake.challenge
  })
)

/** Returns the account if it has its own URL and has signed the request. */
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
 * Receives a delivery for one account with its own URL. The signature is checked over the raw bytes, and the delivery is stored before the response.
 * The sender is a system of the organization. Therefore unreadable content is refused with the reason.
 */
export const receiveAccountDelivery = useCase(
  { name: "chatWebhooks.receiveForAccount", access: "public" },
  Effect.fnUntraced(function* ({
    organizationId,
    chatAccountId,
    ...request
  }: { readonly organizationId: OrganizationId; readonly chatAccountId: ChatAccountId } & DeliveryRequest) {
    const { deliveries, provider } = yield* findEndpointSigner(chatAccountId, request).pipe(
      asMessagingSystem(organizationId)
    )
    const parts = deliveries.parts(request.body, chatAccountId)
    if (parts === null) return yield* invalid("", "Expected a type, a timestamp, and the data of that type")
    const found = parts.map(({ body }) => ({ organizationId, body }))
    yield* saveInboundDeliveries(chatSource, provider, found)
  })
)

/** Resolves the organization of each part. An organization never receives parts of another one. */
const resolvePartOwners = Effect.fnUntraced(function* (provider: string, parts: ReadonlyArray<DeliveryPart>) {
  const owners = yield* (yield* ChatNumbers).ownersOf(
    provider,
    parts.map(({ businessId, phoneId }) => ({ businessId, phoneId }))
  )
  const found = parts.map(({ body, businessId, phoneId }) => {
    const mine = owners.filter(
      // One number can belong to several business accounts, so the number alone decides where it is named.
      (owner) => (phoneId === null ? owner.businessId === businessId : owner.phoneId === phoneId)
    )
    return [...new Set(mine.map(({ organizationId }) => organizationId))].map((organizationId): AddressedDelivery => ({
      organizationId,
      body
    }))
  })
  const lost = found.filter((each) => each.length === 0).length
  if (lost > 0) {
    yield* countRejectedDeliveries(provider, "unowned", lost)
    yield* Effect.logWarning(
      `${lost} of ${parts.length} parts of a delivery belong to numbers that no organization has connected`
    )
  }
  return found.flat()
})

/** Splits a delivery of the platform app by organization. An unreadable delivery belongs to none and is counted. */
const splitDelivery = Effect.fnUntraced(function* (provider: string, parts: ReadonlyArray<DeliveryPart> | null) {
  if (parts !== null) return yield* resolvePartOwners(provider, parts)
  yield* countRejectedDeliveries(provider, "unreadable")
  yield* Effect.logWarning("A delivery has the signature of the platform app, but unknown content")
  return []
})

/** Converts the delivery to parts. One that cannot be split is stored whole, and its processing reports the reason. */
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

/** Returns the provider whose own app has signed the delivery with a secret of the organization. */
const findOwnAppSigner = Effect.fnUntraced(function* (request: DeliveryRequest) {
  const accounts = yield* (yield* ChatAccounts).ownAppSecrets()
  const now = yield* DateTime.now
  for (const [provider, { deliveries, endpoints }] of yield* ChatChannels) {
    // Each of these accounts has its own URL and secret. None can sign for another.
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
 * Receives a delivery of the provider. The signature is checked over the raw bytes, and the delivery is stored before the response. All signed
 * content is accepted, because the provider would repeat refused deliveries for days. Without an organization it belongs to the platform app, and
 * each organization receives the parts of its own numbers.
 */
export const receiveChatDelivery = useCase(
  { name: "chatWebhooks.receive", access: "public" },
  Effect.fnUntraced(function* ({
    organizationId,
    ...request
  }: { readonly organizationId: OrganizationId | null } & DeliveryRequest) {
    const { found, provider } = yield* organizationId === null
      ? receiveFromPlatformApp(request)
      : receiveFromOwnApp(organizationId, request)
    yield* saveInboundDeliveries(chatSource, provider, found)
  })
)

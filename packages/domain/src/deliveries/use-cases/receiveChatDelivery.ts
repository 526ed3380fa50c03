import { DateTime, Effect, Metric, Redacted } from "effect"
import { Base64 } from "effect/encoding"
import { ChatChannel, ChatNumbers, ChatSettings, type DeliveryPart } from "../../chat/index.ts"
import { nextId, type OrganizationId, useCase, Vault } from "../../kernel/index.ts"
import { asChat } from "../asChat.ts"
import { type ArrivedDelivery, DeliveryInbox } from "../Deliveries.ts"
import { DeliveryId } from "../Delivery.ts"
import { WebhookSignatureInvalid } from "../Errors.ts"
import { openAppSecrets } from "../openSecrets.ts"

const unowned = Metric.counter("parley_chat_deliveries_unowned", {
  description: "Parts of deliveries about numbers that no organization has connected."
})

const unreadable = Metric.counter("parley_chat_deliveries_unreadable", {
  description: "Deliveries through the platform app that are signed, but are none of the chat provider's."
})

const platformSecrets = Effect.map(ChatSettings, ({ platformApp }) => platformApp?.appSecrets ?? [])

type Addressed = Pick<ArrivedDelivery, "organizationId" | "body">

/** Whose each part is. An organization never sees the part of another one. */
const addressed = Effect.fnUntraced(function* (parts: ReadonlyArray<DeliveryPart>) {
  const owners = yield* (yield* ChatNumbers).ownersOf(parts.map(({ businessId, phoneId }) => ({ businessId, phoneId })))
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
const divided = Effect.fnUntraced(function* (parts: ReadonlyArray<DeliveryPart> | null) {
  if (parts !== null) return yield* addressed(parts)
  yield* Metric.update(unreadable, 1)
  yield* Effect.logWarning("A delivery through the platform app is signed, but is none of the chat provider's")
  return []
})

/** What cannot be taken apart is kept whole: whoever works through it says why. */
const ofOwnApp = (
  organizationId: OrganizationId,
  body: Uint8Array,
  parts: ReadonlyArray<DeliveryPart>
): ReadonlyArray<Addressed> =>
  (parts.length === 0 ? [{ body }] : parts).map((part) => ({ organizationId, body: part.body }))

const arrive = Effect.fnUntraced(function* (found: ReadonlyArray<Addressed>) {
  const vault = yield* Vault
  const receivedAt = yield* DateTime.now
  return yield* Effect.forEach(
    found,
    Effect.fnUntraced(function* ({ body, organizationId }) {
      const digest = yield* vault.digest(Redacted.make(Base64.encode(body)))
      const id = yield* nextId(DeliveryId)
      return { organizationId, id, source: "chat", digest, body, receivedAt } satisfies ArrivedDelivery
    })
  )
})

/**
 * Takes in what the provider delivers: it is checked over its raw bytes, and stored for good before this answers. Whatever is
 * signed is taken, or the provider would send it again for days. Without an
 * organization it comes through the platform app, and each organization gets what is about its own numbers.
 */
export const receiveChatDelivery = useCase(
  "deliveries.receiveChatDelivery",
  { access: "public" },
  Effect.fnUntraced(function* (organizationId: OrganizationId | null, body: Uint8Array, signature: string | undefined) {
    if (signature === undefined) return yield* new WebhookSignatureInvalid()
    const channel = yield* ChatChannel
    const secrets = yield* organizationId === null ? platformSecrets : asChat(organizationId)(openAppSecrets)
    if (!channel.isSigned(secrets, body, signature)) return yield* new WebhookSignatureInvalid()
    const parts = channel.parts(body)
    const found = organizationId === null ? yield* divided(parts) : ofOwnApp(organizationId, body, parts ?? [])
    if (found.length > 0) yield* (yield* DeliveryInbox).store(yield* arrive(found))
  })
)

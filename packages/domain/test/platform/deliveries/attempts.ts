import { nextId, transact } from "@parley/domain/kernel"
import {
  InboundDeliveryId,
  InboundDeliveryQueue,
  sharedLane,
  InboundDeliveries,
  listInboundDeliveries,
  parkInboundDelivery,
  replayInboundDelivery,
  getInboundDelivery
} from "@parley/domain/platform"
import { receiveAccountDelivery, receiveChatDelivery, verifyChatWebhook } from "@parley/domain/messaging"
import { DateTime, Effect, Redacted } from "effect"
import { createHmac } from "node:crypto"
import { asOwner, attempt, firstPage, type Prepare, reads, type World } from "../../attempting.ts"
import { givenEndpoint } from "../../messaging/chat/attempts.ts"
import { appSecret, givenChatAccount } from "../../messaging/inbox/given.ts"

const body = new TextEncoder().encode("{}")

/** Secret of the provider's signatures. */
export const signed = (bytes: Uint8Array, secret: Redacted.Redacted = appSecret) =>
  `sha256=${createHmac("sha256", Redacted.value(secret)).update(bytes).digest("hex")}`

const givenDelivery = Effect.fnUntraced(function* ({ organization }: World) {
  const id = yield* nextId(InboundDeliveryId)
  const receivedAt = yield* DateTime.now
  yield* (yield* InboundDeliveryQueue).store([
    {
      organizationId: organization.id,
      id,
      lane: sharedLane,
      source: "chat",
      provider: "whatsapp",
      digest: id,
      body,
      receivedAt
    }
  ])
  return id
})

/** An attempt at each use case of deliveries, by name. */
export const attempts: Readonly<Record<string, Prepare>> = {
  "deliveries.list": reads(() => listInboundDeliveries({ page: firstPage })),
  "deliveries.park": (world) =>
    Effect.map(givenDelivery(world), (id) =>
      attempt(parkInboundDelivery({ id, reason: "Looked odd" }), () => ({
        action: "delivery.parked",
        target: { kind: "delivery", id },
        before: { state: "waiting", reason: null },
        after: { state: "parked", reason: "Looked odd" },
        event: null
      }))
    ),
  "chatWebhooks.receive": ({ organization }) =>
    Effect.map(givenChatAccount(organization), () =>
      attempt(
        receiveChatDelivery({
          organizationId: organization.id,
          body: body,
          headers: { "x-hub-signature-256": signed(body) }
        }),
        () => null,
        appSecret
      )
    ),
  "deliveries.replay": (world) =>
    Effect.gen(function* () {
      const id = yield* givenDelivery(world)
      const park = Effect.flatMap(InboundDeliveries, (port) =>
        Effect.flatMap(DateTime.now, (now) => port.move(id, "parked", "Looked odd", now))
      )
      yield* asOwner(world, transact(park))
      return attempt(replayInboundDelivery({ id }), () => ({
        action: "delivery.replayed",
        target: { kind: "delivery", id },
        before: { state: "parked", reason: "Looked odd" },
        after: { state: "waiting", reason: null },
        event: null
      }))
    }),
  "deliveries.show": (world) => Effect.map(givenDelivery(world), (id) => attempt(getInboundDelivery({ id }))),
  "chatWebhooks.receiveForAccount": (world) =>
    Effect.gen(function* () {
      const { id, signingSecret } = yield* givenEndpoint(world)
      const secret = Redacted.make(signingSecret ?? "")
      const body = new TextEncoder().encode(JSON.stringify({ memory: [], account: id }))
      const headers = { "x-hub-signature-256": signed(body, secret) }
      return attempt(
        receiveAccountDelivery({ organizationId: world.organization.id, chatAccountId: id, body, headers }),
        () => null,
        secret
      )
    }),
  "chatWebhooks.verify": ({ organization }) =>
    Effect.map(givenChatAccount(organization), ({ id }) => {
      const token = `verify ${id}`
      const handshake = { "hub.mode": "subscribe", "hub.verify_token": token, "hub.challenge": "1158201444" }
      return attempt(
        verifyChatWebhook({ organizationId: organization.id, query: handshake }),
        () => null,
        Redacted.make(token)
      )
    })
}

import { DateTime, Effect, Queue, type Scope } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { createHmac } from "node:crypto"
import type { Timeline } from "../Timeline.ts"
import type { ApiVersion } from "./apiVersions.ts"
import type { DeliveryMisbehaviour } from "./Misbehaviour.ts"
import type { Shop, StoreDelivered, Subscription, World } from "./World.ts"

/** Signature of a delivery. */
export const deliverySignature = (secret: string, body: string): string =>
  createHmac("sha256", secret).update(body).digest("base64")

const senders = 16
const hour = 3_600_000
const mostKept = 20_000

/** The name of a topic in the headers: `ORDERS_CREATE` is `orders/create`. */
export const topicText = (topic: string): string => {
  const isLong = topic.includes("_MARKETING_CONSENT_") || /^(?:FULFILLMENT_EVENTS|BULK_OPERATIONS)_/u.test(topic)
  const cut = isLong ? topic.lastIndexOf("_") : topic.indexOf("_")
  return `${topic.slice(0, cut)}/${topic.slice(cut + 1)}`.toLowerCase()
}

const uuidOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`

/** Time of a header, in microseconds. */
const triggeredAt = (time: number) => DateTime.formatIso(DateTime.makeUnsafe(time)).replace(/Z$/u, "000Z")

interface Outgoing {
  readonly delivery: StoreDelivered
  readonly subscription: Subscription | null
  readonly shop: Shop
  readonly again: boolean
}

/** Signs and sends what shops tell, until it is answered with 2xx. */
export const makeOutbox = (
  world: World,
  timeline: Timeline,
  client: HttpClient.HttpClient,
  attempts: number,
  apiVersion: ApiVersion
): Effect.Effect<
  {
    /** Starts an action of the shop. All its deliveries have one event id. */
    readonly beginEvent: () => void
    /** Reports a topic to its subscribers. */
    readonly tell: (shop: Shop, topic: string, payload: object) => void
    /** Tells what no app subscribes to, at the address that the app names for it. */
    readonly tellCompliance: (shop: Shop, topic: string, payload: object) => void
    readonly misbehave: (rule: DeliveryMisbehaviour) => void
    readonly idle: () => boolean
  },
  never,
  Scope.Scope
> =>
  Effect.gen(function* () {
    const queue = yield* Queue.unbounded<Outgoing>()
    let rule: DeliveryMisbehaviour = {}
    let lost = 0
    let heldBack: ReadonlyArray<Outgoing> = []
    let underWay = 0
    let eventId = uuidOf(0)

    const post = ({ body, headers, url }: StoreDelivered) =>
      HttpClientRequest.post(url).pipe(
        HttpClientRequest.bodyText(body, "application/json"),
        HttpClientRequest.setHeaders(headers),
        client.execute,
        Effect.flatMap((response) => Effect.as(response.text, response.status)),
        Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
        Effect.timeout("5 seconds"),
        Effect.orElseSucceed(() => 0)
      )

    const offer = (outgoing: Outgoing) => {
      underWay += 1
      Queue.offerUnsafe(queue, outgoing)
    }

    const retryLater = (outgoing: Outgoing) => {
      const { delivery } = outgoing
      if (delivery.attempts >= attempts) return
      // Retries eight times within four hours and doubles each wait.
      timeline.after(
        (4 * hour * 2 ** (delivery.attempts - 1)) / 255,
        Effect.sync(() => offer(outgoing))
      )
    }

    const note = ({ shop, subscription }: Outgoing, isTaken: boolean) => {
      if (subscription === null) return
      subscription.failures = isTaken ? 0 : subscription.failures + 1
      if (subscription.failures < 8) return
      const place = shop.subscriptions.indexOf(subscription)
      if (place !== -1) shop.subscriptions.splice(place, 1)
    }

    const sendOne = Effect.flatMap(Queue.take(queue), (outgoing) =>
      Effect.map(post(outgoing.delivery), (status) => {
        const isTaken = status >= 200 && status < 300
        outgoing.delivery.attempts += 1
        outgoing.delivery.status = status
        if (outgoing.again) {
          note(outgoing, isTaken)
          if (!isTaken) retryLater(outgoing)
        }
        underWay -= 1
      })
    )
    yield* Effect.forEach(Array.from({ length: senders }), () => Effect.forkScoped(Effect.forever(sendOne)), {
      discard: true
    })

    const send = (outgoing: Outgoing) => {
      const { reverse } = rule
      if (reverse === undefined) return offer(outgoing)
      heldBack = [...heldBack, outgoing]
      if (heldBack.length < reverse) return
      for (const held of heldBack.toReversed()) offer(held)
      heldBack = []
    }

    const handOver = (outgoing: Outgoing) => {
      world.deliveries.push(outgoing.delivery)
      if (world.deliveries.length > mostKept) world.deliveries.splice(0, mostKept / 2)
      if (lost > 0) {
        lost -= 1
        return
      }
      const copies = 1 + (rule.duplicates ?? 0)
      for (let copy = 0; copy < copies; copy += 1) {
        const again = copy === 0
        if (rule.lateMillis === undefined) send({ ...outgoing, again })
        else
          timeline.after(
            rule.lateMillis,
            Effect.sync(() => send({ ...outgoing, again }))
          )
      }
    }

    const written = (shop: Shop, topic: string, payload: object, url: string, name: string | null): StoreDelivered => {
      const body = JSON.stringify(payload)
      const id = uuidOf(world.next())
      const secret = rule.forge === true ? `${world.app.clientSecret} no more` : world.app.clientSecret
      return {
        id,
        shop: shop.domain,
        topic,
        url,
        body,
        headers: {
          "x-shopify-topic": topic,
          "x-shopify-hmac-sha256": deliverySignature(secret, body),
          "x-shopify-shop-domain": shop.domain,
          "x-shopify-api-version": apiVersion,
          "x-shopify-webhook-id": id,
          "x-shopify-triggered-at": triggeredAt(timeline.now()),
          "x-shopify-event-id": eventId,
          ...(name !== null && { "x-shopify-name": name })
        },
        attempts: 0,
        status: null
      }
    }

    return {
      beginEvent: () => {
        eventId = uuidOf(world.next())
      },
      tell: (shop, topic, payload) => {
        for (const subscription of shop.subscriptions) {
          if (subscription.topic !== topic) continue
          const delivery = written(shop, topicText(topic), payload, subscription.uri, subscription.name)
          handOver({ delivery, subscription, shop, again: true })
        }
      },
      tellCompliance: (shop, topic, payload) => {
        if (world.complianceUrl === null) return
        const delivery = written(shop, topic, payload, world.complianceUrl, null)
        handOver({ delivery, subscription: null, shop, again: true })
      },
      misbehave: (next) => {
        rule = next
        lost = next.lose ?? 0
        if (next.reverse !== undefined) return
        for (const held of heldBack) offer(held)
        heldBack = []
      },
      idle: () => underWay === 0
    }
  })
export type Outbox = Effect.Success<ReturnType<typeof makeOutbox>>

import { Effect, Queue, Random, type Scope } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { createHmac } from "node:crypto"
import type { DeliveryMisbehaviour } from "./Misbehaviour.ts"
import type { Webhook } from "./Options.ts"
import type { Timeline } from "../Timeline.ts"
import type { SentDelivery, World } from "./World.ts"

/** Change that a webhook reports to a business account. */
export interface Change {
  readonly businessId: string
  readonly field: string
  readonly value: unknown
}

/** How a delivery is signed. */
export const signatureOf = (secret: string, body: string): string =>
  `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`

// The provider writes ASCII with escaped slashes and signs the written bytes.
const asWritten = (json: string): string =>
  json
    .replaceAll("/", String.raw`\/`)
    .replaceAll(/[^\u0020-\u007e]/gu, (character) =>
      Array.from(
        { length: character.length },
        (_, index) => String.raw`\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`
      ).join("")
    )

/** A delivery as it is written on the wire: the changes of each business account together. */
export const deliveryBody = (changes: ReadonlyArray<Change>, seconds: number): string =>
  asWritten(
    JSON.stringify({
      object: "whatsapp_business_account",
      entry: [...new Set(changes.map(({ businessId }) => businessId))].map((id) => ({
        id,
        time: seconds,
        changes: changes.filter(({ businessId }) => businessId === id).map(({ field, value }) => ({ field, value }))
      }))
    })
  )

const senders = 16
const firstRetryMillis = 500
const longestRetryMillis = 60_000

/** Signs and sends webhooks to business accounts, and retries until a response with status 200. */
export const makeOutbox = (
  world: World,
  timeline: Timeline,
  client: HttpClient.HttpClient,
  settings: { readonly webhook: Webhook | null; readonly attempts: number }
): Effect.Effect<
  {
    readonly tell: (change: Change) => void
    readonly misbehave: (rule: DeliveryMisbehaviour) => void
    readonly idle: () => boolean
    readonly setDefault: (webhook: Webhook | null) => void
    readonly webhookOf: (businessId: string) => Webhook | null
  },
  never,
  Scope.Scope
> =>
  Effect.gen(function* () {
    const queue = yield* Queue.unbounded<{ readonly delivery: SentDelivery; readonly again: boolean }>()
    let rule: DeliveryMisbehaviour = {}
    let fallback = settings.webhook
    let waiting: ReadonlyArray<Change> = []
    let underWay = 0

    const webhookOf = (businessId: string) => world.webhooks.get(businessId) ?? fallback

    const post = ({ body, signature, url }: SentDelivery) =>
      HttpClientRequest.post(url).pipe(
        HttpClientRequest.bodyText(body, "application/json"),
        HttpClientRequest.setHeader("x-hub-signature-256", signature),
        client.execute,
        Effect.flatMap((response) => Effect.as(response.text, response.status)),
        Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
        Effect.timeout("20 seconds"),
        Effect.orElseSucceed(() => 0)
      )

    const retryLater = (delivery: SentDelivery) => {
      if (delivery.attempts >= settings.attempts) return
      timeline.after(
        Math.min(longestRetryMillis, firstRetryMillis * 2 ** (delivery.attempts - 1)),
        Effect.sync(() => {
          underWay += 1
          Queue.offerUnsafe(queue, { delivery, again: true })
        })
      )
    }

    const sendOne = Effect.flatMap(Queue.take(queue), ({ again, delivery }) =>
      Effect.map(post(delivery), (status) => {
        delivery.attempts += 1
        delivery.status = status
        if (again && status !== 200) retryLater(delivery)
        underWay -= 1
      })
    )
    yield* Effect.forEach(Array.from({ length: senders }), () => Effect.forkScoped(Effect.forever(sendOne)), {
      discard: true
    })

    const hand = ({ appSecret, url }: Webhook, changes: ReadonlyArray<Change>) => {
      const body = deliveryBody(changes, Math.floor(timeline.now() / 1_000))
      const signature = signatureOf(rule.forge === true ? `${appSecret} no more` : appSecret, body)
      const delivery: SentDelivery = { id: world.next(), url, body, signature, attempts: 0, status: null }
      world.deliveries.push(delivery)
      const copies = 1 + (rule.duplicates ?? 0)
      underWay += copies
      for (let copy = 0; copy < copies; copy += 1) Queue.offerUnsafe(queue, { delivery, again: copy === 0 })
    }

    const byWebhook = (changes: ReadonlyArray<Change>) => {
      const targets = new Map<string, { readonly webhook: Webhook; readonly changes: Array<Change> }>()
      for (const change of changes) {
        const webhook = webhookOf(change.businessId)
        if (webhook === null) continue
        const key = JSON.stringify([webhook.url, webhook.appSecret])
        const target = targets.get(key) ?? { webhook, changes: [] }
        target.changes.push(change)
        targets.set(key, target)
      }
      for (const { changes, webhook } of targets.values()) hand(webhook, changes)
    }

    const flush = Effect.suspend(() => {
      const changes = waiting
      waiting = []
      return Effect.map(rule.shuffle === true ? Random.shuffle(changes) : Effect.succeed(changes), byWebhook)
    })

    return {
      tell: (change) => {
        const { batch, shuffle } = rule
        if (batch === undefined && shuffle !== true) return byWebhook([change])
        const first = waiting.length === 0
        waiting = [...waiting, change]
        if (waiting.length >= (batch?.most ?? 10)) timeline.after(0, flush)
        else if (first) timeline.after(batch?.waitMillis ?? 1_000, flush)
      },
      misbehave: (next) => {
        rule = next
      },
      idle: () => underWay === 0,
      setDefault: (webhook) => {
        fallback = webhook
      },
      webhookOf
    }
  })
export type Outbox = Effect.Success<ReturnType<typeof makeOutbox>>

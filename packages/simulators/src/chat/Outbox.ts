import { Effect, Queue, Random, type Scope } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { createHmac } from "node:crypto"
import type { DeliveryMisbehaviour } from "./Misbehaviour.ts"
import type { Webhook } from "./Options.ts"
import type { Timeline } from "../Timeline.ts"
import type { SentDelivery, World } from "./World.ts"

/** Change that a webhook reports. */
export interface Change {
  /** Id of the entry: the business account, or the partner's portfolio for partner events. */
  readonly businessId: string
  readonly field: string
  readonly value: unknown
  /** Account whose subscription counts. Default: the entry id. Null: always to the app. */
  readonly accountId?: string | null
  readonly phoneId?: string
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

/** Fields whose entries have no `time`. */
const timeless: ReadonlySet<string> = new Set([
  "messages",
  "message_echoes",
  "smb_message_echoes",
  "smb_app_state_sync",
  "history",
  "user_preferences",
  "calls",
  "messaging_handovers",
  "standby",
  "group_lifecycle_update",
  "group_participants_update",
  "group_settings_update",
  "group_status_update"
])

/** Fields that go to the address of an override. All others go to the app. */
const overridden: ReadonlySet<string> = new Set([
  "messages",
  "message_echoes",
  "calls",
  "consumer_profile",
  "messaging_handovers",
  "standby",
  "group_lifecycle_update",
  "group_participants_update",
  "group_settings_update",
  "group_status_update",
  "smb_message_echoes",
  "smb_app_state_sync",
  "history",
  "account_settings_update"
])

const entriesOf = (changes: ReadonlyArray<Change>, seconds: number) => {
  const groups = Map.groupBy(changes, ({ businessId, field }) => JSON.stringify([businessId, timeless.has(field)]))
  return [...groups.values()].map(([first, ...more]) => {
    const all = first === undefined ? more : [first, ...more]
    return {
      id: first?.businessId,
      ...(first !== undefined && timeless.has(first.field) ? {} : { time: seconds }),
      changes: all.map(({ field, value }) => ({ field, value }))
    }
  })
}

/** A delivery as it is written on the wire: the changes of each business account together. */
export const deliveryBody = (changes: ReadonlyArray<Change>, seconds: number): string =>
  asWritten(JSON.stringify({ object: "whatsapp_business_account", entry: entriesOf(changes, seconds) }))

const senders = 16
const maxUpdates = 1_000
const maxBytes = 3 * 1_048_576

const second = 1_000
const longestRetryMillis = 6 * 3_600 * second
const retriedForMillis = 7 * 24 * 3_600 * second

/** The first retry comes at once, later ones ever less often. */
const retryDelay = (attempts: number) =>
  attempts <= 1 ? 0 : Math.min(longestRetryMillis, second * 2 ** (attempts - 2))

/** Divides changes into deliveries of at most 1,000 updates and 3 MB. */
const batchesOf = (changes: ReadonlyArray<Change>): ReadonlyArray<ReadonlyArray<Change>> => {
  if (changes.length === 1) return [changes]
  const batches: Array<Array<Change>> = []
  let size = 0
  for (const change of changes) {
    const length = asWritten(JSON.stringify(change)).length + 100
    const last = batches.at(-1)
    if (last === undefined || last.length >= maxUpdates || size + length > maxBytes) {
      batches.push([change])
      size = length
    } else {
      last.push(change)
      size += length
    }
  }
  return batches
}

/** Signs and sends webhooks to business accounts, and retries until a response with status 200. */
export const makeOutbox = (
  world: World,
  timeline: Timeline,
  client: HttpClient.HttpClient,
  settings: { readonly attempts: number }
): Effect.Effect<
  {
    readonly tell: (change: Change) => void
    readonly misbehave: (rule: DeliveryMisbehaviour) => void
    readonly idle: () => boolean
  },
  never,
  Scope.Scope
> =>
  Effect.gen(function* () {
    const queue = yield* Queue.unbounded<{ readonly delivery: SentDelivery; readonly again: boolean }>()
    let rule: DeliveryMisbehaviour = {}
    let waiting: ReadonlyArray<Change> = []
    let underWay = 0

    /** Where a change goes; null if no app is subscribed to the account. */
    const webhookOf = ({ accountId, businessId, field, phoneId }: Change): Webhook | null => {
      if (accountId === null) return world.defaultWebhook
      const account = world.accounts.get(accountId ?? businessId)
      if (account?.subscription === null) return null
      const app = world.webhooks.get(accountId ?? businessId) ?? world.defaultWebhook
      const number = phoneId === undefined ? undefined : world.states.get(phoneId)
      const override = overridden.has(field) ? (number?.override ?? account?.subscription.override ?? null) : null
      if (override !== null) return { url: override.url, appSecret: app?.appSecret ?? world.app.appSecret }
      return app?.fields?.includes(field) === false ? null : app
    }

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
      const delay = retryDelay(delivery.attempts)
      const isTooOld = timeline.now() + delay - delivery.at > retriedForMillis
      if (isTooOld || delivery.attempts >= settings.attempts) return
      timeline.after(
        delay,
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
      const at = timeline.now()
      const delivery: SentDelivery = { id: world.next(), at, url, body, signature, attempts: 0, status: null }
      world.deliveries.push(delivery)
      const copies = 1 + (rule.duplicates ?? 0)
      underWay += copies
      for (let copy = 0; copy < copies; copy += 1) Queue.offerUnsafe(queue, { delivery, again: copy === 0 })
    }

    const byWebhook = (changes: ReadonlyArray<Change>) => {
      const targets = new Map<string, { readonly webhook: Webhook; readonly changes: Array<Change> }>()
      for (const change of changes) {
        const webhook = webhookOf(change)
        if (webhook === null) continue
        const key = JSON.stringify([webhook.url, webhook.appSecret])
        const target = targets.get(key) ?? { webhook, changes: [] }
        target.changes.push(change)
        targets.set(key, target)
      }
      for (const { changes, webhook } of targets.values()) {
        for (const batch of batchesOf(changes)) hand(webhook, batch)
      }
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
      idle: () => underWay === 0
    }
  })
export type Outbox = Effect.Success<ReturnType<typeof makeOutbox>>

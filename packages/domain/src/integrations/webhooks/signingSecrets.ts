import { DateTime, Effect, Redacted, Schema } from "effect"
import { Ids, originOf, defineSealedField, defineOriginSealedValue } from "../../kernel/index.ts"
import { RotatedSecret, type WebhookSubscription, type WebhookSubscriptionId } from "./WebhookSubscription.ts"
import { type StoredWebhookSubscription, type WebhookSecrets, WebhookSubscriptions } from "./WebhookSubscriptions.ts"

const secretBytes = 32

/** Receivers compare only a few signatures. A rotation beyond this number drops the oldest former secret. */
const maxFormerSecrets = 4

/** Secret in the form of Standard Webhooks: base64 with padding. */
export const newWebhookSecret = Effect.map(
  Effect.flatMap(Ids, (ids) => ids.secret(secretBytes)),
  (secret) => {
    const text = Redacted.value(secret).replaceAll("-", "+").replaceAll("_", "/")
    return Redacted.make(`whsec_${text.padEnd(Math.ceil(text.length / 4) * 4, "=")}`)
  }
)

/** Verification secret of receivers. Parley signs with it and never sends it, so it does not depend on the URL. */
const signingSecrets = defineSealedField("webhook_subscription", "secret", {
  kind: "never_sent",
  reason: "Deliveries are signed with it. Only the caller who creates or rotates it reads it, once."
})

const sentHeaders = defineOriginSealedValue("webhook_subscription", "headers")

export const webhookSealedValues = [signingSecrets, sentHeaders] as const

/** Seals a secret for this subscription only. */
export const sealSecret = (id: WebhookSubscriptionId, secret: Redacted.Redacted) => signingSecrets.seal(id, secret)

const Headers = Schema.fromJsonString(Schema.Record(Schema.String, Schema.String))

/** Fields of a subscription that its headers are bound to. */
type Receiver = Pick<WebhookSubscription, "id" | "url">

/** Seals headers for the origin of the subscription; null for none. */
export const sealHeaders = Effect.fnUntraced(function* (
  { id, url }: Receiver,
  headers: Readonly<Record<string, string>>
) {
  if (Object.keys(headers).length === 0) return null
  const text = Redacted.make(yield* Effect.orDie(Schema.encodeEffect(Headers)(headers)))
  return yield* sentHeaders.seal(id, originOf(url), text)
})

/** Headers of the subscription, opened for its origin. */
export const openHeaders = Effect.fnUntraced(function* ({ id, url }: Receiver, { headers }: WebhookSecrets) {
  if (headers === null) return {}
  const text = yield* sentHeaders.open(id, originOf(url), headers)
  return yield* Effect.orDie(Schema.decodeEffect(Headers)(Redacted.value(text)))
})

/** Returns the former secrets that still sign. */
const liveFormerSecrets = ({ former }: WebhookSecrets, now: DateTime.Utc) =>
  former.filter(({ until }) => DateTime.isGreaterThan(until, now))

/** Opens every valid secret, newest first. */
export const openLiveSecrets = Effect.fnUntraced(function* (id: WebhookSubscriptionId, secrets: WebhookSecrets) {
  const former = liveFormerSecrets(secrets, yield* DateTime.now)
  return yield* Effect.forEach([secrets.secret, ...former.map(({ sealed }) => sealed)], (sealed) =>
    signingSecrets.open(id, sealed)
  )
})

/** Replaces the secret. The former one also signs until the given time. */
const replaceSecret = (
  secrets: WebhookSecrets,
  sealed: string,
  now: DateTime.Utc,
  until: DateTime.Utc
): WebhookSecrets => ({
  ...secrets,
  secret: sealed,
  former: liveFormerSecrets({ ...secrets, former: [{ sealed: secrets.secret, until }, ...secrets.former] }, now).slice(
    0,
    maxFormerSecrets
  )
})

/** Seals all secrets again, with the newest master key and for the origin of the subscription. */
export const reencryptSubscriptionSecrets = Effect.fnUntraced(function* ({
  secrets,
  subscription
}: StoredWebhookSubscription) {
  const again = (sealed: string) =>
    Effect.flatMap(signingSecrets.open(subscription.id, sealed), (secret) => sealSecret(subscription.id, secret))
  const result: WebhookSecrets = {
    secret: yield* again(secrets.secret),
    former: yield* Effect.forEach(secrets.former, ({ sealed, until }) =>
      Effect.map(again(sealed), (renewed) => ({ sealed: renewed, until }))
    ),
    headers: yield* sealHeaders(subscription, yield* openHeaders(subscription, secrets))
  }
  return result
})

/** Renews the secret. The former one also signs for this number of seconds. */
export const renewSecret = Effect.fnUntraced(function* (
  { secrets, subscription: { id } }: StoredWebhookSubscription,
  overlapSeconds: number
) {
  const secret = yield* newWebhookSecret
  const now = yield* DateTime.now
  const previousSecretExpiresAt = DateTime.add(now, { seconds: overlapSeconds })
  const sealed = yield* sealSecret(id, secret)
  const renewed = replaceSecret(secrets, sealed, now, previousSecretExpiresAt)
  yield* (yield* WebhookSubscriptions).keep(id, { secrets: renewed })
  return new RotatedSecret({ secret, previousSecretExpiresAt })
})

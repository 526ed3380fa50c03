import { DateTime, Effect, Redacted, Schema } from "effect"
import { CurrentOrganization, Ids, Vault } from "../kernel/index.ts"
import type { WebhookSubscriptionId } from "./Ids.ts"
import { RotatedSecret } from "./WebhookSubscription.ts"
import { type KeptSubscription, type WebhookSecrets, WebhookSubscriptions } from "./WebhookSubscriptions.ts"

const secretBytes = 32

/** Receivers compare with a handful of signatures; a secret is not replaced more often while all of them are good. */
const mostFormer = 4

/** A secret as Standard Webhooks writes them: base64, filled up to whole groups of four. */
export const newWebhookSecret = Effect.map(
  Effect.flatMap(Ids, (ids) => ids.secret(secretBytes)),
  (secret) => {
    const text = Redacted.value(secret).replaceAll("-", "+").replaceAll("_", "/")
    return Redacted.make(`whsec_${text.padEnd(Math.ceil(text.length / 4) * 4, "=")}`)
  }
)

const contextOf = Effect.fnUntraced(function* (id: WebhookSubscriptionId, name: "secret" | "headers") {
  return `webhook_subscription/${(yield* CurrentOrganization).id}/${id}/${name}`
})

const seal = Effect.fnUntraced(function* (
  id: WebhookSubscriptionId,
  name: "secret" | "headers",
  secret: Redacted.Redacted
) {
  return yield* (yield* Vault).seal(yield* contextOf(id, name), secret)
})

const open = Effect.fnUntraced(function* (id: WebhookSubscriptionId, name: "secret" | "headers", sealed: string) {
  return yield* (yield* Vault).open(yield* contextOf(id, name), sealed)
})

/** Seals a secret, so that it opens for this subscription only. */
export const sealSecret = (id: WebhookSubscriptionId, secret: Redacted.Redacted) => seal(id, "secret", secret)

const Headers = Schema.fromJsonString(Schema.Record(Schema.String, Schema.String))

/** Seals the headers that are sent besides; `null` for none. */
export const sealHeaders = Effect.fnUntraced(function* (
  id: WebhookSubscriptionId,
  headers: Readonly<Record<string, string>>
) {
  if (Object.keys(headers).length === 0) return null
  return yield* seal(id, "headers", Redacted.make(yield* Effect.orDie(Schema.encodeEffect(Headers)(headers))))
})

/** The headers that are sent besides, opened. */
export const openHeaders = Effect.fnUntraced(function* (id: WebhookSubscriptionId, { headers }: WebhookSecrets) {
  if (headers === null) return {}
  return yield* Effect.orDie(Schema.decodeEffect(Headers)(Redacted.value(yield* open(id, "headers", headers))))
})

/** Those of the former secrets that still sign. */
const liveFormer = ({ former }: WebhookSecrets, now: DateTime.Utc) =>
  former.filter(({ until }) => DateTime.isGreaterThan(until, now))

/** Every secret that signs now, opened: the newest first. */
export const openLiveSecrets = Effect.fnUntraced(function* (id: WebhookSubscriptionId, secrets: WebhookSecrets) {
  const former = liveFormer(secrets, yield* DateTime.now)
  return yield* Effect.forEach([secrets.secret, ...former.map(({ sealed }) => sealed)], (sealed) =>
    open(id, "secret", sealed)
  )
})

/** Puts a new secret in the place of the one there is, which signs as well until then. */
export const replaceSecret = (
  secrets: WebhookSecrets,
  sealed: string,
  now: DateTime.Utc,
  until: DateTime.Utc
): WebhookSecrets => ({
  ...secrets,
  secret: sealed,
  former: liveFormer({ ...secrets, former: [{ sealed: secrets.secret, until }, ...secrets.former] }, now).slice(
    0,
    mostFormer
  )
})

/** Seals all of it anew, by the newest master key. */
export const resealed = Effect.fnUntraced(function* (id: WebhookSubscriptionId, secrets: WebhookSecrets) {
  const again = Effect.fnUntraced(function* (name: "secret" | "headers", sealed: string) {
    return yield* seal(id, name, yield* open(id, name, sealed))
  })
  const result: WebhookSecrets = {
    secret: yield* again("secret", secrets.secret),
    former: yield* Effect.forEach(secrets.former, ({ sealed, until }) =>
      Effect.map(again("secret", sealed), (renewed) => ({ sealed: renewed, until }))
    ),
    headers: secrets.headers === null ? null : yield* again("headers", secrets.headers)
  }
  return result
})

/** Has a new secret sign, and the one before it as well for so many seconds. */
export const renewSecret = Effect.fnUntraced(function* (
  { secrets, subscription: { id } }: KeptSubscription,
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

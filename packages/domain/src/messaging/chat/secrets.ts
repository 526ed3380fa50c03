import { Context, DateTime, Duration, Effect, Layer, Redacted } from "effect"
import { Ids, defineSealedField, Vault } from "../../kernel/index.ts"
import type { ChatAccountId } from "./ChatAccount.ts"
import { type AccountSecrets, ChatAccounts, type ChatSecrets } from "./ChatAccounts.ts"

const accessTokens = defineSealedField("chat_account", "access_token", {
  kind: "configuration",
  reason:
    "A provider's token goes to the API of the provider, which only the configuration names. An account with its own URL has a signing secret here. Parley never sends it."
})

const appSecrets = defineSealedField("chat_account", "app_secret", {
  kind: "never_sent",
  reason: "It verifies deliveries, and signs messages to an account with its own URL."
})

const verifyTokens = defineSealedField("chat_account", "verify_token", {
  kind: "never_sent",
  reason: "The provider sends it to Parley, which compares it."
})

const registrationPins = defineSealedField("chat_account", "registration_pin", {
  kind: "configuration",
  reason: "Parley sends the PIN of a number to the API of the provider when it registers the number."
})

export const chatSealedValues = [accessTokens, appSecrets, verifyTokens, registrationPins] as const

const secretsByName = {
  access_token: accessTokens,
  app_secret: appSecrets,
  verify_token: verifyTokens,
  registration_pin: registrationPins
}

/** The secrets of a chat account, by their storage names. */
export type ChatSecretName = keyof typeof secretsByName

/** Returns the sealing context of a chat account's secret. */
export const secretContext = (id: ChatAccountId, name: ChatSecretName) => secretsByName[name].context(id)

export const sealSecret = (id: ChatAccountId, name: ChatSecretName, secret: Redacted.Redacted) =>
  secretsByName[name].seal(id, secret)

export const openSecret = (id: ChatAccountId, name: ChatSecretName, sealed: string) =>
  secretsByName[name].open(id, sealed)

const cacheLifetime = Duration.toMillis("30 seconds")
const maxCached = 2_000

/** Cache of recently opened secrets by their sealed form, because a provider can send thousands of deliveries per second. */
export class OpenedSecretCache extends Context.Service<
  OpenedSecretCache,
  { readonly open: (context: string, sealed: string) => Effect.Effect<Redacted.Redacted> }
>()("@parley/domain/messaging/chat/OpenedSecretCache") {
  /** Caches secrets for half a minute in this process. */
  static readonly layer = Layer.effect(
    OpenedSecretCache,
    Effect.gen(function* () {
      const vault = yield* Vault
      const opened = new Map<string, { readonly secret: Redacted.Redacted; readonly until: number }>()
      return OpenedSecretCache.of({
        open: Effect.fnUntraced(function* (context, sealed) {
          const key = `${context} ${sealed}`
          const now = DateTime.toEpochMillis(yield* DateTime.now)
          const kept = opened.get(key)
          if (kept !== undefined && kept.until > now && kept.until <= now + cacheLifetime) return kept.secret
          const secret = yield* vault.open(context, sealed)
          if (opened.size >= maxCached) opened.clear()
          opened.set(key, { secret, until: now + cacheLifetime })
          return secret
        })
      })
    })
  )
}

/** Time in which the former secret still verifies deliveries. */
export const formerSecretLifetime = { days: 1 }

/** A multiple of three bytes, which base64 encodes without padding. */
const secretBytes = 24

/** New secret in the format of Standard Webhooks. */
const newSecret = Effect.map(
  Effect.flatMap(Ids, (ids) => ids.secret(secretBytes)),
  (secret) => Redacted.make(`whsec_${Redacted.value(secret).replaceAll("-", "+").replaceAll("_", "/")}`)
)

/** Creates the secret of a URL account, with its sealed form. Parley and the other system both sign with it. */
export const createEndpointSecrets = Effect.fnUntraced(function* (
  id: ChatAccountId,
  formerAppSecret: ChatSecrets["formerAppSecret"]
) {
  const secret = yield* newSecret
  const secrets: ChatSecrets = {
    accessToken: yield* sealSecret(id, "access_token", secret),
    appSecret: yield* sealSecret(id, "app_secret", secret),
    formerAppSecret,
    verifyToken: null,
    pin: null,
    pendingPin: null
  }
  return { secret, secrets }
})

/** Opens the secrets that can sign deliveries to these accounts: current ones, and former ones that are still valid. */
export const loadSigningSecrets = Effect.fnUntraced(function* (accounts: ReadonlyArray<AccountSecrets>) {
  const now = yield* DateTime.now
  const { open } = yield* OpenedSecretCache
  const secrets = yield* Effect.forEach(
    accounts,
    Effect.fnUntraced(function* ({ appSecret, formerAppSecret, id }) {
      const isFormerGood = formerAppSecret !== null && DateTime.isGreaterThan(formerAppSecret.until, now)
      const sealed = [...(appSecret === null ? [] : [appSecret]), ...(isFormerGood ? [formerAppSecret.sealed] : [])]
      const context = yield* secretContext(id, "app_secret")
      return yield* Effect.forEach(sealed, (each) => open(context, each))
    })
  )
  return secrets.flat()
})

/** Opens the verify tokens that the provider can use to verify the webhook of the organization's own apps. */
export const openVerifyTokens = Effect.gen(function* () {
  const { open } = yield* OpenedSecretCache
  const accounts = yield* (yield* ChatAccounts).ownAppSecrets()
  const tokens = yield* Effect.forEach(
    accounts,
    Effect.fnUntraced(function* ({ id, verifyToken }) {
      return verifyToken === null ? [] : [yield* open(yield* secretContext(id, "verify_token"), verifyToken)]
    })
  )
  return tokens.flat()
})

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

export const chatSealedValues = [accessTokens, appSecrets, verifyTokens] as const

const secretsByName = { access_token: accessTokens, app_secret: appSecrets, verify_token: verifyTokens }

/** The secrets of a chat account, by their storage names. */
export type ChatSecretName = keyof typeof secretsByName

/** The context that a secret of a chat account is sealed for. */
export const secretContext = (id: ChatAccountId, name: ChatSecretName) => secretsByName[name].context(id)

/** Seals a secret for one chat account. */
export const sealSecret = (id: ChatAccountId, name: ChatSecretName, secret: Redacted.Redacted) =>
  secretsByName[name].seal(id, secret)

/** Opens a secret of a chat account. */
export const openSecret = (id: ChatAccountId, name: ChatSecretName, sealed: string) =>
  secretsByName[name].open(id, sealed)

const cacheLifetime = Duration.toMillis("30 seconds")
const maxCached = 2_000

/** Secrets that were opened a moment ago, by what they were sealed as: a provider sends thousands of deliveries a second. */
export class OpenedSecretCache extends Context.Service<
  OpenedSecretCache,
  { readonly open: (context: string, sealed: string) => Effect.Effect<Redacted.Redacted> }
>()("@parley/domain/messaging/chat/OpenedSecretCache") {
  /** Remembers them for half a minute, on this process. */
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

/** For how long deliveries may still be signed with the secret before this one. */
export const formerSecretLifetime = { days: 1 }

/** A whole number of characters of base64, so that there is nothing to fill up. */
const secretBytes = 24

/** A secret as Standard Webhooks writes them. */
const newSecret = Effect.map(
  Effect.flatMap(Ids, (ids) => ids.secret(secretBytes)),
  (secret) => Redacted.make(`whsec_${Redacted.value(secret).replaceAll("-", "+").replaceAll("_", "/")}`)
)

/** A new secret for an account that is an address of its own, and how it is kept: we sign with it, and the other side does. */
export const createEndpointSecrets = Effect.fnUntraced(function* (
  id: ChatAccountId,
  formerAppSecret: ChatSecrets["formerAppSecret"]
) {
  const secret = yield* newSecret
  const secrets: ChatSecrets = {
    accessToken: yield* sealSecret(id, "access_token", secret),
    appSecret: yield* sealSecret(id, "app_secret", secret),
    formerAppSecret,
    verifyToken: null
  }
  return { secret, secrets }
})

/** The secrets that deliveries to these accounts may be signed with: those of now, and former ones that are still good. */
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

/** What the provider may prove itself with when it verifies the webhook of the organization's own apps. */
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

import {
  readShopDomain,
  type StoreAuthorizer,
  type StoreCallback,
  type StoreGrant,
  StoreRefused,
  type StoreRemedy,
  StoreUnreachable
} from "@parley/domain/commerce"
import { DateTime, Effect, Redacted } from "effect"
import { createHmac } from "node:crypto"
import { numberAt, textAt } from "../../json.ts"
import type { ShopCalls } from "./ShopCalls.ts"
import { denialParameter } from "./assumptions.ts"
import { isSignedBy, rootOf, type ShopifySettings, signingSecrets } from "./settings.ts"

const signature = /^[0-9a-f]{64}$/u
const moment = /^\d{1,11}$/u

/** Reads the callback of an authorization if the provider has signed it: all parameters except the signature, by name. */
const callbackIn =
  (settings: ShopifySettings): StoreAuthorizer["readCallback"] =>
  (query) => {
    const { hmac = "", state = "", timestamp = "", code } = query
    if (!signature.test(hmac)) return null
    const signed = Object.keys(query)
      .filter((name) => name !== "hmac" && name !== "signature")
      .toSorted((left, right) => (left < right ? -1 : 1))
      .flatMap((name) => {
        const value = query[name]
        return value === undefined ? [] : [[name, value]]
      })
    const message = new URLSearchParams(signed).toString().replaceAll("+", "%20")
    const isSigned = isSignedBy(signingSecrets(settings), Buffer.from(hmac, "hex"), (secret) =>
      createHmac("sha256", secret).update(message).digest()
    )
    const shopDomain = readShopDomain(query["shop"] ?? "")
    if (!isSigned || shopDomain === null || state === "" || !moment.test(timestamp)) return null
    const isDenied = query[denialParameter] !== undefined || code === undefined || code === ""
    return {
      shopDomain,
      state,
      at: DateTime.makeUnsafe(Number(timestamp) * 1_000),
      code: isDenied ? null : Redacted.make(code)
    } satisfies StoreCallback
  }

/** A write scope includes the read scope. */
const impliedBy = (scope: string) => (scope.startsWith("write_") ? [scope, scope.replace("write_", "read_")] : [scope])

const inSeconds = (now: DateTime.Utc, seconds: number | null) =>
  seconds === null ? null : DateTime.add(now, { seconds })

const grantIn = (body: unknown, now: DateTime.Utc): StoreGrant | null => {
  const accessToken = textAt(body, "access_token")
  if (accessToken === null) return null
  const refreshToken = textAt(body, "refresh_token")
  const scopes = (textAt(body, "scope") ?? "").split(",").map((scope) => scope.trim())
  return {
    accessToken: Redacted.make(accessToken),
    expiresAt: inSeconds(now, numberAt(body, "expires_in")),
    refreshToken: refreshToken === null ? null : Redacted.make(refreshToken),
    refreshExpiresAt: inSeconds(now, numberAt(body, "refresh_token_expires_in")),
    scopes: [...new Set(scopes.filter((scope) => scope !== "").flatMap(impliedBy))]
  }
}

/** The authorization has ended. The provider reports it by its own code, with any status. */
const ended: ReadonlySet<string> = new Set(["invalid_grant"])

const instead = ({ code, reason, retryAfterMillis }: StoreRefused, remedy: StoreRemedy) =>
  new StoreRefused({ remedy, code, reason, retryAfterMillis })

/** Authorization page of a shop, and its tokens. */
export const makeOauth = (calls: ShopCalls["Service"]): Omit<StoreAuthorizer, "uninstall"> => {
  const { settings } = calls
  const { app } = settings

  const granted = Effect.fnUntraced(function* (shopDomain: string, own: object, secret: Redacted.Redacted) {
    const now = yield* DateTime.now
    const body = { client_id: app.clientId, client_secret: Redacted.value(app.clientSecret), ...own }
    const answer = yield* calls.grant(shopDomain, body, [app.clientSecret, secret])
    return grantIn(answer.body, now) ?? (yield* new StoreUnreachable())
  })

  return {
    scopes: settings.scopes,
    authorizeUrl: (shopDomain, state, redirectUri) => {
      const query = new URLSearchParams({
        client_id: app.clientId,
        scope: [...settings.scopes, ...settings.furtherScopes].join(","),
        redirect_uri: redirectUri,
        state: Redacted.value(state),
        // Without an option, the token is offline: it does not end with the session of a user.
        "grant_options[]": ""
      })
      return `${rootOf(settings, shopDomain)}/admin/oauth/authorize?${query.toString()}`
    },
    readCallback: callbackIn(settings),
    exchange: (shopDomain, code) =>
      granted(shopDomain, { code: Redacted.value(code), expiring: "1" }, code).pipe(
        // The code was wrong, so a new authorization is not necessary.
        Effect.catchTag("StoreRefused", (error) =>
          Effect.fail(error.remedy === "reauthorize" ? instead(error, "give_up") : error)
        )
      ),
    refresh: (shopDomain, refreshToken) =>
      granted(
        shopDomain,
        { grant_type: "refresh_token", refresh_token: Redacted.value(refreshToken) },
        refreshToken
      ).pipe(
        Effect.catchTag("StoreRefused", (error) =>
          // Other refusals can be caused by the app itself, so no access has ended.
          Effect.fail(
            ended.has(error.code)
              ? instead(error, "reauthorize")
              : error.remedy === "reauthorize"
                ? instead(error, "retry")
                : error
          )
        )
      )
  }
}

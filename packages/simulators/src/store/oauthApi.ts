import { Effect, Schema } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { createHmac } from "node:crypto"
import { reset, truncated } from "../connections.ts"
import type { Timeline } from "../Timeline.ts"
import type { Script } from "./Misbehaviour.ts"
import type { Shop, World } from "./World.ts"

type Request = HttpServerRequest.HttpServerRequest

const minute = 60_000
const tokenLife = 60 * minute
const refreshLife = 90 * 24 * 60 * minute
/** Time that a former refresh token stays valid in case its response was lost. */
const retryLife = 30 * 24 * 60 * minute

/** Signature of the callback of an authorization: all parameters except the signature, by name. */
export const callbackSignature = (secret: string, parameters: Readonly<Record<string, string>>): string => {
  const message = new URLSearchParams(
    Object.entries(parameters)
      .filter(([name]) => name !== "hmac" && name !== "signature")
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
  )
  return createHmac("sha256", secret).update(message.toString().replaceAll("+", "%20")).digest("hex")
}

const Grant = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))
const decodeGrant = Schema.decodeUnknownOption(Grant)

const json = (body: object, status = 200) => HttpServerResponse.jsonUnsafe(body, { status })
const refused = (error: string, description: string, status = 400) =>
  json({ error, error_description: description }, status)

const escaped = (text: string) => text.replaceAll(/[&<>"']/gu, (character) => `&#${String(character.codePointAt(0))};`)

/** Authorization request that a shop owner accepts or denies. */
export interface Asked {
  readonly shop: Shop
  readonly scopes: ReadonlyArray<string>
  readonly redirectUri: string
  readonly state: string
}

/** Simulates the authorization page of a shop and the token endpoint of the app. */
export const makeOauthApi = (world: World, timeline: Timeline, script: Script) => {
  const { app } = world

  const askedIn = (shop: Shop, query: URLSearchParams): Asked | string => {
    const redirectUri = query.get("redirect_uri") ?? ""
    const scopes = (query.get("scope") ?? "").split(",").filter((scope) => scope !== "")
    if (query.get("client_id") !== app.clientId) return "There is no such app."
    if (!URL.canParse(redirectUri)) return "The redirect_uri is not whitelisted."
    if (query.get("grant_options[]") === "per-user") return "The simulator only grants offline tokens."
    return { shop, scopes, redirectUri, state: query.get("state") ?? "" }
  }

  const callback = ({ redirectUri, shop, state }: Asked, more: Readonly<Record<string, string>>): string => {
    const parameters = {
      ...more,
      host: Buffer.from(`admin.shopify.com/store/${shop.domain.replace(/\..*$/u, "")}`).toString("base64url"),
      shop: shop.domain,
      state,
      timestamp: String(Math.floor(timeline.now() / 1_000))
    }
    const address = new URL(redirectUri)
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
    address.searchParams.set("hmac", callbackSignature(app.clientSecret, parameters))
    return address.href
  }

  /** Returns the redirect URL after acceptance. */
  const agree = (asked: Asked): string => {
    const code = `code-${world.next()}`
    world.codes.set(code, { shop: asked.shop, scopes: asked.scopes, redirectUri: asked.redirectUri })
    return callback(asked, { code })
  }

  /** Returns the redirect URL after denial. */
  const deny = (asked: Asked): string => callback(asked, { error: "access_denied" })

  const page = (shop: Shop, query: URLSearchParams) => {
    const asked = askedIn(shop, query)
    if (typeof asked === "string") return HttpServerResponse.text(asked, { status: 400 })
    const decision = query.get("decision")
    if (decision !== null) return HttpServerResponse.redirect(decision === "agree" ? agree(asked) : deny(asked))
    const link = (choice: string, words: string) => {
      const next = new URLSearchParams([...query, ["decision", choice]])
      return `<a href="?${escaped(next.toString())}">${words}</a>`
    }
    const scopes = asked.scopes.map((scope) => `<li>${escaped(scope)}</li>`).join("")
    return HttpServerResponse.html(
      `<!doctype html><meta charset="utf-8"><title>Install app</title><h1>${escaped(shop.name)}</h1><p>The app asks for:</p><ul>${scopes}</ul><p>${link("agree", "Install")} ${link("deny", "Cancel")}</p>`
    )
  }

  const secretsOf = (expiring: boolean) => {
    const now = timeline.now()
    return {
      accessToken: `shpat_${String(world.next()).padStart(32, "0")}`,
      expiresAt: expiring ? now + tokenLife : null,
      refreshToken: expiring ? `shprt_${String(world.next()).padStart(32, "0")}` : null,
      refreshExpiresAt: expiring ? now + refreshLife : null
    }
  }

  const granted = ({ installation }: Shop) => {
    if (installation === null) return refused("invalid_grant", "The app is not installed.")
    const { accessToken, expiresAt, refreshToken, scopes } = installation
    return json({
      access_token: accessToken,
      scope: scopes.join(","),
      ...(expiresAt === null || refreshToken === null
        ? {}
        : { expires_in: tokenLife / 1_000, refresh_token: refreshToken, refresh_token_expires_in: refreshLife / 1_000 })
    })
  }

  const exchange = (shop: Shop, code: unknown, expiring: boolean) => {
    const agreed = typeof code === "string" ? world.codes.get(code) : undefined
    if (typeof code !== "string" || agreed?.shop !== shop) {
      return refused("invalid_request", "The authorization code was not found or was already used")
    }
    world.codes.delete(code)
    shop.installation = { scopes: agreed.scopes, formerRefresh: null, ...secretsOf(expiring) }
    return granted(shop)
  }

  const refresh = (shop: Shop, token: unknown) => {
    const { installation } = shop
    const ended = refused("invalid_grant", "The refresh token is invalid or has expired.")
    const now = timeline.now()
    if (installation?.refreshToken == null || typeof token !== "string") return ended
    const { formerRefresh, refreshExpiresAt, refreshToken } = installation
    const isNow = token === refreshToken && now < (refreshExpiresAt ?? 0)
    const isAgain = token === formerRefresh?.token && now - formerRefresh.firstUsedAt <= retryLife
    if (!isNow && !isAgain) return ended
    const former = isNow ? { token, firstUsedAt: now } : formerRefresh
    shop.installation = { scopes: installation.scopes, formerRefresh: former, ...secretsOf(true) }
    return granted(shop)
  }

  const given = (shop: Shop, grant: Readonly<Record<string, unknown>>) => {
    if (grant["client_id"] !== app.clientId || grant["client_secret"] !== app.clientSecret) {
      return refused("application_cannot_be_found", "The client credentials are wrong.")
    }
    return grant["grant_type"] === "refresh_token"
      ? refresh(shop, grant["refresh_token"])
      : exchange(shop, grant["code"], String(grant["expiring"] ?? "0") === "1")
  }

  /** Answers a call for tokens. */
  const token = Effect.fnUntraced(function* (request: Request, shop: Shop) {
    const text = yield* Effect.orDie(request.text)
    const decoded = decodeGrant(text)
    const grant: Readonly<Record<string, unknown>> =
      decoded._tag === "Some" ? decoded.value : Object.fromEntries(new URLSearchParams(text))
    const name = grant["grant_type"] === "refresh_token" ? "refresh_token" : "authorization_code"
    const oddity = script.take("token", shop.domain, [name])
    const note = (status: number) =>
      world.calls.push({
        at: timeline.now(),
        shop: shop.domain,
        kind: "token",
        names: [name],
        status,
        throttled: false,
        cost: 0
      })
    if (oddity?.kind === "status") {
      note(oddity.status)
      return HttpServerResponse.text(oddity.body ?? "This was asked for.", {
        status: oddity.status,
        headers: oddity.headers ?? {}
      })
    }
    if ((oddity?.kind === "reset" || oddity?.kind === "hang") && oddity.done === false) {
      return yield* oddity.kind === "reset" ? reset(request) : Effect.never
    }
    const answer = given(shop, grant)
    note(answer.status)
    if (oddity?.kind === "reset") return yield* reset(request)
    if (oddity?.kind === "hang") return yield* Effect.never
    if (oddity?.kind === "truncate") return yield* truncated(request, '{"access_token":"shpat_')
    return oddity?.kind === "latency" ? yield* Effect.delay(Effect.succeed(answer), oddity.millis) : answer
  })

  return { page, token, askedIn, agree, deny }
}
export type OauthApi = ReturnType<typeof makeOauthApi>

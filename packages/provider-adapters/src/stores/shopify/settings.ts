import type { StoreWebhooks } from "@parley/domain/commerce"
import { Duration, Redacted } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"
import type { Lookup } from "../../outbound/publicClient.ts"
import { type ApiVersion, defaultApiVersion } from "./assumptions.ts"

/** The app of the operator at the provider. */
export interface ShopifyApp {
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  /** The former secret, valid for deliveries that it still signs. */
  readonly formerSecret?: Redacted.Redacted | null
}

/** Settings of the adapter. */
export interface ShopifyOptions {
  readonly app: ShopifyApp
  /** Optional scopes: `read_all_orders`, `read_customer_merge`, `read_fulfillments`. */
  readonly furtherScopes?: ReadonlyArray<string>
  /** Version of the provider's API. Default: 2026-10. */
  readonly apiVersion?: ApiVersion
  /** Base URL of all shops, for the simulator. By default, each shop is at its own domain. */
  readonly baseUrl?: string | null
  /** Time limit of a call. Default: 30 seconds. */
  readonly timeout?: Duration.Input
  /** Maximum wait of a call before its start. Default: 20 seconds. */
  readonly patience?: Duration.Input
  /** Resolves the addresses of a host. Default: the resolver of the system. */
  readonly lookup?: Lookup
}

/** The options with their defaults. */
export interface ShopifySettings {
  readonly app: ShopifyApp
  readonly scopes: ReadonlyArray<string>
  readonly furtherScopes: ReadonlyArray<string>
  readonly apiVersion: ApiVersion
  readonly baseUrl: string | null
  readonly timeout: Duration.Duration
  readonly patience: Duration.Duration
}

/** Scopes that a shop must grant. */
const scopes: ReadonlyArray<string> = ["read_customers", "read_orders", "read_products"]

export const settingsOf = (options: ShopifyOptions): ShopifySettings => ({
  app: options.app,
  scopes,
  furtherScopes: options.furtherScopes ?? [],
  apiVersion: options.apiVersion ?? defaultApiVersion,
  baseUrl: options.baseUrl?.replace(/\/+$/u, "") ?? null,
  timeout: Duration.fromInputUnsafe(options.timeout ?? "30 seconds"),
  patience: Duration.fromInputUnsafe(options.patience ?? "20 seconds")
})

/** URL of a shop. */
export const rootOf = ({ baseUrl }: ShopifySettings, shopDomain: string): string =>
  baseUrl === null ? `https://${shopDomain}` : `${baseUrl}/${shopDomain}`

/** The secrets that something may be signed with, the newest first. */
export const signingSecrets = ({ app }: ShopifySettings): ReadonlyArray<Redacted.Redacted> =>
  app.formerSecret == null ? [app.clientSecret] : [app.clientSecret, app.formerSecret]

/** Whether one of the secrets gives this value. Every secret is tried, because the time must reveal nothing. */
export const isSignedBy = (
  secrets: ReadonlyArray<Redacted.Redacted>,
  claimed: Uint8Array,
  sign: (secret: string) => Uint8Array
): boolean =>
  secrets
    .map((secret) => {
      const signed = sign(Redacted.value(secret))
      return signed.length === claimed.length && timingSafeEqual(signed, claimed)
    })
    .includes(true)

const form = /^[A-Za-z0-9+/]{43}=$/u

/** Whether a delivery is signed, over its raw bytes. */
export const deliveryIsSigned =
  (settings: ShopifySettings): StoreWebhooks["isSigned"] =>
  ({ body, headers }) => {
    const text = headers["x-shopify-hmac-sha256"] ?? ""
    if (!form.test(text)) return false
    return isSignedBy(signingSecrets(settings), Buffer.from(text, "base64"), (secret) =>
      createHmac("sha256", secret).update(body).digest()
    )
  }

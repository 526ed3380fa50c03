import type { StoreWebhooks } from "@parley/domain"
import { Duration, Redacted } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"
import type { Lookup } from "../../outbound/publicClient.ts"

/** The app of the operator at the provider. */
export interface ShopifyApp {
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  /** The secret before, while what it has signed still comes. */
  readonly formerSecret?: Redacted.Redacted | null
}

/** Settings of the adapter. */
export interface ShopifyOptions {
  readonly app: ShopifyApp
  /** Optional scopes: `read_all_orders`, `read_customer_merge`, `read_fulfillments`. */
  readonly furtherScopes?: ReadonlyArray<string>
  /** Where shops are found below their domains, for the simulator; otherwise each is at its own. */
  readonly baseUrl?: string | null
  /** How long a call may take: 30 seconds unless it is said. */
  readonly timeout?: Duration.Input
  /** How long a call waits at most until it may be made: 20 seconds unless it is said. */
  readonly patience?: Duration.Input
  /** Says which addresses a host has: the system, unless it is said. */
  readonly lookup?: Lookup
}

/** The options with their defaults. */
export interface ShopifySettings {
  readonly app: ShopifyApp
  readonly scopes: ReadonlyArray<string>
  readonly furtherScopes: ReadonlyArray<string>
  readonly baseUrl: string | null
  readonly timeout: Duration.Duration
  readonly patience: Duration.Duration
}

/** What a shop has to agree to. */
const scopes: ReadonlyArray<string> = ["read_customers", "read_orders", "read_products"]

export const settingsOf = (options: ShopifyOptions): ShopifySettings => ({
  app: options.app,
  scopes,
  furtherScopes: options.furtherScopes ?? [],
  baseUrl: options.baseUrl?.replace(/\/+$/u, "") ?? null,
  timeout: Duration.fromInputUnsafe(options.timeout ?? "30 seconds"),
  patience: Duration.fromInputUnsafe(options.patience ?? "20 seconds")
})

/** Where a shop is called. */
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

import type { StoreWebhooks } from "@parley/domain"
import { Redacted } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"
import { type ShopifySettings, signingSecrets } from "./settings.ts"

/** Whether one of the secrets gives what is claimed. Every secret is tried, so that the time tells nothing. */
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

import type { DeliveryReading } from "@parley/domain"
import { Redacted } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"

const form = /^sha256=([0-9a-f]{64})$/u

/** Whether one of the secrets has signed these bytes. Every secret is tried, so that the time tells nothing. */
export const isSigned: DeliveryReading["isSigned"] = (secrets, { body, headers }) => {
  const [, hex] = form.exec(headers["x-hub-signature-256"] ?? "") ?? []
  if (hex === undefined) return false
  const claimed = Buffer.from(hex, "hex")
  return secrets
    .map((secret) => timingSafeEqual(createHmac("sha256", Redacted.value(secret)).update(body).digest(), claimed))
    .includes(true)
}

import { Redacted } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"

const form = /^sha256=([0-9a-f]{64})$/u

/** Whether one of the secrets has signed these bytes. Every secret is tried, so that the time tells nothing. */
export const isSigned = (
  secrets: ReadonlyArray<Redacted.Redacted>,
  body: Uint8Array,
  signature: string | undefined
): boolean => {
  const [, hex] = form.exec(signature ?? "") ?? []
  if (hex === undefined) return false
  const claimed = Buffer.from(hex, "hex")
  return secrets
    .map((secret) => timingSafeEqual(createHmac("sha256", Redacted.value(secret)).update(body).digest(), claimed))
    .includes(true)
}

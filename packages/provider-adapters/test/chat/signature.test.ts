import { assert, describe, it } from "@effect/vitest"
import { DateTime, Redacted, Schema } from "effect"
import { createHmac } from "node:crypto"
import { isSigned } from "../../src/chat/whatsapp/WhatsApp.ts"

const secret = Redacted.make("app secret")
const signed = (body: Uint8Array, key = "app secret") =>
  `sha256=${createHmac("sha256", key).update(body).digest("hex")}`

const request = (body: Uint8Array, signature: string) => ({ body, headers: { "x-hub-signature-256": signature } })

const now = DateTime.makeUnsafe(0)

const Position = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))

describe("A signature", () => {
  it.prop(
    "holds for the signed bytes and for no change of one bit",
    { text: Schema.NonEmptyString, at: Position },
    ({ at, text }) => {
      const body = Buffer.from(text)
      const signature = signed(body)
      assert.isTrue(isSigned([secret], request(body, signature), now))
      assert.isTrue(isSigned([Redacted.make("new"), secret], request(body, signature), now))
      const bit = at % (body.length * 8)
      const flipped = Uint8Array.from(body)
      flipped[bit >>> 3] = (flipped[bit >>> 3] ?? 0) ^ (1 << (bit & 7))
      assert.isFalse(isSigned([secret], request(flipped, signature), now))
      const hex = Buffer.from(signature)
      const place = at % (hex.length * 8)
      hex[place >>> 3] = (hex[place >>> 3] ?? 0) ^ (1 << (place & 7))
      assert.isFalse(isSigned([secret], request(body, hex.toString("latin1")), now))
    }
  )

  it.prop("is invalid for random values", { text: Schema.String, claim: Schema.String }, ({ claim, text }) => {
    assert.isFalse(isSigned([secret], request(Buffer.from(text), claim), now))
    assert.isFalse(isSigned([secret], request(Buffer.from(text), `sha256=${claim}`), now))
    assert.isFalse(isSigned([], request(Buffer.from(text), signed(Buffer.from(text))), now))
    assert.isFalse(isSigned([secret], request(Buffer.from(text), signed(Buffer.from(text), "app secreT")), now))
  })
})

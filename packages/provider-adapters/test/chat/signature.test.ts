import { assert, describe, it } from "@effect/vitest"
import { Redacted, Schema } from "effect"
import { createHmac } from "node:crypto"
import { isSigned } from "../../src/chat/whatsapp/signature.ts"

const secret = Redacted.make("app secret")
const signed = (body: Uint8Array, key = "app secret") =>
  `sha256=${createHmac("sha256", key).update(body).digest("hex")}`

const Position = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))

describe("A signature", () => {
  it.prop(
    "holds for what was signed, and for nothing that differs in one bit",
    { text: Schema.NonEmptyString, at: Position },
    ({ at, text }) => {
      const body = Buffer.from(text)
      const signature = signed(body)
      assert.isTrue(isSigned([secret], body, signature))
      assert.isTrue(isSigned([Redacted.make("new"), secret], body, signature))
      const bit = at % (body.length * 8)
      const flipped = Uint8Array.from(body)
      flipped[bit >>> 3] = (flipped[bit >>> 3] ?? 0) ^ (1 << (bit & 7))
      assert.isFalse(isSigned([secret], flipped, signature))
      const hex = Buffer.from(signature)
      const place = at % (hex.length * 8)
      hex[place >>> 3] = (hex[place >>> 3] ?? 0) ^ (1 << (place & 7))
      assert.isFalse(isSigned([secret], body, hex.toString("latin1")))
    }
  )

  it.prop("is nothing that somebody makes up", { text: Schema.String, claim: Schema.String }, ({ claim, text }) => {
    assert.isFalse(isSigned([secret], Buffer.from(text), claim))
    assert.isFalse(isSigned([secret], Buffer.from(text), `sha256=${claim}`))
    assert.isFalse(isSigned([], Buffer.from(text), signed(Buffer.from(text))))
    assert.isFalse(isSigned([secret], Buffer.from(text), signed(Buffer.from(text), "app secreT")))
  })
})

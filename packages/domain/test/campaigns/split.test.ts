import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { createHash } from "node:crypto"
import {
  bucketCount,
  bucketOf,
  isHeldOut,
  splitHashInput,
  variantOf
} from "../../src/campaigns/audience/audienceSplit.ts"

const digestOf = (text: string) => new Uint8Array(createHash("sha256").update(text, "utf8").digest())

const bucket = (splitKey: string, purpose: "holdout" | "variant", contactId: string) =>
  bucketOf(digestOf(splitHashInput(splitKey, purpose, contactId)))

const Bucket = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: bucketCount - 1 }))
const Bytes = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))).check(
  Schema.isBetweenLength(32, 32)
)

const contacts = Array.from({ length: 20_000 }, (_, at) => `01900000-0000-7000-8000-${String(at).padStart(12, "0")}`)

describe("a bucket", () => {
  it("is of the first six bytes of the digest, the first one the highest", () => {
    const digest = new Uint8Array(32).fill(9)
    digest.set([0, 0, 0, 1, 0, 3])
    assert.strictEqual(bucketOf(digest), (65_536 + 3) % 10_000)
    assert.strictEqual(bucketOf(new Uint8Array(32).fill(255)), (2 ** 48 - 1) % 10_000)
  })

  it("of a contact stays what it has always been", () => {
    assert.strictEqual(splitHashInput("spring", "holdout", "k1"), "spring\nholdout\nk1")
    assert.deepStrictEqual(
      [bucket("spring", "holdout", "k1"), bucket("spring", "variant", "k1"), bucket("autumn", "holdout", "k1")],
      [8_335, 7_743, 6_501]
    )
  })

  it.prop("is the number that PostgreSQL makes of the bytes", { bytes: Bytes }, ({ bytes }) => {
    const hex = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")
    assert.strictEqual(bucketOf(Uint8Array.from(bytes)), Number(BigInt(`0x${hex.slice(0, 12)}`) % 10_000n))
  })

  it("is one for holding out, and another one for the variant", () => {
    const same = contacts.filter((id) => bucket("key", "holdout", id) === bucket("key", "variant", id))
    assert.isBelow(same.length, 20)
  })
})

describe("a hold-out", () => {
  it.prop(
    "is part of every larger one",
    { bucket: Bucket, hundredths: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5_000 })) },
    ({ bucket, hundredths }) => {
      assert.strictEqual(isHeldOut(bucket, hundredths / 100), bucket < hundredths)
      if (isHeldOut(bucket, hundredths / 100)) assert.isTrue(isHeldOut(bucket, (hundredths + 1) / 100))
    }
  )

  it("is about as many of the contacts as it says", () => {
    const heldOut = contacts.filter((id) => isHeldOut(bucket("key", "holdout", id), 5)).length
    assert.isTrue(heldOut > 900 && heldOut < 1_100, String(heldOut))
  })
})

describe("a variant", () => {
  it("has as many buckets as its weight says, in the order of the list", () => {
    const variants = [
      { key: "a", weight: 33 },
      { key: "b", weight: 1 },
      { key: "c", weight: 66 }
    ]
    const found = Array.from({ length: bucketCount }, (_, bucket) => variantOf(bucket, variants)?.key)
    assert.strictEqual(found.lastIndexOf("a"), 3_299)
    assert.strictEqual(found.indexOf("b"), 3_300)
    assert.strictEqual(found.indexOf("c"), 3_400)
    assert.strictEqual(found.lastIndexOf("c"), 9_999)
  })
})

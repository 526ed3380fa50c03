import { assert, describe, it } from "@effect/vitest"
import { publishedDeliveryTypes, toPublishedEventType } from "@parley/domain/integrations"
import { eventTypes } from "@parley/domain/composition"
import { Effect, Schema } from "effect"
import { Webhook } from "standardwebhooks"
import { ParleyWebhooks } from "../../src/client/index.ts"

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString("base64")}`

const [secret, other] = [secretOf(1), secretOf(2)]

const seconds = 1_795_167_000
const now = seconds * 1_000

const body = JSON.stringify({ type: "tag.created", data: { tagId: "t1" }, name: "Bäckerei 🥐" })

const signed = async (input: string | Uint8Array = body, secrets: string | ReadonlyArray<string> = secret) => ({
  "webhook-id": "d1",
  "webhook-timestamp": String(seconds),
  "webhook-signature": await ParleyWebhooks.sign(secrets, { id: "d1", timestamp: seconds, body: input })
})

const faultOf = (
  headers: Readonly<Record<string, string | undefined>>,
  input: string | Uint8Array = body,
  options: Partial<ParleyWebhooks.VerifyOptions> = {}
) =>
  ParleyWebhooks.verify({ headers, body: input }, { secrets: secret, now, ...options }).then(
    () => null,
    (error: unknown) => (error instanceof ParleyWebhooks.WebhookRefused ? error.fault : error)
  )

describe("the helper that verifies deliveries", () => {
  it.effect.prop("signs as Standard Webhooks does", [Schema.String, Schema.Uint8Array], ([text, bytes]) =>
    Effect.promise(async () => {
      const key = `whsec_${Buffer.from(bytes.length === 0 ? [7] : bytes).toString("base64")}`
      const input = JSON.stringify({ type: "tag.created", text })
      assert.strictEqual(
        await ParleyWebhooks.sign(key, { id: "d1", timestamp: seconds, body: input }),
        new Webhook(key).sign("d1", new Date(now), input)
      )
    })
  )

  it("returns the event of a signed request for every form of headers and body", async () => {
    const headers = await signed()
    for (const request of [
      { headers, body },
      { headers: new Headers(headers), body: new TextEncoder().encode(body) },
      { headers: { ...headers, "webhook-id": ["d1"] }, body: Buffer.from(body) }
    ]) {
      const event = await ParleyWebhooks.verify(request, { secrets: secret, now })
      assert.strictEqual(event.type === "tag.created" ? event.data.tagId : null, "t1")
    }
  })

  it("knows every event type, and accepts later ones", async () => {
    for (const known of [...eventTypes.map(toPublishedEventType), ...publishedDeliveryTypes]) {
      const text = JSON.stringify(known.example)
      const event = await ParleyWebhooks.verify({ headers: await signed(text), body: text }, { secrets: secret, now })
      assert.deepStrictEqual<unknown>(event, known.example)
    }
    const text = JSON.stringify({ type: "bread.baked", data: {} })
    const event = await ParleyWebhooks.verify({ headers: await signed(text), body: text }, { secrets: secret, now })
    assert.strictEqual<string>(event.type, "bread.baked")
  })

  it("takes any of the secrets while one takes the place of another", async () => {
    const both = await signed(body, [other, secret])
    assert.lengthOf(both["webhook-signature"].split(" "), 2)
    for (const secrets of [secret, [secret], [other], [other, secret], [secretOf(3), other]]) {
      assert.isNull(await faultOf(both, body, { secrets }))
    }
    assert.strictEqual(await faultOf(both, body, { secrets: [] }), "signature_invalid")
    assert.strictEqual(await faultOf(both, body, { secrets: secretOf(3) }), "signature_invalid")
  })

  it("refuses what lacks a header, is not of now, or was changed on the way", async () => {
    const headers = await signed()
    for (const name of Object.keys(headers)) {
      assert.strictEqual(await faultOf({ ...headers, [name]: undefined }), "header_missing")
      assert.strictEqual(await faultOf({ ...headers, [name]: "" }), "header_missing")
    }
    for (const away of [-301_000, 301_000]) {
      assert.strictEqual(await faultOf(headers, body, { now: now + away }), "timestamp_out_of_tolerance")
    }
    assert.isNull(await faultOf(headers, body, { now: now + 301_000, toleranceSeconds: 400 }))
    for (const timestamp of ["soon", "1e9", "-1", "Infinity", `${seconds}.5`]) {
      assert.strictEqual(
        await faultOf({ ...headers, "webhook-timestamp": timestamp }),
        "timestamp_out_of_tolerance",
        timestamp
      )
    }
    const changes = [
      await faultOf(headers, `${body} `),
      await faultOf({ ...headers, "webhook-id": "d2" }),
      await faultOf({ ...headers, "webhook-timestamp": String(seconds + 1) }),
      await faultOf({ ...headers, "webhook-signature": "v1," }),
      await faultOf({ ...headers, "webhook-signature": "v1,not base64!" }),
      await faultOf({ ...headers, "webhook-signature": headers["webhook-signature"].replace("v1,", "v2,") })
    ]
    assert.deepStrictEqual(new Set(changes), new Set(["signature_invalid"]))
  })

  it("refuses what is signed and no event", async () => {
    for (const input of ["", "null", "[]", "{}", '{"type":1}', "{", new Uint8Array([0xff, 0xfe])]) {
      assert.strictEqual(await faultOf(await signed(input), input), "body_invalid")
    }
  })

  it("does not compare without an end", async () => {
    const { "webhook-signature": good, ...headers } = await signed()
    const bad = `v1,${Buffer.alloc(32).toString("base64")}`
    const many = Array.from({ length: 5_000 }, () => bad)
    assert.strictEqual(
      await faultOf({ ...headers, "webhook-signature": [...many, good].join(" ") }),
      "signature_invalid"
    )
  })
})

import { assert, describe, it } from "@effect/vitest"
import type { InboundEvent } from "@parley/domain/messaging"
import { DateTime, Schema } from "effect"
import { errorTable } from "../../src/chat/whatsapp/errorTable.ts"
import { partsOfDelivery, readDelivery } from "../../src/chat/whatsapp/readDelivery.ts"
import { delivery, inbound, messages, others, receipt, samples, templateStatus } from "./deliveries.ts"

const read = (value: unknown) => readDelivery(Buffer.from(JSON.stringify(value)))

const only = (value: unknown): InboundEvent => {
  const events = read(value) ?? []
  assert.lengthOf(events, 1)
  const [event] = events
  if (event === undefined) throw new Error("nothing was read")
  return event
}

const contentOf = (content: object) => {
  const event = only(inbound(content))
  return event.kind === "message" ? event.content : event
}

const at = DateTime.makeUnsafe(1_749_416_383_000)

describe("A message that came in", () => {
  it("says who wrote what, when, in reply to what, and whether it came from an advertisement", () => {
    const event = only(
      inbound({
        type: "text",
        text: { body: "hi" },
        context: { id: "wamid.quoted" },
        referral: { ctwa_clid: "x", source_id: "1", image_url: "https://x.test/a.png", headline: "Bread" }
      })
    )
    assert.deepStrictEqual(event, {
      kind: "message",
      phoneId: "1065",
      id: "wamid.1",
      at,
      from: { phone: "+16505551234", chatUser: "US.1349", username: "opt", name: "Sheena" },
      content: { kind: "text", text: "hi" },
      replyTo: "wamid.quoted",
      fromAdvertisement: true,
      referral: {
        sourceType: null,
        sourceId: "1",
        sourceUrl: null,
        headline: "Bread",
        body: null,
        mediaType: null,
        mediaUrl: "https://x.test/a.png",
        clickId: "x",
        welcomeText: null
      }
    })
  })

  it("can come from a person without a phone number", () => {
    const event = only(
      messages({
        contacts: [{ profile: { name: "Sheena" }, user_id: "US.1349" }],
        messages: [{ from_user_id: "US.1349", id: "wamid.1", timestamp: "1", type: "text", text: { body: "hi" } }]
      })
    )
    assert.deepStrictEqual(event.kind === "message" && event.from, { phone: null, chatUser: "US.1349", name: "Sheena" })
  })

  it("can have every kind of content", () => {
    const file = { id: "77", mime_type: "audio/ogg; codecs=opus", sha256: "s", voice: true }
    const media = { mediaId: "77", mimeType: "audio/ogg; codecs=opus", sha256: "s", caption: null, filename: null }
    const expected: ReadonlyArray<readonly [object, unknown]> = [
      [
        { type: "audio", audio: file },
        { kind: "audio", media: { ...media, isVoice: true } }
      ],
      [
        { type: "sticker", sticker: { ...file, voice: false, animated: true, url: "https://lookaside.fbsbx.com/a" } },
        { kind: "sticker", media: { ...media, isAnimated: true, url: "https://lookaside.fbsbx.com/a" } }
      ],
      [
        { type: "document", document: { ...file, voice: undefined, filename: "a.pdf", caption: "A" } },
        { kind: "document", media: { ...media, filename: "a.pdf", caption: "A" } }
      ],
      [
        { type: "location", location: { latitude: 1.5, longitude: -2, name: "N" } },
        { kind: "location", latitude: 1.5, longitude: -2, name: "N", address: null }
      ],
      [
        { type: "contacts", contacts: [{ name: { formatted_name: "Ada" }, phones: [{ wa_id: "16505551234" }] }] },
        { kind: "contacts", contacts: [{ name: "Ada", phones: ["+16505551234"] }] }
      ],
      [
        { type: "button", button: { text: "Yes", payload: "y" } },
        { kind: "interactive", id: "y", title: "Yes" }
      ],
      [
        { type: "interactive", interactive: { type: "button_reply", button_reply: { id: "b", title: "B" } } },
        { kind: "interactive", id: "b", title: "B" }
      ],
      [
        { type: "interactive", interactive: { type: "list_reply", list_reply: { id: "l", title: "L" } } },
        { kind: "interactive", id: "l", title: "L" }
      ],
      [
        { type: "reaction", reaction: { message_id: "m", emoji: "👍" } },
        { kind: "reaction", to: "m", emoji: "👍" }
      ],
      [
        { type: "reaction", reaction: { message_id: "m" } },
        { kind: "reaction", to: "m", emoji: "" }
      ],
      [
        { type: "system", system: { type: "user_changed_number", body: "moved", wa_id: "16505559999" } },
        { kind: "system", text: "The contact changed the phone number.", newPhone: "+16505559999" }
      ],
      [
        { type: "system", system: { type: "user_renamed", body: "User Ada was renamed" } },
        { kind: "system", text: "The provider reported a change of the contact.", newPhone: null }
      ],
      [
        { type: "unsupported", errors: [{ code: 131_060 }] },
        { kind: "unsupported", type: "unsupported" }
      ],
      [
        { type: "order", order: {} },
        { kind: "unsupported", type: "order" }
      ],
      [
        {
          type: "order",
          order: {
            catalog_id: "17",
            text: "Sliced",
            product_items: [
              { product_retailer_id: "rye", quantity: 2, item_price: 4.35, currency: "EUR" },
              { product_retailer_id: "tea", quantity: "1", item_price: "1200", currency: "JPY" },
              { product_retailer_id: "oud", quantity: 1, item_price: "1.5", currency: "KWD" },
              { product_retailer_id: "bag", quantity: 1, item_price: -1, currency: "euro" }
            ]
          }
        },
        {
          kind: "order",
          catalogId: "17",
          note: "Sliced",
          items: [
            { productId: "rye", quantity: 2, price: { amountMinor: 435, currency: "EUR" } },
            { productId: "tea", quantity: 1, price: { amountMinor: 1_200, currency: "JPY" } },
            { productId: "oud", quantity: 1, price: { amountMinor: 1_500, currency: "KWD" } },
            { productId: "bag", quantity: 1, price: null }
          ]
        }
      ],
      [
        { type: "edit", edit: { original_message_id: "m", message: { type: "text", text: { body: "Hello" } } } },
        { kind: "edit", of: "m", content: { kind: "text", text: "Hello" } }
      ],
      [
        { type: "edit", edit: { original_message_id: "m", message: { type: "edit" } } },
        { kind: "unsupported", type: "edit" }
      ],
      [
        { type: "revoke", revoke: { original_message_id: "m" } },
        { kind: "revocation", of: "m" }
      ],
      [
        { type: "revoke", revoke: [] },
        { kind: "unsupported", type: "revoke" }
      ],
      [
        { type: "request_welcome" },
        { kind: "system", text: "The chat was opened for the first time.", newPhone: null, isWelcome: true }
      ],
      [
        { type: "interactive", interactive: { nfm_reply: { name: "flow", body: "Sent", response_json: "{}" } } },
        { kind: "interactive", id: "flow", title: "Sent", form: { name: "flow", values: {} } }
      ],
      [
        { type: "location", location: { latitude: 91, longitude: 0 } },
        { kind: "unsupported", type: "location" }
      ],
      [
        { type: "contacts", contacts: 7 },
        { kind: "unsupported", type: "contacts" }
      ],
      [
        { type: "image", image: 3 },
        { kind: "unsupported", type: "image" }
      ]
    ]
    for (const [content, event] of expected) assert.deepStrictEqual(contentOf(content), event)
  })

  it("is stored raw only where a part is unknown", () => {
    const partial = [
      { type: "hologram", hologram: { depth: 3 } },
      { type: [] },
      { type: "image", image: { caption: "Which one?" } },
      { type: "unsupported", errors: [{ code: 131_051, title: "Message type unknown" }] },
      { type: "order", order: { product_items: [{ product_retailer_id: "a", quantity: 1 }, { quantity: 2 }] } },
      { type: "contacts", contacts: [{ name: { formatted_name: "A" }, emails: [{ email: "a@x.test" }] }] },
      { type: "interactive", interactive: { nfm_reply: { response_json: "not JSON" } } },
      { type: "system", system: { type: "customer_identity_changed" } },
      { type: "system", system: { type: "user_changed_number", body: "User Ada changed", wa_id: "16505559999" } },
      { type: "edit", edit: { original_message_id: "m", message: { type: "hologram", hologram: {} } } }
    ]
    for (const reported of partial) {
      const event = only(inbound(reported))
      if (event.kind !== "message") return assert.fail(event.kind)
      assert.deepInclude(event.raw, reported)
    }
    const whole = [
      { type: "text", text: { body: "Hi" } },
      { type: "order", order: { product_items: [{ product_retailer_id: "a", quantity: 1 }] } },
      { type: "revoke", revoke: { original_message_id: "m" } },
      { type: "request_welcome" },
      { type: "text", text: { body: "How much?" }, context: { referred_product: { product_retailer_id: "rye" } } },
      { type: "interactive", interactive: { nfm_reply: { response_json: '{"size":"L"}' } } }
    ]
    for (const reported of whole) assert.notProperty(only(inbound(reported)), "raw")
  })

  it("can be written by the business in the provider's own app", () => {
    const echo = { from: "15550783881", to: "16505551234", id: "wamid.3", timestamp: "1749416383", type: "text" }
    const metadata = { display_phone_number: "15550783881", phone_number_id: "1065" }
    const result = (message: object) => delivery("smb_message_echoes", { metadata, message_echoes: [message] })
    assert.deepStrictEqual(only(result({ ...echo, text: { body: "We have." }, context: { id: "wamid.1" } })), {
      kind: "echo",
      phoneId: "1065",
      id: "wamid.3",
      at,
      to: { phone: "+16505551234", chatUser: null },
      content: { kind: "text", text: "We have." },
      replyTo: "wamid.1"
    })
    const user = only(result({ ...echo, to: undefined, to_user_id: "US.1", text: 3 }))
    assert.deepInclude(user, { to: { phone: null, chatUser: "US.1" }, content: { kind: "unsupported", type: "text" } })
    for (const odd of [{ to: null }, { id: 1.5 }, { timestamp: {} }, { group_id: "g" }]) {
      assert.include(only(result({ ...echo, ...odd })), { kind: "unknown" })
    }
    assert.include(only(delivery("smb_message_echoes", { metadata })), { kind: "unknown", field: "smb_message_echoes" })
  })

  it("is kept as unknown when it lacks what every message has", () => {
    for (const odd of [{ timestamp: "soon" }, { timestamp: "99999999999999" }, { id: null }]) {
      assert.strictEqual(only(inbound({ type: "text", text: { body: "hi" }, ...odd })).kind, "unknown")
    }
  })
})

describe("A receipt", () => {
  it("reports the state of a message with our reference", () => {
    assert.deepStrictEqual(only(receipt({})), {
      kind: "receipt",
      phoneId: "1065",
      id: "wamid.2",
      at,
      status: "sent",
      to: { phone: "+16505551234", chatUser: "US.1349" },
      reference: "our-id",
      error: null,
      pricing: { billable: true, model: "PMP", category: "marketing", type: "regular" }
    })
    assert.deepInclude(only(receipt({ pricing: { category: "authentication-international" } })), {
      pricing: { billable: null, model: null, category: "authentication-international", type: null }
    })
    for (const pricing of [null, 3, [], {}, { billable: "yes" }]) {
      assert.notProperty(only(receipt({ pricing })), "pricing")
    }
    const statuses = ["delivered", "read", "played"].map((status) => only(receipt({ status })))
    assert.deepStrictEqual(
      statuses.map((event) => event.kind === "receipt" && event.status),
      ["delivered", "read", "played"]
    )
  })

  it("reports the reason of a failure and its consequence", () => {
    const errors = [{ code: 131_049, title: "old title", message: "m", error_data: { details: "Too much marketing." } }]
    const event = only(receipt({ status: "failed", errors }))
    assert.deepStrictEqual(event.kind === "receipt" && event.error, {
      code: 131_049,
      reason:
        "Meta did not deliver the message because the recipient gets many marketing messages. Wait at least 24 hours. Meta: Too much marketing.",
      remedy: "skip_for_now"
    })
  })

  it("reports a failure without a usable code, and reads a code in a text", () => {
    const failureOf = (errors: unknown) => {
      const event = only(receipt({ status: "failed", errors }))
      return event.kind === "receipt" ? event.error : assert.fail(event.kind)
    }
    for (const errors of [[], undefined, [{}], [{ code: "warped" }]]) {
      assert.deepStrictEqual(failureOf(errors), {
        code: 0,
        reason: "The provider gave no reason.",
        remedy: "give_up"
      })
    }
    assert.deepInclude(failureOf([{ code: "131047" }]), { code: 131_047, remedy: "needs_template" })
  })

  it("promises no later attempt of a failed message", () => {
    const reasonOf = (code: number) => {
      const event = only(receipt({ status: "failed", errors: [{ code }] }))
      return event.kind === "receipt" ? event.error?.reason : null
    }
    assert.strictEqual(reasonOf(131_056), "Too many messages went to this recipient in a short time.")
    assert.strictEqual(reasonOf(131_000), "Meta reported an unknown error.")
    assert.strictEqual(reasonOf(80_007), "The business account has reached its call limit.")
    for (const [code] of errorTable) assert.notMatch(reasonOf(code) ?? "", /Parley/u)
  })

  it("is kept as unknown when its status is", () => {
    assert.include(only(receipt({ status: "warped" })), { kind: "unknown", field: "messages.status.warped" })
  })
})

describe("News of templates, numbers and accounts", () => {
  it("tells the state of a template", () => {
    const states = ["APPROVED", "REJECTED", "PAUSED", "DISABLED", "ARCHIVED", "UNARCHIVED", "IN_APPEAL", "FLAGGED"].map(
      (event) => {
        const read = only(templateStatus(event))
        return read.kind === "template" ? read.status : read.kind
      }
    )
    assert.deepStrictEqual(states, [
      "approved",
      "rejected",
      "paused",
      "disabled",
      "disabled",
      "approved",
      "pending",
      null
    ])
    assert.deepStrictEqual(
      only(templateStatus("REJECTED", { reason: "SCAM", message_template_category: "MARKETING" })),
      {
        kind: "template",
        businessId: "100",
        externalId: "594425479261596",
        name: "order_left",
        language: "pt-BR",
        status: "rejected",
        reason: "SCAM",
        quality: null,
        category: "marketing",
        event: "REJECTED"
      }
    )
    assert.strictEqual(only(templateStatus("TRANSCENDED")).kind, "unknown")
  })

  it("tells quality, category, limits, bans and opt-outs", () => {
    assert.include(only(others.quality), { kind: "template", status: null, quality: "yellow" })
    assert.include(only(others.category), { kind: "template", category: "marketing" })
    assert.include(only(others.number), {
      kind: "number",
      displayPhone: "+15550783881",
      quality: "red",
      messagingLimit: "TIER_10K"
    })
    assert.include(only(others.capability), { kind: "number", messagingLimit: "2000" })
    assert.include(only(others.account), { kind: "account", sending: "stopped", reason: "DISABLE" })
    assert.include(only(others.restriction), { sending: "stopped", reason: "RESTRICTED_BIZ_INITIATED_MESSAGING" })
    assert.include(only(others.preference), { kind: "preference", marketing: "stop", phoneId: "1065" })
  })

  it("names the caller of a call by its only contact if the call has no id of a person", () => {
    const call = {
      id: "wacid.1",
      to: "15550783881",
      event: "connect",
      direction: "USER_INITIATED",
      timestamp: "1749196895"
    }
    const contact = { profile: { name: "Ana", username: "ana" }, user_id: "US.1", parent_user_id: "US.ENT.1" }
    const metadata = { display_phone_number: "15550783881", phone_number_id: "106540352242922" }
    const event = only(delivery("calls", { metadata, contacts: [contact], calls: [call] }))
    assert.deepInclude(event, {
      kind: "message",
      from: { phone: null, chatUser: "US.1", parentUser: "US.ENT.1", username: "ana", name: "Ana" }
    })
    const several = only(
      delivery("calls", { metadata, contacts: [contact, { ...contact, user_id: "US.2" }], calls: [call] })
    )
    assert.include(several, { kind: "unknown", field: "calls.person" })
  })

  it("keeps unknown fields, one entry per field", () => {
    assert.deepStrictEqual(only(delivery("calls", { calls: [] })), {
      kind: "unknown",
      businessId: "100",
      phoneId: null,
      field: "calls"
    })
  })
})

describe("A delivery", () => {
  it("is read whole and in its order", () => {
    const [one, two] = [inbound({ type: "text", text: { body: "1" } }), receipt({})]
    const events = read({
      object: "whatsapp_business_account",
      entry: [...one.entry, ...two.entry, ...others.account.entry, ...one.entry]
    })
    assert.deepStrictEqual(
      events?.map(({ kind }) => kind),
      ["message", "receipt", "account", "message"]
    )
  })

  it.prop("never fails on JSON of any shape", { value: Schema.Unknown, field: Schema.String }, ({ field, value }) => {
    read(value ?? null)
    read(delivery(field, value))
    read(messages({ messages: value, statuses: [value], contacts: value, metadata: value }))
    read(inbound({ type: field, [field]: value, timestamp: value }))
    read(delivery("user_preferences", { user_preferences: [value] }))
    read(delivery("smb_message_echoes", { metadata: { phone_number_id: "1" }, message_echoes: [value] }))
    for (const type of ["order", "edit", "revoke", "contacts", "interactive", "system"]) {
      read(inbound({ type, [type]: value, referral: value, context: value }))
      read(inbound({ type, [type]: { product_items: [value], original_message_id: "m", message: value } }))
    }
    read(receipt({ pricing: value }))
  })

  it("reads every text of the samples in a form that can be stored", () => {
    const long = "😀".repeat(1_000)
    const bad: Array<string> = []
    for (const ending of ["\0", "\ud83d", long, `x${long}`]) {
      for (const sample of samples) {
        const body = JSON.stringify(sample, (name, value: unknown) =>
          typeof value !== "string" || /^\d+$/u.test(value) || ["object", "field", "type"].includes(name)
            ? value
            : value + ending
        )
        for (const event of readDelivery(Buffer.from(body)) ?? []) {
          // The domain makes free JSON storable.
          JSON.stringify(event, (name, value: unknown) => {
            if (name === "raw" || name === "values") return null
            if (typeof value === "string" && (!value.isWellFormed() || value.includes("\0"))) bad.push(value)
            return value
          })
        }
      }
    }
    assert.deepStrictEqual(bad, [])
  })

  it.prop("never fails on bytes of any kind", { text: Schema.String }, ({ text }) => {
    readDelivery(Buffer.from(text, "utf16le"))
    readDelivery(Buffer.from(`{"object":"whatsapp_business_account","entry":${text}}`))
  })

  it.prop(
    "never fails on real payloads with random changes",
    { sample: Schema.Int, place: Schema.Int, odd: Schema.Unknown },
    ({ odd, place, sample }) => {
      let left = Math.abs(place) % 40
      const tampered = JSON.stringify(samples[Math.abs(sample) % samples.length], (_, value: unknown) => {
        left -= 1
        return left === 0 ? odd : value
      })
      if (tampered === undefined) return
      for (const event of readDelivery(Buffer.from(tampered)) ?? []) assert.isString(event.kind)
    }
  )

  it("is not hurt by names that objects have anyway", () => {
    for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
      assert.strictEqual(only(delivery(name, {})).kind, "unknown")
      assert.strictEqual(only(templateStatus(name)).kind, "unknown")
      assert.strictEqual(only(receipt({ status: name })).kind, "unknown")
      assert.include(only(delivery("account_update", { event: name })), { kind: "account", sending: null })
    }
  })
})

describe("A part of a delivery", () => {
  const partAt = (time: number, field: string, value: object) => {
    const entry = [{ id: "1", time, changes: [{ field, value }] }]
    const [part] = partsOfDelivery(Buffer.from(JSON.stringify({ object: "whatsapp_business_account", entry }))) ?? []
    return Buffer.from(part?.body ?? []).toString()
  }

  it("is another one when the same is decided again", () => {
    const paused = {
      event: "PAUSED",
      message_template_id: 7,
      message_template_name: "a",
      message_template_language: "en"
    }
    const at = (time: number) => partAt(time, "message_template_status_update", paused)
    assert.strictEqual(at(1_772_000_000), at(1_772_000_000))
    assert.notStrictEqual(at(1_772_000_000), at(1_772_000_900))
  })

  it("is the same when it says when it happened, and is delivered later", () => {
    const value = { metadata: { phone_number_id: "2" }, statuses: [{ id: "wamid.1", status: "read", timestamp: "1" }] }
    assert.strictEqual(partAt(1_772_000_000, "messages", value), partAt(1_772_000_900, "messages", value))
  })
})

describe("A delivery that would expand to many times its size", () => {
  const partsOf = (id: unknown, changes: number) =>
    partsOfDelivery(
      Buffer.from(
        JSON.stringify({ object: "whatsapp_business_account", entry: [{ id, changes: Array(changes).fill(0) }] })
      )
    )

  it("is not taken apart, whether the id of an entry is long or its changes say nothing", () => {
    assert.lengthOf(partsOf("1", 1_000) ?? [], 1_000)
    assert.isNull(partsOf("1".repeat(10_000), 100))
    assert.isNull(partsOf("1", 100_000))
  })

  it("does not repeat values in place of an id", () => {
    const bytes = (partsOf({ odd: "1".repeat(10_000) }, 100) ?? []).reduce((sum, { body }) => sum + body.length, 0)
    assert.isBelow(bytes, 10_000)
  })
})

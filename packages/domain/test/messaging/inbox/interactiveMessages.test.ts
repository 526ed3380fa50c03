import { assert, describe, it, layer } from "@effect/vitest"
import { toValidationIssues } from "@parley/domain/kernel"
import { type Interactive, MediaId, NewMessage, sendMessage, uploadMedia } from "@parley/domain/messaging"
import {
  asOperatorOf,
  asPerson,
  givenConversation,
  givenMember,
  givenOrganization,
  MemoryChat,
  type Of,
  TestKit
} from "@parley/testkit"
import { Effect, Exit, Schema, Stream } from "effect"
import { TestClock } from "effect/testing"
import { whyOf } from "./faults.ts"

const decode = Schema.decodeUnknownExit(NewMessage, { errors: "all", onExcessProperty: "error" })

/** Pointers of the faults that the schema finds. */
const pointersIn = (interactive: object) => {
  const message = { kind: "interactive", interactive }
  const exit = decode(message)
  if (Exit.isSuccess(exit)) return []
  const [reason] = exit.cause.reasons
  const error = reason !== undefined && "error" in reason ? reason.error : assert.fail("no issue")
  return toValidationIssues(error.issue, message).map(({ pointer }) => pointer)
}

const x = (length: number) => "x".repeat(length)

const row = { id: "1", title: "One" }
const card = { header: { type: "image", mediaId: "01990000-0000-7000-8000-000000000001" } }
const button = { label: "Open", url: "https://shop.example/1" }

const limits: ReadonlyArray<readonly [name: string, of: (length: number) => object, most: number, pointer: string]> = [
  ["the body of buttons", (n) => ({ type: "buttons", body: x(n), buttons: [row] }), 1_024, "/interactive/body"],
  [
    "the id of a button",
    (n) => ({ type: "buttons", body: "?", buttons: [{ id: x(n), title: "A" }] }),
    256,
    "/interactive/buttons/0/id"
  ],
  [
    "the title of a button",
    (n) => ({ type: "buttons", body: "?", buttons: [{ id: "a", title: x(n) }] }),
    20,
    "/interactive/buttons/0/title"
  ],
  [
    "the text header",
    (n) => ({ type: "buttons", body: "?", header: { type: "text", text: x(n) }, buttons: [row] }),
    60,
    "/interactive/header/text"
  ],
  ["the footer", (n) => ({ type: "buttons", body: "?", footer: x(n), buttons: [row] }), 60, "/interactive/footer"],
  [
    "the body of a list",
    (n) => ({ type: "list", body: x(n), button: "B", sections: [{ title: "S", rows: [row] }] }),
    4_096,
    "/interactive/body"
  ],
  [
    "the id of a row",
    (n) => ({ type: "list", body: "?", button: "B", sections: [{ title: "S", rows: [{ ...row, id: x(n) }] }] }),
    200,
    "/interactive/sections/0/rows/0/id"
  ],
  [
    "the description of a row",
    (n) => ({
      type: "list",
      body: "?",
      button: "B",
      sections: [{ title: "S", rows: [{ ...row, description: x(n) }] }]
    }),
    72,
    "/interactive/sections/0/rows/0/description"
  ],
  [
    "the label of a link",
    (n) => ({ type: "cta_url", body: "?", label: x(n), url: button.url }),
    20,
    "/interactive/label"
  ],
  [
    "the body of a card",
    (n) => ({
      type: "carousel",
      body: "?",
      cards: [
        { ...card, button, body: x(n) },
        { ...card, button }
      ]
    }),
    160,
    "/interactive/cards/0/body"
  ],
  [
    "the id of a reply of a card",
    (n) => ({ type: "carousel", body: "?", cards: [{ ...card, replies: [{ id: x(n), title: "A" }] }, card] }),
    20,
    "/interactive/cards/0/replies/0/id"
  ],
  ["the payload of a call", (n) => ({ type: "voice_call", body: "?", payload: x(n) }), 512, "/interactive/payload"],
  [
    "the products of a carousel",
    (n) => ({
      type: "product_carousel",
      body: "?",
      catalogId: "1",
      productIds: Array.from({ length: n }, (_, at) => `p${at}`)
    }),
    10,
    "/interactive/productIds"
  ]
]

describe("The schema of interactive messages", () => {
  it.each(limits)("allows the limit of %s and refuses one more", (_, of, most, pointer) => {
    assert.deepStrictEqual(pointersIn(of(most)), [])
    assert.deepStrictEqual(pointersIn(of(most + 1)), [pointer])
  })

  it("refuses a media header of a list, and emoji in the label of a flow", () => {
    const list = { type: "list", body: "?", button: "B", sections: [{ title: "S", rows: [row] }] }
    assert.isNotEmpty(pointersIn({ ...list, header: card.header }))
    assert.isTrue(pointersIn({ ...list, header: card.header }).every((at) => at.startsWith("/interactive/header")))
    const flow = { type: "flow", body: "?", flow: { id: "1" }, token: "t", action: "data_exchange" }
    assert.deepStrictEqual(pointersIn({ ...flow, label: "Book 🪴" }), ["/interactive/label"])
    assert.deepStrictEqual(pointersIn({ type: "telepathy" }), ["/interactive/type"])
    assert.deepStrictEqual(pointersIn({ type: "address", body: "?", country: "DE" }), ["/interactive/country"])
    const untitled = { type: "list", body: "?", button: "B", sections: [{ rows: [row] }] }
    assert.deepStrictEqual(pointersIn(untitled), ["/interactive/sections/0/title"])
  })
})

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])

const upload = (organization: Of, mimeType: string, bytes: Uint8Array) =>
  uploadMedia({ filename: "a", mimeType, bytes: Stream.make(bytes) }).pipe(asOperatorOf(organization))

const send = (organization: Of, id: Parameters<typeof sendMessage>[0]["id"], interactive: Interactive) =>
  sendMessage({ id, kind: "interactive", interactive }).pipe(asOperatorOf(organization))

describe("The schema of messages", () => {
  it("allows one emoji or none as a reaction", () => {
    const isFit = (emoji: string) => Exit.isSuccess(decode({ kind: "reaction", replyToId: card.header.mediaId, emoji }))
    for (const emoji of ["", "👍", "👍🏽", "❤", "❤️", "👩‍👩‍👧", "🇩🇪", "1️⃣"]) assert.isTrue(isFit(emoji), emoji)
    for (const emoji of ["abc", "a", "1", "👍👍", "👍 ", " "]) assert.isFalse(isFit(emoji), emoji)
  })

  it("allows a shared contact without a phone number, and at most ten", () => {
    const isFit = (count: number) => {
      const phones = Array.from({ length: count }, (_, index) => `+493012345${index + 10}`)
      return Exit.isSuccess(decode({ kind: "contacts", contacts: [{ name: "Ada", phones }] }))
    }
    assert.deepStrictEqual([0, 10, 11].map(isFit), [true, true, false])
  })

  it("allows existing dates as a birthday only", () => {
    const isFit = (birthday: string) =>
      Exit.isSuccess(decode({ kind: "contacts", contacts: [{ name: "Ada", phones: ["+4930123456"], birthday }] }))
    assert.isTrue(isFit("1992-02-29"))
    for (const birthday of ["1990-02-31", "1991-02-29", "1990-13-01", "0000-01-01"]) assert.isFalse(isFit(birthday))
  })
})

layer(TestKit.layer)("an interactive message", (it) => {
  it.effect("names the fault of a rule that depends on several fields", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const { id } = yield* givenConversation(organization)
      const picture = yield* upload(organization, "image/png", png)
      const header = { type: "image", mediaId: picture.id } as const
      const replies = [{ id: "a", title: "A" }]
      const flow = { type: "flow", body: "?", flow: { id: "1" }, token: "t", label: "Go" } as const
      const products = (count: number) => Array.from({ length: count }, (_, at) => `p${at}`)
      const amount = (value: number) => ({ value, offset: 100 }) as const
      const order = {
        type: "order_details",
        body: "?",
        referenceId: "order-1",
        goods: "physical-goods",
        paymentType: "br",
        paymentSettings: [{ type: "pix_dynamic_code" }],
        currency: "BRL",
        items: [{ retailerId: "rye", name: "Rye", amount: amount(100), quantity: 1 }],
        subtotal: amount(100),
        tax: amount(19),
        shipping: amount(5),
        discount: amount(3)
      } as const
      const cases: ReadonlyArray<Interactive> = [
        { ...flow, action: "navigate" },
        { ...flow, action: "data_exchange", screen: "S", data: {} },
        { type: "carousel", body: "?", cards: [{ header, button }, { header }] },
        {
          type: "carousel",
          body: "?",
          cards: [
            { header, button },
            { header, replies }
          ]
        },
        { type: "product_carousel", body: "?", catalogId: "1", productIds: ["a", "a"] },
        {
          type: "product_list",
          header: { type: "text", text: "All" },
          body: "?",
          catalogId: "1",
          sections: [
            { title: "A", productIds: products(30) },
            { title: "B", productIds: ["last"] }
          ]
        },
        { ...order, totalAmount: amount(119) },
        { ...order, totalAmount: amount(121) }
      ]
      assert.deepStrictEqual(yield* Effect.forEach(cases, (each) => whyOf(send(organization, id, each))), [
        "ValidationFailed /interactive/screen",
        "ValidationFailed /interactive/screen /interactive/data",
        "ValidationFailed /interactive/cards/1",
        "ValidationFailed /interactive/cards/1",
        "ValidationFailed /interactive/productIds/1",
        "ValidationFailed /interactive/sections",
        "ValidationFailed /interactive/totalAmount/value",
        "ok"
      ])
    })
  )

  it.effect("refuses a file of another kind or an unknown file", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const { id } = yield* givenConversation(organization)
      const picture = yield* upload(organization, "image/png", png)
      const buttons = { type: "buttons", body: "?", buttons: [row] } as const
      const nobody = MediaId.make("01990000-0000-7000-8000-00000000dead")
      assert.deepStrictEqual(
        yield* Effect.all([
          whyOf(send(organization, id, { ...buttons, header: { type: "video", mediaId: picture.id } })),
          whyOf(send(organization, id, { ...buttons, header: { type: "image", mediaId: nobody } })),
          whyOf(send(organization, id, { ...buttons, header: { type: "image", mediaId: picture.id } }))
        ]),
        ["ValidationFailed /interactive/header/mediaId", "NotFound /interactive/header/mediaId", "ok"]
      )
    })
  )
})

layer(TestKit.layer)("a file to send", (it) => {
  it.effect("has a smaller limit for static stickers than for animated ones", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const sticker = (flags: number, size: number) => {
        const bytes = new Uint8Array(size)
        bytes.set(new TextEncoder().encode("RIFF\u0000\u0000\u0000\u0000WEBPVP8X"))
        bytes[20] = flags
        return whyOf(upload(organization, "image/webp", bytes))
      }
      assert.deepStrictEqual(
        yield* Effect.all([
          sticker(0, 100 * 1024),
          sticker(0, 100 * 1024 + 1),
          sticker(0x02, 500 * 1024),
          sticker(0x02, 500 * 1024 + 1)
        ]),
        ["ok", "MediaRefused size", "ok", "MediaRefused size"]
      )
    })
  )

  it.effect("is a voice message only in the type of voice messages", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const { id } = yield* givenConversation(organization)
      const ogg = yield* upload(organization, "audio/ogg", new TextEncoder().encode("OggS and more"))
      const mp3 = yield* upload(organization, "audio/mpeg", new TextEncoder().encode("ID3 and more"))
      const voice = (mediaId: MediaId) =>
        sendMessage({ id, kind: "audio", mediaId, voice: true }).pipe(asOperatorOf(organization))
      assert.strictEqual(yield* whyOf(voice(mp3.id)), "ValidationFailed /voice")
      assert.deepStrictEqual((yield* voice(ogg.id)).raw, { voice: true })
    })
  )
})

layer(TestKit.layer)("a message in the form of the provider", (it) => {
  const sticker = { type: "sticker", sticker: { id: "798882015472548" } }

  it.effect("is sent by administrators only", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const { id } = yield* givenConversation(organization)
      const message = { kind: "provider", payload: sticker } as const
      const as = Effect.fnUntraced(function* (role: "agent" | "admin" | "owner") {
        return yield* whyOf(
          sendMessage({ id, ...message }).pipe(asPerson(organization, yield* givenMember(organization, role)))
        )
      })
      assert.deepStrictEqual(yield* Effect.all([as("agent"), as("admin"), as("owner")]), [
        "PermissionDenied",
        "ok",
        "ok"
      ])
    })
  )

  it.effect("keeps the rules of the service window", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const { id } = yield* givenConversation(organization, { windowExpiresAt: null })
      const sent = sendMessage({ id, kind: "provider", payload: sticker }).pipe(asOperatorOf(organization))
      assert.match(yield* whyOf(sent), /^ServiceWindowClosed/u)
      yield* TestClock.adjust("1 second")
      assert.isEmpty(yield* (yield* MemoryChat.ChatScript).sent)
    })
  )

  it.effect("refuses recipients, templates, references and links at any depth", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const { id } = yield* givenConversation(organization)
      const why = (payload: Readonly<Record<string, Schema.Json>>) =>
        whyOf(sendMessage({ id, kind: "provider", payload }).pipe(asOperatorOf(organization)))
      const image = { type: "image", image: { link: "https://10.0.0.1/" } }
      const cases: ReadonlyArray<readonly [payload: Readonly<Record<string, Schema.Json>>, pointers: string]> = [
        [{ ...sticker, to: "+1555" }, "/payload/to"],
        [{ ...sticker, recipient: "US.1", Recipient_Type: "group" }, "/payload/recipient /payload/Recipient_Type"],
        [{ ...sticker, biz_opaque_callback_data: "x" }, "/payload/biz_opaque_callback_data"],
        [{ ...sticker, paid_messaging_account_id: "1" }, "/payload/paid_messaging_account_id"],
        [{ type: "TEMPLATE", other: 1 }, "/payload/type"],
        [{ type: "text", text: { body: "a" }, template: {} }, "/payload/template"],
        [image, "/payload/image/link"],
        [{ type: "a", a: [{ b: { link: "x" } }, { to: "y" }] }, "/payload/a/0/b/link /payload/a/1/to"],
        [{ type: "interactive", interactive: { header: { type: "template" } } }, "/payload/interactive/header/type"],
        [{ ...sticker, status: "read" }, "/payload/status"],
        [{ sticker: {} }, "/payload/type"],
        [{ type: "sticker" }, "/payload/type"],
        [{ type: "sticker", sticker: "1" }, "/payload/type"],
        [{ type: "sticker", sticker: null }, "/payload/type"],
        [{ type: "sticker", sticker: [] }, "/payload/type"],
        [{ type: "type" }, "/payload/type"],
        [{ type: "constructor" }, "/payload/type"],
        [{ type: "toString" }, "/payload/type"],
        [{ type: "__proto__" }, "/payload/type"],
        [{ type: "", "": {} }, "/payload/type"],
        [{ type: "template ", "template ": {} }, "/payload/type"],
        [{ type: "text", text: { body: x(65 * 1024) } }, "/payload"]
      ]
      for (const [payload, pointers] of cases) {
        assert.strictEqual(yield* why(payload), `ValidationFailed ${pointers}`)
      }
      assert.strictEqual(yield* why(sticker), "ok")
    })
  )
})

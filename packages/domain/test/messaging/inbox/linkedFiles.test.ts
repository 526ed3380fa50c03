import { assert, describe } from "@effect/vitest"
import type { Organization } from "@parley/domain/platform"
import { type Conversation, type NewMessage, sendMessage, uploadMedia } from "@parley/domain/messaging"
import { sendDueMessages } from "@parley/domain/composition"
import { asOperatorOf, givenContact, givenOrganization, MemoryChat } from "@parley/testkit"
import { DateTime, Effect, Stream } from "effect"
import { TestClock } from "effect/testing"
import { whyOf } from "./faults.ts"
import { givenChatAccount, givenConversation, readMessage, test } from "./given.ts"

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])

const link = "https://shop.example/pictures/aloe%20vera.png?v=2"

const given = Effect.gen(function* () {
  const organization = yield* givenOrganization()
  const account = yield* givenChatAccount(organization)
  const phone = "+491701234567"
  const contact = yield* givenContact(organization, { phone })
  const conversation = yield* givenConversation(organization, contact, account, {
    recipient: { kind: "phone", value: phone },
    windowExpiresAt: DateTime.add(yield* DateTime.now, { hours: 24 })
  })
  return { organization, conversation }
})

const send = (organization: Organization, { id }: Pick<Conversation, "id">, message: NewMessage) =>
  sendMessage({ id, ...message }).pipe(asOperatorOf(organization))

const contents = Effect.map(
  Effect.flatMap(MemoryChat.ChatScript, ({ sent }) => sent),
  (sent) => sent.map(({ message }) => message.content)
)

const sendFor = Effect.fnUntraced(function* (seconds: number) {
  for (let second = 0; second < seconds; second += 1) {
    yield* sendDueMessages
    yield* TestClock.adjust("1 second")
  }
})

describe("a file behind a link", () => {
  test("is fetched before the message is sent, and uploaded like any other file", () =>
    Effect.gen(function* () {
      const { conversation, organization } = yield* given
      yield* (yield* MemoryChat.ChatScript).serveLink(link, png, "image/png; charset=binary")
      const message = yield* send(organization, conversation, { kind: "image", link, caption: "Aloe" })
      assert.strictEqual(message.media?.mimeType, "image/png")
      yield* sendDueMessages
      assert.strictEqual((yield* readMessage(organization, message)).status, "sent")
      const [content] = yield* contents
      assert.deepInclude(content, { kind: "image", caption: "Aloe" })
    }))

  test("fails the message if it does not exist, or is a file of another kind", () =>
    Effect.gen(function* () {
      const { conversation, organization } = yield* given
      const { serveLink } = yield* MemoryChat.ChatScript
      yield* serveLink("https://shop.example/page.png", new TextEncoder().encode("<html>"), "image/png")
      yield* serveLink("https://shop.example/other.png", new TextEncoder().encode("%PDF-1"), "application/pdf")
      for (const name of ["gone", "page", "other"]) {
        const message = yield* send(organization, conversation, {
          kind: "image",
          link: `https://shop.example/${name}.png`
        })
        yield* sendDueMessages
        const { error, status } = yield* readMessage(organization, message)
        assert.deepStrictEqual([status, error?.code], ["failed", "media_missing"], name)
      }
      assert.isEmpty(yield* contents)
    }))

  test("fails the message with the link as the reason after several attempts if its host does not answer", () =>
    Effect.gen(function* () {
      const { conversation, organization } = yield* given
      const message = yield* send(organization, conversation, { kind: "image", link: "https://shop.invalid/a.png" })
      yield* sendFor(120)
      const { error, status } = yield* readMessage(organization, message)
      assert.deepStrictEqual(
        [status, { ...error }],
        [
          "failed",
          {
            code: "media_missing",
            providerCode: null,
            reason: "The file of the message could not be loaded. Check the address of its link."
          }
        ]
      )
      assert.isEmpty(yield* contents)
    }))

  test("is refused without https, with an address of a private network, and next to an id", () =>
    Effect.gen(function* () {
      const { conversation, organization } = yield* given
      const why = (message: NewMessage) => whyOf(send(organization, conversation, message))
      for (const address of ["http://shop.example/a.png", "https://10.0.0.1/a.png", "https://localhost/a.png", "a"]) {
        assert.strictEqual(yield* why({ kind: "image", link: address }), "ValidationFailed /link", address)
      }
      assert.strictEqual(yield* why({ kind: "image" }), "ValidationFailed /mediaId")
      assert.strictEqual(
        yield* why({ kind: "audio", link: "https://shop.example/a.mp3", voice: true }),
        "ValidationFailed /voice"
      )
    }))
})

describe("a file of an interactive message", () => {
  test("is uploaded to the provider before the message", () =>
    Effect.gen(function* () {
      const { conversation, organization } = yield* given
      const { id: mediaId } = yield* uploadMedia({
        filename: "aloe.png",
        mimeType: "image/png",
        bytes: Stream.make(png)
      }).pipe(asOperatorOf(organization))
      const header = { type: "image", mediaId } as const
      const replies = [{ id: "a", title: "A" }]
      const buttons = { type: "buttons", body: "?", header, buttons: replies } as const
      const carousel = {
        type: "carousel",
        body: "?",
        cards: [
          { header, replies },
          { header, replies }
        ]
      } as const
      for (const interactive of [buttons, carousel]) {
        yield* send(organization, conversation, { kind: "interactive", interactive })
        yield* sendDueMessages
      }
      const headers = (yield* contents).flatMap((content) => {
        if (content.kind !== "interactive") return []
        const { interactive } = content
        if (interactive.type === "carousel") return interactive.cards.map((card) => card.header)
        return "header" in interactive && interactive.header !== undefined ? [interactive.header] : []
      })
      assert.lengthOf(headers, 3)
      assert.isTrue(headers.every((each) => "mediaId" in each && each.mediaId !== mediaId))
    }))
})

import { assert } from "@effect/vitest"
import { MediaId, MessageId, Messages, MessageTemplateId } from "@parley/domain/messaging"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { idsOf, inNewOrganization, sorted } from "../../crm/given.ts"
import { freshId } from "../../given.ts"
import { givenConversation, insertMessages, minutes, newMessage, plainMessage } from "./given.ts"

export const messageKinds: StorageContract = {
  port: "Messages (kinds)",
  promises: (it) => {
    it.effect("stores messages of all kinds unchanged", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversation = yield* givenConversation()
          const port = yield* Messages
          const text = newMessage(conversation, { text: 'Two "breads" \\ 🥖\nplease', replyToId: freshId(MessageId) })
          const image = newMessage(conversation, {
            kind: "image",
            text: null,
            media: { id: freshId(MediaId), mimeType: "image/png", filename: 'a "b".png' }
          })
          const template = newMessage(conversation, {
            direction: "outbound",
            kind: "template",
            template: {
              id: freshId(MessageTemplateId),
              name: "order_ready",
              language: "pt_BR",
              values: {}
            },
            author: { kind: "user", id: "somebody" },
            status: "failed",
            error: { code: "window_closed", providerCode: 131_047, reason: 'It\'s "closed" \\' },
            sentAt: minutes(1),
            deliveredAt: minutes(2),
            readAt: minutes(3),
            failedAt: minutes(4),
            createdAt: minutes(5),
            at: minutes(6)
          })
          const tapped = newMessage(conversation, {
            kind: "interactive",
            interactive: { type: "reply", id: "yes", title: "Yes, please" }
          })
          const place = newMessage(conversation, {
            kind: "location",
            location: { latitude: 52.520_008, longitude: -13.404_954, name: "Bakery", address: null },
            providerMessageId: null
          })
          const shared = newMessage(conversation, {
            kind: "contacts",
            contacts: [{ name: "Zoë", phones: ["+4930123", "+4930124"] }]
          })
          const ordered = newMessage(conversation, {
            kind: "order",
            text: "Sliced, please",
            order: {
              catalogId: "catalogue",
              items: [
                { productId: 'rye "1 kg"', quantity: 2, price: { amountMinor: 450, currency: "EUR" } },
                { productId: "bag", quantity: 1, price: null }
              ]
            }
          })
          const led = newMessage(conversation, {
            referral: {
              sourceType: "ad",
              sourceId: "120",
              sourceUrl: "https://fb.me/x",
              headline: 'Fresh "bread"',
              body: null,
              mediaType: "image",
              mediaUrl: null,
              clickId: "click",
              welcomeText: null
            }
          })
          const odd = newMessage(conversation, {
            kind: "unsupported",
            text: null,
            raw: { type: "hologram", hologram: { depth: 1.5, layers: [null, true, 'a "b" \\ 🥖', {}] } }
          })
          const priced = newMessage(conversation, {
            direction: "outbound",
            status: "delivered",
            pricing: {
              billable: true,
              model: "PMP",
              category: "marketing",
              type: null,
              freeEntryPointExpiresAt: minutes(90),
              at: minutes(7)
            }
          })
          const played = newMessage(conversation, { direction: "outbound", status: "read", playedAt: minutes(8) })
          const asked = newMessage(conversation, {
            details: {
              voice: true,
              forwarded: "frequently_forwarded",
              product: { catalogId: null, productId: 'rye "1 kg"' },
              call: {
                callId: "wacid.1",
                direction: "user_initiated",
                event: "terminate",
                status: null,
                durationSeconds: 120
              },
              groupId: "group",
              history: true
            }
          })
          const filled = newMessage(conversation, {
            kind: "interactive",
            interactive: {
              type: "reply",
              id: "flow",
              title: "Sent",
              description: "Second line",
              form: { name: "flow", values: { rating: "4", tags: ["a", null, { deep: 1.5 }] } },
              callPermission: { response: "accept", isPermanent: false, expiresAt: minutes(30) }
            }
          })
          const added = [text, image, template, tapped, place, shared, ordered, led, odd, priced, played, asked, filled]
          const ids = yield* insertMessages(conversation.chatAccountId, added)
          assert.deepStrictEqual(sorted(ids), sorted(idsOf(added)))
          const there = yield* Effect.forEach(added, ({ id }) => port.get(conversation.id, id))
          assert.deepStrictEqual(there.map(plainMessage), added.map(plainMessage))

          const another = yield* givenConversation()
          assert.strictEqual((yield* Effect.flip(port.get(another.id, text.id))).resource, "message")
          assert.strictEqual((yield* Effect.flip(port.get(conversation.id, freshId(MessageId)))).resource, "message")
          assert.deepStrictEqual(yield* insertMessages(conversation.chatAccountId, []), [])
        })
      )
    )
  }
}

/** Checks an adapter against the contract of the kinds of messages. */
export const messageKindsContract = runContract(messageKinds)

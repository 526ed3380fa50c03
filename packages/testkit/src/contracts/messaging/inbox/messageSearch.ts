import { assert } from "@effect/vitest"
import type { Slice } from "@parley/domain/kernel"
import { Conversations, type Message, type MessageQuery, Messages } from "@parley/domain/messaging"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { all, inNewOrganization, sorted } from "../../crm/given.ts"
import { givenConversation, givenMessage, minutes } from "./given.ts"

const orderOf = (productId: string) => ({ catalogId: null, items: [{ productId, quantity: 1, price: null }] })

export const messageSearch: StorageContract = {
  port: "Messages (search)",
  promises: (it) => {
    it.effect("finds a conversation by every text part of its messages", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversation = yield* givenConversation()
          const conversations = yield* Conversations
          const nothing = {
            sourceType: null,
            sourceId: null,
            sourceUrl: null,
            mediaType: null,
            mediaUrl: null,
            clickId: null,
            welcomeText: null
          }
          yield* givenMessage(conversation, { text: "Sliced", order: orderOf("Rye-1867") })
          yield* givenMessage(conversation, { text: null, contacts: [{ name: "Zoë Lovelace", phones: ["+4930123"] }] })
          yield* givenMessage(conversation, {
            text: null,
            location: { latitude: 1, longitude: 2, name: "Bakery", address: "Rosenweg 7" }
          })
          yield* givenMessage(conversation, { referral: { ...nothing, headline: "Fresh", body: "Every morning" } })
          const found = (words: ReadonlyArray<string>) =>
            Effect.map(
              conversations.list(
                {
                  statuses: null,
                  assignee: null,
                  unread: null,
                  awaitingReply: null,
                  priorities: null,
                  labels: null,
                  chatAccountId: null,
                  contactId: null,
                  words,
                  sort: "createdAt"
                },
                all
              ),
              ({ rows }) => rows.length
            )
          for (const words of [["sliced", "1867"], ["zoe", "lovel"], ["4930123"], ["rosenweg"], ["fresh", "morning"]]) {
            assert.strictEqual(yield* found(words), 1, words.join())
          }
          assert.strictEqual(yield* found(["sliced", "zoe"]), 0)
        })
      )
    )

    it.effect("finds messages by their words, latest first, page by page", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const port = yield* Messages
          const [one, other] = [yield* givenConversation(), yield* givenConversation()]
          const bread = yield* givenMessage(one, { text: "Zwei Brötchen, bitte", at: minutes(3) })
          const more = yield* givenMessage(other, { text: "brötchen", direction: "outbound", at: minutes(1) })
          const none = yield* givenMessage(one, { text: "Danke" })
          const last = yield* givenMessage(one, { text: "BROTCHEN 面包", at: minutes(2) })
          const everything: MessageQuery = {
            words: ["brot"],
            conversationId: null,
            contactId: null,
            direction: null,
            from: null,
            to: null
          }
          const found = (query: Partial<MessageQuery>, slice: Slice = all) =>
            Effect.map(port.search({ ...everything, ...query }, slice), ({ rows }) =>
              rows.map(({ message }) => message.id)
            )
          const sortedOf = (...messages: ReadonlyArray<Message>) => sorted(messages.map(({ id }) => id)).toReversed()
          const newestFirst = sortedOf(bread, more, last)
          assert.deepStrictEqual(yield* found({}), newestFirst)
          assert.deepStrictEqual(yield* found({}, { limit: 2, after: null }), newestFirst.slice(0, 2))
          assert.deepStrictEqual(yield* found({}, { limit: 2, after: newestFirst.slice(1, 2) }), newestFirst.slice(2))
          assert.deepStrictEqual(yield* found({ conversationId: one.id }), sortedOf(bread, last))
          assert.deepStrictEqual(yield* found({ contactId: other.contactId }), [more.id])
          assert.deepStrictEqual(yield* found({ contactId: other.contactId, conversationId: one.id }), [])
          assert.deepStrictEqual(yield* found({ direction: "outbound" }), [more.id])
          assert.deepStrictEqual(yield* found({ from: minutes(2) }), sortedOf(bread, last))
          assert.deepStrictEqual(yield* found({ to: minutes(2) }), [more.id])
          assert.deepStrictEqual(yield* found({ words: ["面包", "brot"] }), [last.id])
          assert.deepStrictEqual(yield* found({ words: ["danke", "brot"] }), [])
          assert.deepStrictEqual(yield* found({ words: ["dank"] }), [none.id])
          const { rows } = yield* port.search({ ...everything, direction: "outbound" }, all)
          assert.deepStrictEqual(
            rows.map(({ contact }) => contact.id),
            [other.contactId]
          )
        })
      )
    )
  }
}

/** Checks an adapter against the contract of searches in messages. */
export const messageSearchContract = runContract(messageSearch)

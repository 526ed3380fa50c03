import { assert } from "@effect/vitest"
import { type Slice, transact } from "@parley/domain/kernel"
import {
  ChatAccountId,
  Conversations,
  type EarlyReceipt,
  type Message,
  type MessageQuery,
  MediaId,
  Message as MessageOf,
  MessageId,
  Messages,
  MessageTemplateId
} from "@parley/domain/messaging"
import { DateTime, Deferred, Effect, Fiber } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { all, evening, idsOf, inNewOrganization, morning, sorted } from "../../crm/given.ts"
import { freshId, freshText } from "../../given.ts"
import { givenConversation, givenMessage, insertMessages, minutes, newMessage, plainMessage } from "./given.ts"

const keyOf = ({ at, id }: Message) => [DateTime.formatIso(at), id]

const receipt = (providerMessageId: string, overrides: Partial<EarlyReceipt> = {}): EarlyReceipt => ({
  providerMessageId,
  status: "delivered",
  at: minutes(1),
  error: null,
  ...overrides
})

const orderOf = (productId: string) => ({ catalogId: null, items: [{ productId, quantity: 1, price: null }] })

const plainReceipt = ({ at, ...input }: EarlyReceipt) => ({ ...input, at: DateTime.formatIso(at) })

export const messages: StorageContract = {
  port: "Messages",
  promises: (it) => {
    it.effect("gives messages of all kinds back as they were stored", () =>
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

    it.effect("lists messages of a conversation, newest first, page by page, during inserts", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversation = yield* givenConversation()
          const port = yield* Messages
          yield* givenMessage(yield* givenConversation())
          const there: Array<Message> = []
          for (const at of [3, 1, 2, 2, 2, 0, 4]) there.push(yield* givenMessage(conversation, { at: minutes(at) }))
          const expected = there.toSorted((one, other) => (keyOf(one).join() < keyOf(other).join() ? 1 : -1))
          assert.deepStrictEqual(idsOf(yield* port.list(conversation.id, all)), idsOf(expected))
          const seen: Array<MessageId> = []
          let after: ReadonlyArray<string> | null = null
          for (;;) {
            const page: ReadonlyArray<Message> = yield* port.list(conversation.id, { limit: 2, after })
            const last = page.at(-1)
            if (last === undefined) break
            seen.push(...idsOf(page))
            after = keyOf(last)
            yield* givenMessage(conversation, { at: evening })
          }
          assert.deepStrictEqual(seen, idsOf(expected))
        })
      )
    )

    it.effect("skips messages with a known provider id, also within one insert", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversation = yield* givenConversation()
          const port = yield* Messages
          const known = yield* givenMessage(conversation)
          const providerMessageId = freshText("new")
          const [again, fresh, twice, none, noneEither] = [
            newMessage(conversation, { providerMessageId: known.providerMessageId }),
            newMessage(conversation, { providerMessageId }),
            newMessage(conversation, { providerMessageId }),
            newMessage(conversation, { providerMessageId: null }),
            newMessage(conversation, { providerMessageId: null })
          ]
          const stored = yield* insertMessages(conversation.chatAccountId, [again, fresh, twice, none, noneEither])
          assert.deepStrictEqual(sorted(stored), sorted(idsOf([fresh, none, noneEither])))
          const there = yield* port.list(conversation.id, all)
          assert.deepStrictEqual(sorted(idsOf(there)), sorted(idsOf([known, fresh, none, noneEither])))

          const elsewhere = newMessage(conversation, { providerMessageId: known.providerMessageId })
          assert.deepStrictEqual(yield* insertMessages(freshId(ChatAccountId), [elsewhere]), [elsewhere.id])
        })
      )
    )

    it.effect("stores a message once under concurrency", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversation = yield* givenConversation()
          const port = yield* Messages
          const provided = Array.from({ length: 5 }, () => freshText("provider"))
          const stored = yield* Effect.forEach(
            Array.from({ length: 6 }, (_, n) => n),
            (n) => {
              const batch = provided.map((providerMessageId) => newMessage(conversation, { providerMessageId }))
              return insertMessages(conversation.chatAccountId, n % 2 === 0 ? batch : batch.toReversed())
            },
            { concurrency: "unbounded" }
          )
          const there = yield* port.list(conversation.id, all)
          assert.strictEqual(there.length, 5)
          assert.deepStrictEqual(sorted(stored.flat()), sorted(idsOf(there)))
        })
      )
    )

    it.effect("locks messages by our ids and provider ids, and saves their state", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversation = yield* givenConversation()
          const { chatAccountId } = conversation
          const port = yield* Messages
          const queued = yield* givenMessage(conversation, {
            direction: "outbound",
            status: "queued",
            providerMessageId: null
          })
          const sent = yield* givenMessage(conversation, { direction: "outbound", status: "sent" })
          const other = yield* givenMessage(conversation)
          const elsewhere = newMessage(conversation, { providerMessageId: sent.providerMessageId })
          yield* insertMessages(freshId(ChatAccountId), [elsewhere])

          const asked = [sent.id, queued.id, elsewhere.id, freshId(MessageId), sent.id]
          const taken = yield* transact(port.lock(chatAccountId, asked))
          assert.deepStrictEqual(sorted(idsOf(taken)), sorted([queued.id, sent.id]))
          const known = sent.providerMessageId ?? assert.fail()
          const byProvider = yield* transact(port.lockByProvider(chatAccountId, [known, "nobody's", known]))
          assert.deepStrictEqual(idsOf(byProvider), [sent.id])
          assert.deepStrictEqual(yield* transact(port.lock(chatAccountId, [])), [])
          assert.deepStrictEqual(yield* transact(port.lockByProvider(chatAccountId, [])), [])

          const provided = freshText("provided")
          const changes = [
            new MessageOf({
              ...queued,
              recipient: { kind: "phone", value: "+491701234567" },
              status: "sent",
              providerMessageId: provided,
              sentAt: minutes(1)
            }),
            new MessageOf({
              ...sent,
              status: "failed",
              sentAt: minutes(2),
              deliveredAt: minutes(3),
              readAt: minutes(4),
              failedAt: minutes(5),
              error: { code: "undeliverable", providerCode: null, reason: "Gone" },
              details: {
                payment: {
                  status: "captured",
                  referenceId: "order-1",
                  amount: { value: 21_000, offset: 100 },
                  currency: "BRL",
                  transaction: { id: "t-1", type: "pix", status: null },
                  at: "2026-03-01T09:00:00.000Z"
                }
              },
              pricing: {
                billable: null,
                model: "PMP",
                category: "utility",
                type: "regular",
                freeEntryPointExpiresAt: null,
                at: minutes(6)
              }
            })
          ]
          yield* transact(
            Effect.andThen(
              port.lock(chatAccountId, idsOf(changes)),
              port.saveAll(
                chatAccountId,
                changes.map((each) => new MessageOf({ ...each, text: "never", at: evening, kind: "audio" }))
              )
            )
          )
          const there = yield* Effect.forEach([queued, sent, other], ({ id }) => port.get(conversation.id, id))
          assert.deepStrictEqual(there.map(plainMessage), [...changes, other].map(plainMessage))
          const found = yield* transact(port.lockByProvider(chatAccountId, [provided]))
          assert.deepStrictEqual(idsOf(found), [queued.id])
          const again = newMessage(conversation, { providerMessageId: provided })
          assert.deepStrictEqual(yield* insertMessages(chatAccountId, [again]), [])
        })
      )
    )

    it.effect("links an answer to its message in every sequence of arrival", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversation = yield* givenConversation()
          const { chatAccountId } = conversation
          const port = yield* Messages
          const queued = yield* givenMessage(conversation, {
            direction: "outbound",
            status: "queued",
            providerMessageId: null
          })
          const [inbound, outbound, elsewhere] = [freshText("inbound"), freshText("outbound"), freshText("elsewhere")]
          const answers = [inbound, outbound, elsewhere, freshText("nobody's")].map((answered) => ({
            answered,
            message: newMessage(conversation)
          }))
          yield* insertMessages(
            chatAccountId,
            answers.map(({ message }) => message),
            new Map(answers.map(({ answered, message: { id } }) => [id, answered]))
          )
          const repliesTo = Effect.fnUntraced(function* () {
            const there = yield* port.list(conversation.id, all)
            const taken = yield* transact(
              port.lock(
                chatAccountId,
                answers.map(({ message }) => message.id)
              )
            )
            const found = [there, taken].map((rows) =>
              answers.map(({ message }) => rows.find(({ id }) => id === message.id)?.replyToId)
            )
            assert.deepStrictEqual(found[0], found[1])
            return found[0]
          })
          assert.deepStrictEqual(yield* repliesTo(), [null, null, null, null])

          const first = newMessage(conversation, { providerMessageId: inbound })
          yield* insertMessages(chatAccountId, [first])
          yield* insertMessages(freshId(ChatAccountId), [newMessage(conversation, { providerMessageId: elsewhere })])
          const another = yield* givenConversation({ chatAccountId })
          yield* insertMessages(chatAccountId, [newMessage(another, { providerMessageId: elsewhere })])
          assert.deepStrictEqual(yield* repliesTo(), [first.id, null, null, null])
          const named = new MessageOf({ ...queued, status: "sent", providerMessageId: outbound })
          yield* transact(Effect.andThen(port.lock(chatAccountId, [queued.id]), port.saveAll(chatAccountId, [named])))
          assert.deepStrictEqual(yield* repliesTo(), [first.id, queued.id, null, null])

          const [late, later] = [
            newMessage(conversation),
            newMessage(conversation, { providerMessageId: freshText("b") })
          ]
          const known = later.providerMessageId ?? assert.fail()
          yield* insertMessages(chatAccountId, [late, later], new Map([[late.id, known]]))
          assert.strictEqual((yield* port.get(conversation.id, late.id)).replyToId, later.id)
        })
      )
    )

    it.effect("shows the last change and the deletion of a message in every sequence of reports", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversation = yield* givenConversation()
          const { chatAccountId } = conversation
          const port = yield* Messages
          const [known, late] = [freshText("known"), freshText("late")]
          const changing = (of: string, kind: "edit" | "revocation" | "text", at: number) => {
            const message = newMessage(conversation, { kind, at: minutes(at) })
            return insertMessages(chatAccountId, [message], new Map([[message.id, of]]))
          }
          const first = yield* givenMessage(conversation, { providerMessageId: known })
          for (const at of [3, 5, 4]) {
            yield* changing(known, "edit", at)
            yield* changing(late, "edit", at)
          }
          for (const at of [8, 7]) {
            yield* changing(known, "revocation", at)
            yield* changing(late, "revocation", at)
          }
          yield* changing(known, "text", 9)
          const second = yield* givenMessage(conversation, { providerMessageId: late })
          const untouched = yield* givenMessage(conversation)
          const sent = freshText("sent")
          const ours = yield* givenMessage(conversation, { direction: "outbound", providerMessageId: sent })
          yield* changing(sent, "edit", 3)
          yield* changing(sent, "revocation", 4)
          const elsewhere = newMessage(conversation, { providerMessageId: known })
          yield* insertMessages(freshId(ChatAccountId), [elsewhere])
          const times = ({ editedAt, revokedAt }: Message) => [editedAt, revokedAt]
          const shown = [times(yield* port.get(conversation.id, first.id))]
          shown.push(times(yield* port.get(conversation.id, second.id)))
          const listed = (yield* port.list(conversation.id, all)).filter(({ id }) => id === first.id)
          const taken = yield* transact(port.lockByProvider(chatAccountId, [late]))
          shown.push(...listed.map(times), ...taken.map(times))
          for (const each of shown) assert.deepStrictEqual(each, [minutes(5), minutes(7)])
          assert.lengthOf(shown, 4)
          for (const { id } of [untouched, ours, elsewhere]) {
            assert.deepStrictEqual(times(yield* port.get(conversation.id, id)), [null, null])
          }
        })
      )
    )

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

    it.effect("finds messages by their words, the last that came first, page by page", () =>
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

    it.effect("keeps no early receipt after its message exists, in every sequence", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversation = yield* givenConversation()
          const { chatAccountId } = conversation
          const port = yield* Messages
          const sent = yield* givenMessage(conversation, { direction: "outbound", status: "sent" })
          const known = sent.providerMessageId ?? assert.fail()
          const strange = freshText("strange")
          const mixed = [receipt(known), receipt(strange)]
          assert.strictEqual(yield* transact(port.storeEarly(chatAccountId, mixed, morning)), 1)
          assert.deepStrictEqual(
            (yield* transact(port.removeEarly(chatAccountId, [known, strange]))).map(plainReceipt),
            [plainReceipt(receipt(strange))]
          )

          const queued = yield* givenMessage(conversation, {
            direction: "outbound",
            status: "queued",
            providerMessageId: null
          })
          const providerMessageId = freshText("met")
          const asked = yield* Deferred.make<void>()
          const keeping = yield* Effect.andThen(
            Deferred.await(asked),
            transact(port.storeEarly(chatAccountId, [receipt(providerMessageId)], morning))
          ).pipe(Effect.forkChild({ startImmediately: true }))
          const taken = yield* transact(
            Effect.gen(function* () {
              yield* port.lock(chatAccountId, [queued.id])
              const early = yield* port.removeEarly(chatAccountId, [providerMessageId])
              yield* Deferred.succeed(asked, undefined)
              // Long enough for the other one to keep it if nothing makes it wait.
              yield* Effect.replicateEffect(port.get(conversation.id, queued.id), 20, { discard: true })
              yield* port.saveAll(chatAccountId, [new MessageOf({ ...queued, status: "sent", providerMessageId })])
              return early
            })
          )
          const kept = yield* Fiber.join(keeping)
          assert.strictEqual(taken.length + kept, 0)
          assert.deepStrictEqual(yield* transact(port.removeEarly(chatAccountId, [providerMessageId])), [])
        })
      )
    )

    it.effect("keeps early receipts until they are taken, once", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const port = yield* Messages
          const [account, another] = [freshId(ChatAccountId), freshId(ChatAccountId)]
          const [one, two] = [freshText("one"), freshText("two")]
          const failed = receipt(one, {
            status: "failed",
            at: minutes(2),
            error: { code: 131_026, reason: 'No "such" number \\', remedy: "give_up" }
          })
          assert.strictEqual(
            yield* transact(port.storeEarly(account, [receipt(one), failed, receipt(two)], morning)),
            3
          )
          const priced = receipt(one, {
            status: "read",
            pricing: {
              billable: null,
              model: "PMP",
              category: 'a "b" \\',
              type: null,
              freeEntryPointExpiresAt: minutes(90)
            }
          })
          yield* transact(port.storeEarly(another, [priced], morning))
          yield* transact(port.storeEarly(account, [], morning))
          assert.deepStrictEqual(yield* transact(port.removeEarly(account, [])), [])
          assert.deepStrictEqual(yield* transact(port.removeEarly(account, ["nobody's"])), [])
          const taken = yield* transact(port.removeEarly(account, [one, "nobody's"]))
          assert.sameDeepMembers(taken.map(plainReceipt), [receipt(one), failed].map(plainReceipt))
          assert.deepStrictEqual(yield* transact(port.removeEarly(account, [one])), [])
          assert.deepStrictEqual((yield* transact(port.removeEarly(account, [two]))).map(plainReceipt), [
            plainReceipt(receipt(two))
          ])
          const left = yield* transact(port.removeEarly(another, [one, two]))
          assert.deepStrictEqual(left.map(plainReceipt), [plainReceipt(priced)])
        })
      )
    )
  }
}

/** Checks an adapter against the contract of `Messages`. */
export const messagesContract = runContract(messages)

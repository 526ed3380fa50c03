import type { EncodedRow, Slice } from "@parley/domain/kernel"
import {
  type Conversation,
  MediaId,
  Message,
  MessageId,
  Messages,
  type MessageTemplateUse,
  MessageTemplateId
} from "@parley/domain/messaging"
import { Arbitrary, DateTime, Effect } from "effect"
import { among, either } from "../../../fixtures/drawing.ts"
import { hostileInstants, hostileNumbers, hostileTexts, orNothing } from "../../../fixtures/hostile.ts"
import { runContract, type StorageContract } from "../../contract.ts"
import { holds, inNewOrganization } from "../../crm/given.ts"
import { freshId } from "../../given.ts"
import { holdsRendered } from "../../rendered.ts"
import { givenConversation, insertMessages, newMessage } from "./given.ts"

const texts = orNothing(hostileTexts)
const numbers = either(hostileNumbers, among([131_047, 0]))
const whole = among([0, 1, -7, 131_047, 999_999_999])

const media = Arbitrary.all({ mimeType: hostileTexts, filename: texts })

const template = Arbitrary.map(
  Arbitrary.all({ name: hostileTexts, language: hostileTexts, first: hostileTexts, second: hostileTexts }),
  ({ first, language, name, second }): Omit<MessageTemplateUse, "id"> => ({
    name,
    language,
    values: { name: first, "2": second, "1": first }
  })
)

const tapped = Arbitrary.map(Arbitrary.all({ id: hostileTexts, title: hostileTexts }), (input) => ({
  type: "reply" as const,
  ...input
}))

const file = "01990000-0000-7000-8000-000000000001"

/** Messages with buttons, cards and products, whose fields are not in the order of the contract. */
const offered = Arbitrary.map(
  Arbitrary.all({ body: hostileTexts, id: hostileTexts, title: hostileTexts, kind: whole }),
  ({ body, id, kind, title }): NonNullable<Message["interactive"]> => {
    switch (kind) {
      case 0:
        return {
          footer: title,
          buttons: [{ title, id }],
          body,
          type: "buttons",
          header: { mediaId: file, type: "image" }
        }
      case 1:
        return { url: id, label: title, type: "cta_url", header: { text: title, type: "text" }, body }
      case -7:
        return {
          cards: [{ replies: [{ title, id }], body, header: { mediaId: file, type: "video" } }],
          type: "carousel",
          body
        }
      case 131_047:
        return {
          data: { z: title, a: [null, { b: id }] },
          screen: id,
          action: "navigate",
          label: title,
          token: id,
          flow: { id },
          body,
          type: "flow"
        }
      default:
        return { productId: id, type: "product", catalogId: title }
    }
  }
)

const card = Arbitrary.map(
  Arbitrary.all({ name: hostileTexts, phone: hostileTexts, isWhole: among([true, false]) }),
  ({ isWhole, name, phone }): NonNullable<Message["contacts"]>[number] =>
    isWhole
      ? {
          urls: [{ type: name, url: phone }],
          birthday: name,
          phones: [phone, { waId: name, number: phone, type: name }],
          emails: [{ type: name, email: phone }],
          organization: { title: name, company: phone },
          addresses: [{ zip: name, city: phone, countryCode: name }],
          nameParts: { suffix: name, first: phone },
          name
        }
      : { name, phones: [phone] }
)

const raw = either<Message["raw"]>(
  among([null, true, "", 0]),
  hostileTexts,
  numbers,
  Arbitrary.map(Arbitrary.all({ first: hostileTexts, second: numbers }), ({ first, second }) => ({
    z: first,
    a: [second, null, { deep: first, b: {} }],
    "7": false
  }))
)

const drawn = Arbitrary.all({
  direction: among(["inbound", "outbound"] as const),
  text: texts,
  media: orNothing(media),
  template: orNothing(template),
  interactive: orNothing(either<NonNullable<Message["interactive"]>>(tapped, offered)),
  location: orNothing(
    Arbitrary.all({ latitude: among([0, -90, 52.520_008, 0.1, 1e-7]), longitude: numbers, name: texts, address: texts })
  ),
  contacts: orNothing(Arbitrary.array(card, { maxLength: 2 })),
  catalogId: texts,
  price: orNothing(Arbitrary.all({ amountMinor: whole, currency: hostileTexts })),
  headline: texts,
  raw,
  author: Arbitrary.all({ kind: among(["contact", "user", "phone_app"] as const), id: hostileTexts }),
  recipient: orNothing(
    Arbitrary.all({ kind: among(["phone", "chat_user", "external"] as const), value: hostileTexts })
  ),
  error: orNothing(Arbitrary.all({ code: hostileTexts, providerCode: orNothing(whole), reason: hostileTexts })),
  pricing: orNothing(
    Arbitrary.all({
      billable: among([true, false, null]),
      model: texts,
      category: texts,
      type: texts,
      freeEntryPointExpiresAt: orNothing(hostileInstants),
      at: hostileInstants
    })
  ),
  at: hostileInstants,
  sentAt: orNothing(hostileInstants),
  readAt: orNothing(hostileInstants),
  playedAt: orNothing(hostileInstants),
  details: orNothing(
    Arbitrary.all({
      forwarded: among(["forwarded", "frequently_forwarded"] as const),
      groupId: hostileTexts,
      payment: Arbitrary.all({
        status: hostileTexts,
        referenceId: orNothing(hostileTexts),
        amount: orNothing(Arbitrary.all({ value: whole, offset: whole })),
        currency: orNothing(hostileTexts),
        transaction: orNothing(
          Arbitrary.all({ id: hostileTexts, type: hostileTexts, status: orNothing(hostileTexts) })
        ),
        at: hostileTexts
      })
    })
  ),
  createdAt: hostileInstants
})
type Drawn = typeof drawn extends Arbitrary.Arbitrary<infer A> ? A : never

/** Stored rows can violate current rules, because rules change. */
const unruled = { disableChecks: true } as const

const messageOf = (
  conversation: Conversation,
  { catalogId, headline, media, price, template, ...input }: Drawn
): Message => {
  const id = freshId(MessageId)
  return new Message(
    {
      ...newMessage(conversation),
      ...input,
      id,
      // In another order than the contract's, which decides the output.
      media: media === null ? null : { ...media, id: freshId(MediaId) },
      template: template === null ? null : { id: freshId(MessageTemplateId), ...template },
      order: price === null ? null : { catalogId, items: [{ productId: id, quantity: 2, price }] },
      referral:
        headline === null
          ? null
          : {
              sourceType: null,
              sourceId: id,
              sourceUrl: null,
              headline,
              body: catalogId,
              mediaType: null,
              mediaUrl: null,
              clickId: null,
              welcomeText: null
            },
      providerMessageId: `wamid "${id}"`
    },
    unruled
  )
}

const holdsMessages = holdsRendered<Message, unknown>(Message, ({ at, id }) => [DateTime.formatIso(at), id])

export const renderedMessages: StorageContract = {
  port: "Messages (as answers write them)",
  promises: (it) => {
    it.effect("equal the output of their schema, byte by byte, for all contents", () =>
      inNewOrganization(
        holds(
          Arbitrary.array(drawn, { minLength: 1, maxLength: 6 }),
          Effect.fnUntraced(function* (input) {
            const port = yield* Messages
            const conversation = yield* givenConversation()
            const [first, ...others] = input.map((each) => messageOf(conversation, each))
            if (first === undefined) return
            yield* insertMessages(conversation.chatAccountId, [
              first,
              ...others.map((message) => new Message({ ...message, replyToId: first.id }, unruled))
            ])
            let after: ReadonlyArray<string> | null = null
            do {
              const slice: Slice = { limit: 4, after }
              const rendered: ReadonlyArray<EncodedRow<Message>> = yield* port.render(conversation.id, slice)
              holdsMessages(rendered, yield* port.list(conversation.id, slice))
              after = rendered.at(-1)?.key ?? null
            } while (after !== null)
          }),
          { runs: 50, size: 30, seed: "hostile messages" }
        )
      )
    )

    it.effect("are rendered as edited, taken back and answered, and of their conversation alone", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const port = yield* Messages
          const conversation = yield* givenConversation()
          const { chatAccountId } = conversation
          const written = newMessage(conversation, { providerMessageId: "wamid.first" })
          const changes = [
            newMessage(conversation, { kind: "edit", providerMessageId: "wamid.edit" }),
            newMessage(conversation, { kind: "revocation", providerMessageId: "wamid.revocation" }),
            newMessage(conversation, { providerMessageId: "wamid.answer" })
          ]
          yield* insertMessages(chatAccountId, [written])
          yield* insertMessages(chatAccountId, changes, new Map(changes.map(({ id }) => [id, "wamid.first"])))
          const another = yield* givenConversation()
          yield* insertMessages(another.chatAccountId, [newMessage(another)])
          const slice = { limit: 10, after: null }
          for (const { id } of [conversation, another]) {
            holdsMessages(yield* port.render(id, slice), yield* port.list(id, slice))
          }
        })
      )
    )
  }
}

/** Checks an adapter against the contract of rendered message lists. */
export const renderedMessagesContract = runContract(renderedMessages)

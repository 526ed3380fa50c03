import type { InboundEvent } from "@parley/domain/messaging"
import { DateTime, Effect } from "effect"
import { assertStatus, at, rowsOf, textAt } from "./answers.ts"
import { added, as, idOf, ours } from "./crm.ts"
import { call } from "./Http.ts"
import { deliver, givenNumber, givenTemplate, provider, written } from "./inbox.ts"
import { freshId, freshText, givenTenant } from "./tenants.ts"

type Written = Extract<InboundEvent, { readonly kind: "message" }>

/** A word that stands nowhere else. */
const freshWord = Effect.map(
  freshId,
  (id) => `canary${id.slice(-12).replaceAll(/\d/gu, (digit) => "ghijklmnop".charAt(Number(digit)))}`
)

const fileOf = (mediaId: string, word: string) => ({
  mediaId,
  mimeType: "application/pdf",
  sha256: null,
  caption: `Look: ${word}`,
  filename: `${word}.pdf`
})

const everyKind = (word: string, mediaId: string): ReadonlyArray<Written["content"]> => [
  { kind: "text", text: `Do you know ${word}?` },
  { kind: "document", media: fileOf(mediaId, word) },
  { kind: "image", media: { ...fileOf("never fetched", word), mimeType: "image/png" } },
  { kind: "location", latitude: 1, longitude: 2, name: word, address: `${word} street` },
  { kind: "contacts", contacts: [{ name: word, phones: [word] }] },
  { kind: "interactive", id: word, title: `Yes, ${word}` },
  { kind: "reaction", to: "wamid.none", emoji: word.slice(0, 16) },
  { kind: "system", text: `${word} has another number now`, newPhone: null },
  { kind: "unsupported", type: word },
  {
    kind: "order",
    catalogId: word,
    note: `Sliced, says ${word}`,
    items: [{ productId: word, quantity: 1, price: { amountMinor: 450, currency: "EUR" } }]
  },
  { kind: "edit", of: "wamid.none", content: { kind: "text", text: `Or do you know ${word}s?` } }
]

/** Message data in addition to the content, with this word in every field. */
const besides = (word: string) => ({
  raw: { hologram: { [word]: [word, { [word]: word }] } },
  referral: {
    sourceType: word,
    sourceId: word,
    sourceUrl: `https://ads.example/${word}`,
    headline: word,
    body: word,
    mediaType: word,
    mediaUrl: `https://ads.example/${word}.png`,
    clickId: word,
    welcomeText: word
  }
})

/** A contact, merged from two, with every kind of message in both directions. Every text contains a word that a search can find again. */
export const givenTalker = Effect.gen(function* () {
  const tenant = yield* givenTenant()
  const { organization } = tenant
  const send = as(tenant)
  const word = yield* freshWord
  const account = yield* givenNumber(organization)
  const mediaId = yield* (yield* provider).addFile(new TextEncoder().encode(`%PDF-1.7 ${word}`), "application/pdf")
  const from = { chatUser: `chat-${word}`, name: `Marie ${word}` }
  const result = yield* Effect.forEach(everyKind(word, mediaId), (content) =>
    Effect.map(written(account, "", from), (event) => ({ ...event, content, ...besides(word) }))
  )
  const echo = {
    kind: "echo",
    phoneId: account.externalPhoneId,
    id: `echo ${word}`,
    at: yield* DateTime.now,
    to: { phone: null, chatUser: from.chatUser },
    content: { kind: "text", text: `From the phone to ${word}` },
    replyTo: null
  } as const
  assertStatus(yield* deliver(organization, account, [...result, echo]), 200)
  const [conversation] = rowsOf(yield* send("GET", "/conversations"))
  const id = String(at(conversation, "contact", "id"))
  const path = `/conversations/${String(at(conversation, "id"))}`

  const received = rowsOf(yield* send("GET", `${path}/messages?limit=100`))
  const inbound = received.find((message) => at(message, "kind") === "document")
  const inboundMedia = String(at(inbound, "media", "id"))
  assertStatus(yield* send("GET", `/media/${inboundMedia}`), 200)

  const uploaded = yield* call("POST", `/api/v1/media?filename=${word}.txt`, {
    ...ours(tenant),
    text: `For ${word}`,
    headers: { "content-type": "text/plain" }
  })
  assertStatus(uploaded, 201)
  const template = yield* givenTemplate(organization, {
    chatAccountId: account.id,
    components: { body: { text: "Hello {{1}}", examples: { "1": "Marie" } } },
    variables: [{ key: "body.1", in: "body", kind: "text" }],
    status: "approved"
  })
  for (const message of [
    { kind: "text", text: `We do know ${word}.` },
    { kind: "document", mediaId: idOf(uploaded), caption: `The prices for ${word}` },
    { kind: "location", location: { latitude: 1, longitude: 2, name: word, address: word } },
    {
      kind: "interactive",
      interactive: { type: "buttons", body: `Which, ${word}?`, buttons: [{ id: word, title: word.slice(0, 20) }] }
    },
    { kind: "template", template: { id: template.id, values: { "body.1": word } } }
  ]) {
    const key = { "idempotency-key": yield* freshText("key") }
    assertStatus(yield* send("POST", `${path}/messages`, message, key), 202)
  }
  const note = yield* added(tenant, `${path}/notes`, { text: `Asks for ${word}` })
  assertStatus(yield* send("PATCH", `${path}/notes/${idOf(note)}`, { text: `Always asks for ${word}` }), 200)
  const slip = yield* added(tenant, `${path}/notes`, { text: `Wrong, ${word}` })
  assertStatus(yield* send("DELETE", `${path}/notes/${idOf(slip)}`), 204)

  const again = yield* written(account, `It is ${word} once more`, { chatUser: `other-${word}`, name: word })
  assertStatus(yield* deliver(organization, account, [again]), 200)
  const others = rowsOf(yield* send("GET", "/conversations?limit=100"))
  const other = others.map((row) => String(at(row, "contact", "id"))).find((contactId) => contactId !== id)
  const merged = yield* send("POST", `/contacts/${id}/merge`, { contactId: other })
  assertStatus(merged, 200)
  return { tenant, account, from, id, word, path, inboundMedia, mergeId: textAt(merged, "mergeId") }
})

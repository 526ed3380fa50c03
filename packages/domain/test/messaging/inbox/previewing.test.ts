import { assert, describe } from "@effect/vitest"
import { nextId, transact } from "@parley/domain/kernel"
import {
  findTemplateVariables,
  saveMedia,
  MessageTemplate,
  MessageTemplateId,
  MessageTemplates,
  previewMessageTemplate,
  receiveMedia,
  sendMessage
} from "@parley/domain/messaging"
import { asOperatorOf, givenOrganization } from "@parley/testkit"
import { DateTime, Effect, Stream } from "effect"
import { whyOf } from "./faults.ts"
import { givenChatAccount, givenTalk, test } from "./given.ts"

const given = Effect.gen(function* () {
  const organization = yield* givenOrganization()
  const inside = asOperatorOf(organization)
  const account = yield* givenChatAccount(organization)
  const { conversation } = yield* givenTalk(organization, account)
  const now = yield* DateTime.now
  const template = new MessageTemplate({
    id: yield* nextId(MessageTemplateId),
    chatAccountId: account.id,
    name: "picture",
    language: "en",
    category: "utility",
    components: { header: { format: "image" }, body: { text: "Hello {{1}}.", examples: { "1": "Ada" } } },
    variables: [
      { key: "header", in: "header", kind: "image" },
      { key: "body.1", in: "body", kind: "text" }
    ],
    status: "approved",
    rejectionReason: null,
    quality: "unknown",
    externalId: "1",
    createdAt: now,
    updatedAt: now,
    version: 1
  })
  yield* transact(Effect.flatMap(MessageTemplates, (templates) => templates.insert(template))).pipe(inside)
  const text = Stream.make(new TextEncoder().encode("Rye bread: 4.20"))
  const { id: document } = yield* receiveMedia({ filename: "prices.txt", mimeType: "text/plain", bytes: text }).pipe(
    Effect.flatMap(saveMedia),
    inside
  )
  return { conversation, document, inside, template }
})

describe("the preview of a template", () => {
  test("refuses exactly the values that sending refuses, each where it stands", () =>
    Effect.gen(function* () {
      const { conversation, document, inside, template } = yield* given
      const nothing = "019dfc1d-9023-70ef-8152-d1ccaf1742e9"
      const tried = [
        {},
        { header: "no file", "body.1": "Ada" },
        { header: nothing, "body.1": "Ada" },
        { header: document, "body.1": "Ada" },
        { header: document, "body.1": "A\tB" },
        { header: document, "body.1": "Ada", "footer.1": "x" }
      ]
      const answers = yield* Effect.forEach(tried, (values) =>
        Effect.all([
          whyOf(sendMessage({ id: conversation.id, kind: "template", template: { id: template.id, values } })),
          whyOf(previewMessageTemplate({ id: template.id, values }))
        ])
      ).pipe(inside)
      assert.deepStrictEqual(
        answers.map(([, previewed]) => previewed),
        answers.map(([sent]) => sent.replaceAll("/template/values", "/values"))
      )
      assert.deepStrictEqual(
        answers.map(([sent]) => sent),
        [
          "ValidationFailed /template/values/header /template/values/body.1",
          "ValidationFailed /template/values/header",
          "NotFound /template/values/header",
          "ValidationFailed /template/values/header",
          "ValidationFailed /template/values/body.1",
          "ValidationFailed /template/values/footer.1"
        ]
      )
    }))

  test("refuses an offer that has ended, as sending does", () =>
    Effect.gen(function* () {
      const { conversation, inside, template } = yield* given
      const components = {
        body: { text: "Fresh bread for less." },
        limitedTimeOffer: { text: "Today only", hasExpiration: true }
      }
      const offer = new MessageTemplate({
        ...template,
        id: yield* nextId(MessageTemplateId),
        name: "offer",
        category: "marketing",
        components,
        variables: findTemplateVariables(components),
        externalId: "2"
      })
      yield* transact(Effect.flatMap(MessageTemplates, (templates) => templates.insert(offer))).pipe(inside)
      const now = yield* DateTime.now
      const answers = yield* Effect.forEach([now, DateTime.add(now, { seconds: 1 })], (expiresAt) => {
        const values = { "offer.expiresAt": DateTime.formatIso(expiresAt) }
        return Effect.all([
          whyOf(sendMessage({ id: conversation.id, kind: "template", template: { id: offer.id, values } })),
          whyOf(previewMessageTemplate({ id: offer.id, values }))
        ])
      }).pipe(inside)
      assert.deepStrictEqual(answers, [
        ["ValidationFailed /template/values/offer.expiresAt", "ValidationFailed /values/offer.expiresAt"],
        ["ok", "ok"]
      ])
    }))
})

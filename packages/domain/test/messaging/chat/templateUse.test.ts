import { assert, describe } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import {
  archiveMessageTemplate,
  type AuthenticationTemplates,
  createMessageTemplate,
  getMessageTemplate,
  listMessageTemplates,
  MessageTemplates,
  submitMessageTemplate,
  syncMessageTemplates,
  unarchiveMessageTemplate,
  upsertAuthenticationTemplates
} from "@parley/domain/messaging"
import { asOperatorOf, givenOrganization, MemoryChat } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { traced } from "../../crm/traces.ts"
import { whyOf } from "../inbox/faults.ts"
import { givenConnected, givenDraft, test } from "./given.ts"

const givenStage = Effect.gen(function* () {
  const organization = yield* givenOrganization()
  const inside = asOperatorOf(organization)
  const account = yield* givenConnected(organization)
  return { organization, inside, account }
})

describe("the archive of templates", () => {
  test("stops and allows the use of an approved template", () =>
    Effect.gen(function* () {
      const { account, inside, organization } = yield* givenStage
      const { id, language, name } = yield* givenDraft(organization, account.id)
      const [archive, unarchive] = [archiveMessageTemplate({ id }), unarchiveMessageTemplate({ id })]
      assert.strictEqual(yield* whyOf(archive).pipe(inside), "MessageTemplateStatusInvalid")
      yield* submitMessageTemplate({ id }).pipe(inside)
      yield* (yield* MemoryChat.ChatScript).decide(name, language, "approved")
      yield* syncMessageTemplates({ chatAccountId: account.id }).pipe(inside)
      assert.strictEqual(yield* whyOf(unarchive).pipe(inside), "MessageTemplateStatusInvalid")

      const { events } = yield* traced(organization, archive.pipe(inside))
      assert.deepStrictEqual(events, [
        { type: "message_template.status_changed", messageTemplateId: id, from: "approved", to: "archived" }
      ])
      yield* syncMessageTemplates({ chatAccountId: account.id }).pipe(inside)
      assert.strictEqual((yield* getMessageTemplate({ id }).pipe(inside)).status, "archived")
      assert.strictEqual(yield* whyOf(archive).pipe(inside), "MessageTemplateStatusInvalid")

      assert.strictEqual((yield* unarchive.pipe(inside)).status, "approved")
    }))

  test("returns a template with its status at the provider", () =>
    Effect.gen(function* () {
      const { account, inside, organization } = yield* givenStage
      const { id, language, name } = yield* givenDraft(organization, account.id)
      const { decide } = yield* MemoryChat.ChatScript
      yield* submitMessageTemplate({ id }).pipe(inside)
      yield* decide(name, language, "archived")
      yield* syncMessageTemplates({ chatAccountId: account.id }).pipe(inside)
      const { templates } = yield* MemoryChat.whole
      const channel = { ...templates, unarchive: () => decide(name, language, "paused") }
      const after = yield* unarchiveMessageTemplate({ id }).pipe(inside, MemoryChat.through({ templates: channel }))
      assert.strictEqual(after.status, "paused")
    }))
})

describe("authentication templates in several languages", () => {
  const authentication = { transfer: "copy_code", expiryMinutes: 5 } as const

  const inputFor = (chatAccountId: AuthenticationTemplates["chatAccountId"]): AuthenticationTemplates => ({
    chatAccountId,
    name: "login_code",
    languages: ["en-US", "de"],
    authentication
  })

  test("are created in one call, and replaced by the next one", () =>
    Effect.gen(function* () {
      const { account, inside, organization } = yield* givenStage
      const input = inputFor(account.id)
      const created = yield* traced(organization, upsertAuthenticationTemplates(input).pipe(inside))
      const { data } = created.answer
      assert.deepStrictEqual(
        data.map(({ category, components, language, name, status }) => [name, language, category, status, components]),
        ["en-US", "de"].map((language) => ["login_code", language, "authentication", "pending", { authentication }])
      )
      assert.deepStrictEqual(
        data.map(({ variables }) => variables.map(({ key }) => key)),
        [["code"], ["code"]]
      )
      assert.deepStrictEqual(
        created.events,
        data.map(({ id }) => ({ type: "message_template.created" as const, messageTemplateId: id }))
      )
      const again = yield* traced(organization, upsertAuthenticationTemplates(input).pipe(inside))
      assert.deepStrictEqual([again.answer.data, again.events], [data, []])

      const shorter = { ...input, languages: ["de", "fr"], authentication: { ...authentication, expiryMinutes: 3 } }
      const { data: replaced } = yield* upsertAuthenticationTemplates(shorter).pipe(inside)
      assert.strictEqual(replaced[0]?.id, data[1]?.id)
      const page = { limit: 10, cursor: null }
      const all = { chatAccountId: account.id, status: null, name: "login_code", page }
      const { data: listed } = yield* listMessageTemplates(all).pipe(inside)
      assert.deepStrictEqual(
        listed.map(({ components, language }) => [language, components.authentication?.expiryMinutes]),
        [
          ["de", 3],
          ["en-US", 5],
          ["fr", 3]
        ]
      )
    }))

  test("replace a draft, but no template of another category and none in submission", () =>
    Effect.gen(function* () {
      const { account, inside, organization } = yield* givenStage
      const input = inputFor(account.id)
      const draft = yield* createMessageTemplate({
        chatAccountId: account.id,
        name: input.name,
        language: "de",
        category: "authentication",
        components: { authentication: { transfer: "copy_code" } }
      }).pipe(inside)
      const now = yield* DateTime.now
      const templates = yield* MessageTemplates
      yield* transact(templates.lease(draft.id, now, DateTime.add(now, { minutes: 1 }))).pipe(inside)
      assert.strictEqual(
        yield* whyOf(upsertAuthenticationTemplates(input)).pipe(inside),
        "MessageTemplateStatusInvalid"
      )
      yield* transact(templates.release(draft.id)).pipe(inside)
      const { data } = yield* upsertAuthenticationTemplates({ ...input, timeToLive: 600 }).pipe(inside)
      const replaced = data.find(({ language }) => language === "de")
      assert.deepStrictEqual(
        [replaced?.id, replaced?.status, replaced?.timeToLive, replaced?.externalId === null],
        [draft.id, "pending", 600, false]
      )
      yield* givenDraft(organization, account.id, { name: "hello", language: "de" })
      assert.strictEqual(
        yield* whyOf(upsertAuthenticationTemplates({ ...input, name: "hello" })).pipe(inside),
        "MessageTemplateExists"
      )
    }))

  test("are refused with pointers before the call of the provider", () =>
    Effect.gen(function* () {
      const { account, inside } = yield* givenStage
      const input = inputFor(account.id)
      const faulty = { ...input, authentication: { transfer: "zero_tap" } as const, timeToLive: 3_600 }
      assert.strictEqual(
        yield* whyOf(upsertAuthenticationTemplates(faulty)).pipe(inside),
        "ValidationFailed /authentication/apps /authentication/zeroTapTermsAccepted /timeToLive"
      )
    }))

  test("are stored for the languages that the provider answers", () =>
    Effect.gen(function* () {
      const { account, inside } = yield* givenStage
      const { templates } = yield* MemoryChat.whole
      const upsertAuthentication: typeof templates.upsertAuthentication = () =>
        Effect.succeed([
          { externalId: "2", language: "fr", status: "approved" },
          { externalId: "1", language: "de", status: "approved" }
        ])
      const { data } = yield* upsertAuthenticationTemplates(inputFor(account.id)).pipe(
        inside,
        MemoryChat.through({ templates: { ...templates, upsertAuthentication } })
      )
      assert.deepStrictEqual(
        data.map(({ externalId, language, status }) => [externalId, language, status]),
        [["1", "de", "approved"]]
      )
    }))
})

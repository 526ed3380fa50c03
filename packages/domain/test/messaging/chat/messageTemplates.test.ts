import { assert, describe } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import {
  ChannelUnreachable,
  createMessageTemplate,
  deleteMessageTemplate,
  getMessageTemplate,
  listMessageTemplates,
  type MessageTemplate,
  type MessageTemplateId,
  MessageTemplates,
  previewMessageTemplate,
  submitMessageTemplate,
  syncMessageTemplates,
  updateMessageTemplate
} from "@parley/domain/messaging"
import type { Ports } from "@parley/domain/composition"
import { asOperatorOf, givenOrganization, MemoryChat, type Of } from "@parley/testkit"
import { DateTime, Effect, Redacted, Stream } from "effect"
import { TestClock } from "effect/testing"
import { traced } from "../../crm/traces.ts"
import { whyOf } from "../inbox/faults.ts"
import { givenConnected, givenDraft, greeting, hello, keptByProvider, test } from "./given.ts"

const everything = { chatAccountId: null, status: null, name: null }
const all = { limit: 100, cursor: null }

const line = { accessToken: Redacted.make("another right"), phoneId: "any", businessId: "any" }

const welcome = { body: { text: "Welcome {{1}}, to us.", examples: { "1": "Ada" } } } as const

/** What the provider keeps. */
const kept = Effect.flatMap(MemoryChat.whole, (channel) => Stream.runCollect(channel.templates.list(line)))

const keptStates = Effect.map(kept, (templates) => templates.map(({ name, status }) => [name, status]))

/** An organization with a number and a draft. */
const givenStage = Effect.gen(function* () {
  const organization = yield* givenOrganization()
  const account = yield* givenConnected(organization)
  const draft = yield* givenDraft(organization, account.id)
  return { organization, account, draft, inside: asOperatorOf(organization) }
})

/** What is there after the process died between the provider's answer and the commit: the template as it was. */
const forget = (organization: Of, before: MessageTemplate) =>
  Effect.flatMap(MessageTemplates, (templates) => transact(templates.save(before, null))).pipe(
    asOperatorOf(organization),
    Effect.orDie
  )

/** The template after the provider has rejected it. */
const rejected = Effect.fnUntraced(function* (organization: Of, { id, language, name }: MessageTemplate) {
  const inside = asOperatorOf(organization)
  const submitted = yield* submitMessageTemplate({ id }).pipe(inside)
  yield* (yield* MemoryChat.ChatScript).decide(name, language, "rejected")
  yield* syncMessageTemplates({ chatAccountId: submitted.chatAccountId }).pipe(inside)
  return yield* getMessageTemplate({ id }).pipe(inside)
})

describe("message templates", () => {
  test("are drafted, validated by the provider's rules, and unique by name and language", () =>
    Effect.gen(function* () {
      const { account, draft, inside } = yield* givenStage
      assert.deepStrictEqual(
        [draft.status, draft.externalId, draft.variables],
        ["draft", null, [{ key: "body.1", in: "body", kind: "text" }]]
      )
      const { category, language, name } = draft
      const input = { chatAccountId: account.id, category, language, name, components: hello }
      const foreign = yield* givenConnected(yield* givenOrganization(), { externalPhoneId: "phone-2" })
      assert.deepStrictEqual(
        yield* Effect.forEach(
          [
            createMessageTemplate(input),
            createMessageTemplate({ ...input, language: "de" }),
            createMessageTemplate({ ...input, name: "other", components: { body: { text: "{{1}} and {{3}}" } } }),
            createMessageTemplate({ ...input, name: "other", category: "authentication" }),
            createMessageTemplate({ ...input, name: "other", timeToLive: 60_000 }),
            createMessageTemplate({ ...input, name: "other", chatAccountId: foreign.id })
          ],
          whyOf
        ).pipe(inside),
        [
          "MessageTemplateExists",
          "ok",
          "ValidationFailed /components/body/text /components/body/examples /components/body/examples /components/body/text /components/body/text",
          "ValidationFailed /components/authentication",
          "ValidationFailed /timeToLive",
          "NotFound /chatAccountId"
        ]
      )
      assert.deepStrictEqual(yield* kept, [])
    }))

  test("are changed while they are drafts or rejected, at the expected version, and stay what they are", () =>
    Effect.gen(function* () {
      const { draft, inside, organization } = yield* givenStage
      const { answer, events } = yield* traced(
        organization,
        updateMessageTemplate({ id: draft.id, components: welcome, ifVersion: 1 }).pipe(inside)
      )
      assert.deepStrictEqual([answer.status, answer.version, answer.components], ["draft", 2, welcome])
      assert.deepStrictEqual(events, [{ type: "message_template.updated", messageTemplateId: draft.id }])
      const same = yield* traced(
        organization,
        updateMessageTemplate({ id: draft.id, components: welcome, ifVersion: 2 }).pipe(inside)
      )
      assert.deepStrictEqual([same.answer.version, same.events, same.audit], [2, [], []])
      const refusals = [
        updateMessageTemplate({ id: draft.id, category: "marketing", ifVersion: 1 }),
        updateMessageTemplate({ id: draft.id, components: { body: { text: "{{1}}" } }, ifVersion: 2 })
      ]
      assert.deepStrictEqual(yield* Effect.forEach(refusals, whyOf).pipe(inside), [
        "VersionConflict",
        "ValidationFailed /components/body/examples /components/body/text /components/body/text"
      ])
      const after = yield* rejected(organization, answer)
      const mended = yield* updateMessageTemplate({
        id: draft.id,
        category: "marketing",
        ifVersion: after.version
      }).pipe(inside)
      assert.strictEqual(mended.status, "rejected")
      yield* submitMessageTemplate({ id: draft.id }).pipe(inside)
      assert.strictEqual(
        yield* whyOf(updateMessageTemplate({ id: draft.id, category: "utility", ifVersion: null })).pipe(inside),
        "MessageTemplateStatusInvalid"
      )
    }))

  test("are pending once they are submitted, and cannot be submitted again", () =>
    Effect.gen(function* () {
      const { draft, inside, organization } = yield* givenStage
      const { answer, audit, events } = yield* traced(
        organization,
        submitMessageTemplate({ id: draft.id }).pipe(inside)
      )
      assert.deepStrictEqual([answer.status, answer.externalId], ["pending", (yield* kept)[0]?.externalId])
      assert.deepStrictEqual(events, [
        { type: "message_template.status_changed", messageTemplateId: draft.id, from: "draft", to: "pending" }
      ])
      assert.deepStrictEqual(audit, [
        {
          action: "message_template.submitted",
          target: draft.id,
          before: { status: "draft" },
          after: { status: "pending" }
        }
      ])
      assert.strictEqual(
        yield* whyOf(submitMessageTemplate({ id: draft.id })).pipe(inside),
        "MessageTemplateStatusInvalid"
      )
    }))

  test("are locked against changes, deletion and a second submission during the provider call", () =>
    Effect.gen(function* () {
      const { draft, inside } = yield* givenStage
      const channel = yield* MemoryChat.whole
      const outside = yield* Effect.context<Ports>()
      let answers: ReadonlyArray<string> = []
      const meddle = Effect.all([
        whyOf(updateMessageTemplate({ id: draft.id, components: welcome, ifVersion: null })),
        whyOf(deleteMessageTemplate({ id: draft.id, ifVersion: null })),
        whyOf(submitMessageTemplate({ id: draft.id }))
      ]).pipe(inside, Effect.provideContext(outside))
      const submitTemplate: typeof channel.templates.submit = (line, template) =>
        Effect.tap(channel.templates.submit(line, template), () =>
          Effect.map(meddle, (input) => {
            answers = input
          })
        )
      const after = yield* submitMessageTemplate({ id: draft.id }).pipe(
        inside,
        MemoryChat.through({ templates: { ...channel.templates, submit: submitTemplate } })
      )
      assert.deepStrictEqual(answers, [
        "MessageTemplateStatusInvalid",
        "MessageTemplateStatusInvalid",
        "MessageTemplateStatusInvalid"
      ])
      assert.deepStrictEqual([after.status, after.components, after.version], ["pending", hello, 2])
    }))

  test("are changed again after a submission that was refused, or whose process has died for a while", () =>
    Effect.gen(function* () {
      const { draft, inside } = yield* givenStage
      const channel = yield* MemoryChat.whole
      const refusing = { templates: { ...channel.templates, submit: () => Effect.fail(new ChannelUnreachable()) } }
      const submit = submitMessageTemplate({ id: draft.id }).pipe(inside, MemoryChat.through(refusing))
      assert.strictEqual(yield* whyOf(submit), "ChannelUnreachable")
      const update = updateMessageTemplate({ id: draft.id, components: welcome, ifVersion: null }).pipe(inside)
      assert.strictEqual((yield* update).version, 2)
      const now = yield* DateTime.now
      const templates = yield* MessageTemplates
      yield* transact(templates.lease(draft.id, now, DateTime.add(now, { minutes: 5 }))).pipe(inside)
      assert.strictEqual(
        yield* whyOf(submitMessageTemplate({ id: draft.id })).pipe(inside),
        "MessageTemplateStatusInvalid"
      )
      yield* TestClock.adjust("5 minutes")
      assert.strictEqual((yield* submitMessageTemplate({ id: draft.id }).pipe(inside)).status, "pending")
    }))

  test("stay drafts when the provider refuses them", () =>
    Effect.gen(function* () {
      const { draft, inside, organization } = yield* givenStage
      yield* (yield* MemoryChat.ChatScript).revoke("token-1")
      const { answer, audit, events } = yield* traced(
        organization,
        whyOf(submitMessageTemplate({ id: draft.id })).pipe(inside)
      )
      assert.match(answer, /^ChannelRefused/u)
      assert.deepStrictEqual([audit, events], [[], []])
      assert.deepStrictEqual(yield* getMessageTemplate({ id: draft.id }).pipe(inside), draft)
    }))

  test("are found where the provider keeps them when the answer to a submission was lost", () =>
    Effect.gen(function* () {
      const { draft, inside, organization } = yield* givenStage
      const submitted = yield* submitMessageTemplate({ id: draft.id }).pipe(inside)
      yield* forget(organization, draft)
      // It has changed since then: the provider decides about the submitted version.
      yield* updateMessageTemplate({ id: draft.id, components: welcome, ifVersion: null }).pipe(inside)
      const again = yield* submitMessageTemplate({ id: draft.id }).pipe(inside)
      assert.deepStrictEqual(
        [again.status, again.externalId, again.components],
        ["pending", submitted.externalId, hello]
      )
      assert.lengthOf(yield* kept, 1)
    }))

  test("take the place of what the provider has rejected", () =>
    Effect.gen(function* () {
      const { draft, inside, organization } = yield* givenStage
      const before = yield* rejected(organization, draft)
      assert.strictEqual(before.status, "rejected")
      yield* updateMessageTemplate({ id: draft.id, components: welcome, ifVersion: null }).pipe(inside)
      const after = yield* submitMessageTemplate({ id: draft.id }).pipe(inside)
      assert.deepStrictEqual([after.status, after.components], ["pending", welcome])
      assert.strictEqual(after.externalId, before.externalId)
      assert.deepStrictEqual(yield* keptStates, [["hello", "pending"]])
    }))

  test("can be submitted again after an attempt to replace a rejected one crashed", () =>
    Effect.gen(function* () {
      const { draft, inside, organization } = yield* givenStage
      const before = yield* rejected(organization, draft)
      const channel = yield* MemoryChat.whole
      // After the rejected one was deleted.
      yield* channel.templates.remove(line, before.name, before.externalId ?? "")
      const first = yield* submitMessageTemplate({ id: draft.id }).pipe(inside)
      assert.deepStrictEqual([first.status, yield* keptStates], ["pending", [["hello", "pending"]]])
      // After the new one was submitted.
      yield* forget(organization, before)
      const second = yield* submitMessageTemplate({ id: draft.id }).pipe(inside)
      assert.deepStrictEqual([second.status, second.externalId], ["pending", first.externalId])
      assert.lengthOf(yield* kept, 1)
    }))

  test("are deleted at the provider as well, if they ever were there", () =>
    Effect.gen(function* () {
      const { account, draft, inside, organization } = yield* givenStage
      const submitted = yield* submitMessageTemplate({ id: draft.id }).pipe(inside)
      // Under its name, but never submitted from here.
      const script = yield* MemoryChat.ChatScript
      yield* script.keepTemplate(keptByProvider({ externalId: "theirs", name: "other" }))
      const other = yield* givenDraft(organization, account.id, { name: "other", components: greeting })
      assert.strictEqual(
        yield* whyOf(deleteMessageTemplate({ id: draft.id, ifVersion: 1 })).pipe(inside),
        "VersionConflict"
      )
      assert.lengthOf(yield* kept, 2)
      const { events } = yield* traced(
        organization,
        deleteMessageTemplate({ id: draft.id, ifVersion: submitted.version }).pipe(inside)
      )
      assert.deepStrictEqual(events, [{ type: "message_template.deleted", messageTemplateId: draft.id }])
      yield* deleteMessageTemplate({ id: other.id, ifVersion: null }).pipe(inside)
      assert.deepStrictEqual(yield* keptStates, [["other", "approved"]])
      assert.deepStrictEqual((yield* listMessageTemplates({ ...everything, page: all }).pipe(inside)).data, [])
    }))

  test("are deleted even if the provider does not keep them any more, but not if it cannot be asked", () =>
    Effect.gen(function* () {
      const { draft, inside } = yield* givenStage
      const submitted = yield* submitMessageTemplate({ id: draft.id }).pipe(inside)
      yield* (yield* MemoryChat.whole).templates.remove(line, draft.name, submitted.externalId ?? "")
      yield* deleteMessageTemplate({ id: draft.id, ifVersion: null }).pipe(inside)
      assert.strictEqual(yield* whyOf(getMessageTemplate({ id: draft.id })).pipe(inside), "NotFound")
      const again = yield* givenStage
      const { id } = yield* submitMessageTemplate({ id: again.draft.id }).pipe(again.inside)
      yield* (yield* MemoryChat.ChatScript).revoke("token-1")
      assert.match(yield* whyOf(deleteMessageTemplate({ id, ifVersion: null })).pipe(again.inside), /^ChannelRefused/u)
      assert.strictEqual((yield* getMessageTemplate({ id }).pipe(again.inside)).status, "pending")
    }))

  test("come in as the provider keeps them, and drafts stay untouched", () =>
    Effect.gen(function* () {
      const { account, draft, inside, organization } = yield* givenStage
      const script = yield* MemoryChat.ChatScript
      const sent = yield* givenDraft(organization, account.id, { name: "sent" })
      yield* submitMessageTemplate({ id: sent.id }).pipe(inside)
      yield* script.decide("sent", "en", "approved")
      yield* script.keepTemplate(
        keptByProvider({
          externalId: "new-1",
          name: "new",
          category: "marketing",
          components: {
            header: { format: "image", link: "https://scontent.example/1?oh=1" },
            body: { text: "News for {{first_name}} today.", examples: { first_name: "Ada" } }
          }
        })
      )
      const sync = syncMessageTemplates({ chatAccountId: account.id }).pipe(inside)
      assert.deepStrictEqual(yield* sync, { created: 1, updated: 1, unchanged: 0, missing: 0 })
      const { data } = yield* listMessageTemplates({ ...everything, page: all }).pipe(inside)
      assert.deepStrictEqual(
        data.map(({ category, name, quality, status }) => [name, status, category, quality]),
        [
          ["hello", "draft", "utility", "unknown"],
          ["new", "approved", "marketing", "green"],
          ["sent", "approved", "utility", "unknown"]
        ]
      )
      assert.deepStrictEqual(
        data[1]?.variables.map(({ key, kind }) => [key, kind]),
        [
          ["header", "image"],
          ["body.first_name", "text"]
        ]
      )
      assert.deepStrictEqual(yield* getMessageTemplate({ id: draft.id }).pipe(inside), draft)
      const again = yield* traced(organization, sync)
      assert.deepStrictEqual([again.answer, again.events], [{ created: 0, updated: 0, unchanged: 2, missing: 0 }, []])
    }))

  test("keep corrections of a rejected template when the sync reads it", () =>
    Effect.gen(function* () {
      const { account, draft, inside, organization } = yield* givenStage
      yield* rejected(organization, draft)
      const mended = yield* updateMessageTemplate({
        id: draft.id,
        components: welcome,
        category: "marketing",
        ifVersion: null
      }).pipe(inside)
      yield* syncMessageTemplates({ chatAccountId: account.id }).pipe(inside)
      assert.deepStrictEqual(yield* getMessageTemplate({ id: draft.id }).pipe(inside), mended)
    }))

  test("with unknown components are shown, and cannot be filled", () =>
    Effect.gen(function* () {
      const { account, draft, inside } = yield* givenStage
      const script = yield* MemoryChat.ChatScript
      const { externalId } = yield* submitMessageTemplate({ id: draft.id }).pipe(inside)
      const unsupported = [{ type: "BUTTONS", buttons: [{ type: "PAGE" }] }]
      yield* script.keepTemplate(
        keptByProvider({ externalId: externalId ?? "", components: { ...hello, unsupported } })
      )
      yield* script.keepTemplate(keptByProvider({ externalId: "other", name: "odd", components: { unsupported } }))
      const answer = yield* syncMessageTemplates({ chatAccountId: account.id }).pipe(inside)
      assert.deepStrictEqual(answer, { created: 1, updated: 1, unchanged: 0, missing: 0 })
      const read = yield* getMessageTemplate({ id: draft.id }).pipe(inside)
      assert.deepStrictEqual([read.status, read.components.unsupported], ["approved", unsupported])
      for (const values of [{ "body.1": "Ada" }, { "body.1": "Ada", unsupported: "yes" }]) {
        assert.strictEqual(
          yield* whyOf(previewMessageTemplate({ id: draft.id, values })).pipe(inside),
          "ValidationFailed /values/unsupported"
        )
      }
    }))

  test("are disabled when the provider does not keep them any more", () =>
    Effect.gen(function* () {
      const { account, draft, inside, organization } = yield* givenStage
      const { externalId } = yield* submitMessageTemplate({ id: draft.id }).pipe(inside)
      yield* (yield* MemoryChat.whole).templates.remove(line, draft.name, externalId ?? "")
      const { answer, events } = yield* traced(
        organization,
        syncMessageTemplates({ chatAccountId: account.id }).pipe(inside)
      )
      assert.deepStrictEqual(answer, { created: 0, updated: 0, unchanged: 0, missing: 1 })
      assert.deepStrictEqual(events, [
        { type: "message_template.status_changed", messageTemplateId: draft.id, from: "pending", to: "disabled" }
      ])
    }))

  test("are previewed with the values that they could be sent with, and no others", () =>
    Effect.gen(function* () {
      const { draft, inside } = yield* givenStage
      const preview = (values: Readonly<Record<string, string>>) =>
        previewMessageTemplate({ id: draft.id, values }).pipe(inside)
      assert.strictEqual((yield* preview({ "body.1": "Grace" })).body, "Hello Grace, welcome.")
      const refused = [{}, { "body.1": "a\nb" }, { "body.1": "Grace", "body.2": "x", "header.a/b": "y" }]
      assert.deepStrictEqual(yield* Effect.forEach(refused, (values) => whyOf(preview(values))), [
        "ValidationFailed /values/body.1",
        "ValidationFailed /values/body.1",
        "ValidationFailed /values/body.2 /values/header.a~1b"
      ])
    }))

  test("of another organization are unknown", () =>
    Effect.gen(function* () {
      const { account, draft } = yield* givenStage
      const outside = asOperatorOf(yield* givenOrganization())
      const id: MessageTemplateId = draft.id
      const calls = [
        whyOf(getMessageTemplate({ id })),
        whyOf(updateMessageTemplate({ id, ifVersion: null })),
        whyOf(submitMessageTemplate({ id })),
        whyOf(deleteMessageTemplate({ id, ifVersion: null })),
        whyOf(previewMessageTemplate({ id })),
        whyOf(syncMessageTemplates({ chatAccountId: account.id })),
        whyOf(listMessageTemplates({ ...everything, chatAccountId: account.id, page: all }))
      ]
      const answers = yield* Effect.all(calls).pipe(outside)
      assert.deepStrictEqual([...new Set(answers)], ["NotFound", "NotFound /chatAccountId"])
      assert.lengthOf(
        answers.filter((answer) => answer.startsWith("NotFound")),
        calls.length
      )
    }))
})

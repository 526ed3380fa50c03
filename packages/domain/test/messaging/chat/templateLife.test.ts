import { assert, describe } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import {
  applyTemplateUpdates,
  createLibraryMessageTemplate,
  createMessageTemplate,
  editMessageTemplate,
  getMessageTemplate,
  type InboundEvent,
  listLibraryTemplates,
  listMessageTemplates,
  type MessageTemplate,
  type NewMessageTemplate,
  submitMessageTemplate,
  syncMessageTemplates,
  TemplateFileId,
  unpauseMessageTemplate,
  updateMessageTemplate,
  uploadMedia
} from "@parley/domain/messaging"
import { asOperatorOf, givenOrganization, MemoryChat } from "@parley/testkit"
import { DateTime, Effect, Redacted, Stream } from "effect"
import { TestClock } from "effect/testing"
import { traced } from "../../crm/traces.ts"
import { whyOf } from "../inbox/faults.ts"
import { givenConnected, givenDraft, greeting, hello, keptByProvider, test } from "./given.ts"

type Update = Extract<InboundEvent, { readonly kind: "template" }>

const update = (input: Partial<Update>): Update => ({
  kind: "template",
  businessId: "business-1",
  externalId: "elsewhere",
  name: "hello",
  language: "en",
  status: null,
  reason: null,
  quality: null,
  category: null,
  ...input
})

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])

const line = { accessToken: Redacted.make("another right"), phoneId: "any", businessId: "any" }

const givenStage = Effect.gen(function* () {
  const organization = yield* givenOrganization()
  const inside = asOperatorOf(organization)
  const account = yield* givenConnected(organization)
  const draft = yield* givenDraft(organization, account.id)
  const read = getMessageTemplate({ id: draft.id }).pipe(inside)
  const tell = (...updates: ReadonlyArray<Partial<Update>>) =>
    transact(applyTemplateUpdates("whatsapp", updates.map(update))).pipe(inside)
  return { organization, inside, account, draft, read, tell }
})

/** A template that the provider has decided about. */
const givenDecided = Effect.fnUntraced(function* (status: "approved" | "paused" | "rejected") {
  const stage = yield* givenStage
  const { account, draft, inside } = stage
  yield* submitMessageTemplate({ id: draft.id }).pipe(inside)
  yield* (yield* MemoryChat.ChatScript).decide(draft.name, draft.language, status)
  yield* syncMessageTemplates({ chatAccountId: account.id }).pipe(inside)
  return stage
})

const givenPicture = (inside: ReturnType<typeof asOperatorOf>) =>
  uploadMedia({ filename: "bread.png", mimeType: "image/png", bytes: Stream.make(png) }).pipe(
    inside,
    Effect.orDie,
    Effect.map(({ id }) => TemplateFileId.make(id))
  )

const shown = ({ status, statusReason, statusUntil }: MessageTemplate) => [
  status,
  statusReason,
  statusUntil === null ? null : DateTime.toEpochMillis(statusUntil)
]

const hour = 3_600_000

const good = (text: string) => ({ body: { text, examples: { "1": "Ada" } } })

describe("samples of templates", () => {
  test("are uploaded to the provider as handles and kept when its link is read", () =>
    Effect.gen(function* () {
      const { account, inside } = yield* givenStage
      const mediaId = yield* givenPicture(inside)
      const header = { format: "image", mediaId } as const
      const input: NewMessageTemplate = {
        chatAccountId: account.id,
        name: "picture",
        language: "en",
        category: "marketing",
        components: { header, body: { text: "Fresh bread today." } }
      }
      const { id } = yield* createMessageTemplate(input).pipe(inside)
      yield* submitMessageTemplate({ id }).pipe(inside)
      yield* syncMessageTemplates({ chatAccountId: account.id }).pipe(inside)
      const after = yield* getMessageTemplate({ id }).pipe(inside)
      assert.deepStrictEqual(after.components.header, {
        ...header,
        link: `https://scontent.example/${mediaId}`
      })
      const again = yield* syncMessageTemplates({ chatAccountId: account.id }).pipe(inside)
      assert.deepStrictEqual(again, { created: 0, updated: 0, unchanged: 1, missing: 0 })
    }))

  test("are required, and must be files that the provider accepts", () =>
    Effect.gen(function* () {
      const { account, inside } = yield* givenStage
      const mediaId = yield* givenPicture(inside)
      const components = (header: NonNullable<NewMessageTemplate["components"]["header"]>) =>
        createMessageTemplate({
          chatAccountId: account.id,
          name: "picture",
          language: "en",
          category: "marketing",
          components: { header, body: { text: "Fresh bread today." } }
        })
      assert.deepStrictEqual(
        yield* Effect.forEach(
          [
            components({ format: "image" }),
            components({ format: "video", mediaId }),
            components({ format: "image", mediaId, link: "https://scontent.example/1" }),
            components({ format: "image", mediaId: TemplateFileId.make("01990000-0000-7000-8000-0000000000ff") })
          ],
          whyOf
        ).pipe(inside),
        [
          "ValidationFailed /components/header/mediaId",
          "ValidationFailed /components/header/mediaId",
          "ValidationFailed /components/header/link",
          "NotFound /components/header/mediaId"
        ]
      )
    }))
})

describe("events of templates", () => {
  test("show the pause cycle with reasons and ends", () =>
    Effect.gen(function* () {
      const { read, tell } = yield* givenDecided("approved")
      const now = DateTime.toEpochMillis(yield* DateTime.now)
      const pause = (title: string) =>
        update({ event: "PAUSED", status: "paused", detail: { title, description: null } })
      yield* tell(pause("FIRST_PAUSE"))
      assert.deepStrictEqual(shown(yield* read), ["paused", "first_pause", now + 3 * hour])
      yield* TestClock.adjust("1 hour")
      yield* tell(pause("FIRST_PAUSE"))
      assert.deepStrictEqual(shown(yield* read), ["paused", "first_pause", now + 3 * hour])
      yield* tell({ event: "APPROVED", status: "approved", detail: { title: "UNPAUSE", description: null } })
      assert.deepStrictEqual(shown(yield* read), ["approved", null, null])
      yield* tell(pause("SECOND_PAUSE"))
      assert.deepStrictEqual(shown(yield* read), ["paused", "second_pause", now + 7 * hour])
      yield* tell({ event: "DISABLED", status: "disabled", detail: { title: "DISABLED", description: null } })
      assert.deepStrictEqual(shown(yield* read), ["disabled", "disabled", null])
      yield* tell({ event: "REINSTATED", status: "approved" })
      assert.deepStrictEqual(shown(yield* read), ["approved", null, null])
    }))

  const events = [
    ["ARCHIVED", "archived"],
    ["UNARCHIVED", "approved"],
    ["LOCKED", "locked"],
    ["UNLOCKED", "approved"],
    ["LIMIT_EXCEEDED", "limit_exceeded"],
    ["IN_APPEAL", "in_appeal"],
    ["PENDING_DELETION", "pending_deletion"],
    ["DELETED", "deleted"],
    ["FLAGGED", "approved"]
  ] as const
  for (const [event, status] of events) {
    test(`set the status after ${event}`, () =>
      Effect.gen(function* () {
        const { read, tell } = yield* givenDecided("approved")
        yield* tell({ event, status: null })
        assert.strictEqual((yield* read).status, status)
      }))
  }

  test("show a rejection with the advice of the provider, or with ours", () =>
    Effect.gen(function* () {
      const { read, tell } = yield* givenDecided("approved")
      yield* tell({ event: "REJECTED", status: "rejected", reason: "SCAM", recommendation: "Name your shop." })
      const first = yield* read
      assert.deepStrictEqual([first.rejectionReason, first.rejectionAdvice], ["SCAM", "Name your shop."])
      yield* tell({ event: "REJECTED", status: "rejected", reason: "PROMOTIONAL" })
      assert.match((yield* read).rejectionAdvice ?? "", /^Remove promotional content/u)
      yield* tell({ event: "APPROVED", status: "approved" })
      const last = yield* read
      assert.deepStrictEqual([last.rejectionReason, last.rejectionAdvice], [null, null])
    }))

  test("announce a change of the category with its time, then report the change", () =>
    Effect.gen(function* () {
      const { draft, organization, read, tell } = yield* givenDecided("approved")
      const at = DateTime.makeUnsafe("2026-05-02T09:00:00Z")
      const announcement = update({ category: "utility", impendingCategory: { category: "marketing", at } })
      const { events } = yield* traced(organization, tell(announcement))
      assert.deepStrictEqual(events, [
        { type: "message_template.updated", messageTemplateId: draft.id },
        {
          type: "message_template.category_change_announced",
          messageTemplateId: draft.id,
          category: "marketing",
          at
        }
      ])
      assert.deepStrictEqual((yield* traced(organization, tell(announcement))).events, [])
      const announced = yield* read
      assert.deepStrictEqual([announced.category, announced.announcedCategory], ["utility", "marketing"])
      yield* tell({ category: "marketing", previousCategory: "utility" })
      const done = yield* read
      assert.deepStrictEqual([done.category, done.announcedCategory, done.categoryChangesAt], ["marketing", null, null])
    }))

  test("store the quality with its time", () =>
    Effect.gen(function* () {
      const { read, tell } = yield* givenDecided("approved")
      yield* tell({ quality: "yellow", previousQuality: "green" })
      const { quality, qualityAt } = yield* read
      assert.deepStrictEqual([quality, qualityAt], ["yellow", yield* DateTime.now])
    }))
})

describe("edits of templates", () => {
  test("replace the content of an approved template at most once a day and ten times in 30 days", () =>
    Effect.gen(function* () {
      const { draft, inside, read } = yield* givenDecided("approved")
      const edit = (text: string) =>
        editMessageTemplate({ id: draft.id, components: good(text), ifVersion: null }).pipe(inside)
      const first = yield* edit("Good day {{1}}, number 0.")
      assert.deepStrictEqual([first.status, first.components], ["approved", good("Good day {{1}}, number 0.")])
      const limited = yield* Effect.flip(edit("Good day {{1}}, number 1."))
      assert.strictEqual(
        limited._tag === "MessageTemplateEditLimited" && DateTime.toEpochMillis(limited.retryAt),
        DateTime.toEpochMillis(yield* DateTime.now) + 24 * hour
      )
      for (let count = 1; count < 10; count += 1) {
        yield* TestClock.adjust("1 day")
        yield* edit(`Good day {{1}}, number ${count}.`)
      }
      yield* TestClock.adjust("1 day")
      const full = yield* Effect.flip(edit("Good day {{1}}, one more."))
      assert.strictEqual(
        full._tag === "MessageTemplateEditLimited" && DateTime.toEpochMillis(full.retryAt),
        DateTime.toEpochMillis(yield* DateTime.now) + 20 * 24 * hour
      )
      assert.lengthOf((yield* read).editTimes, 10)
      const [kept] = yield* Stream.runCollect((yield* MemoryChat.whole).templates.list(line))
      assert.deepStrictEqual(kept?.components, good("Good day {{1}}, number 9."))
    }))

  test("start a new review of a rejected template, and have no limit while it is rejected or paused", () =>
    Effect.gen(function* () {
      const { draft, inside } = yield* givenDecided("rejected")
      const after = yield* editMessageTemplate({
        id: draft.id,
        components: good("Good day {{1}}, dear."),
        category: "marketing",
        ifVersion: null
      }).pipe(inside)
      assert.deepStrictEqual([after.status, after.category, after.editTimes], ["pending", "marketing", []])
      const pending = editMessageTemplate({ id: draft.id, components: good("Good day {{1}}, you."), ifVersion: null })
      assert.strictEqual(yield* whyOf(pending).pipe(inside), "MessageTemplateStatusInvalid")
    }))

  test("keep the category of an approved template", () =>
    Effect.gen(function* () {
      const { draft, inside } = yield* givenDecided("approved")
      const moved = editMessageTemplate({ id: draft.id, category: "marketing", ifVersion: null })
      assert.strictEqual(yield* whyOf(moved).pipe(inside), "ValidationFailed /category")
      const same = yield* editMessageTemplate({ id: draft.id, components: hello, ifVersion: null }).pipe(inside)
      assert.deepStrictEqual(same.editTimes, [])
    }))

  test("leave components alone that only the provider has", () =>
    Effect.gen(function* () {
      const { account, inside } = yield* givenStage
      const unsupported = [{ type: "PARALLAX" }]
      const header = { format: "image", link: "https://scontent.example/1?oh=1" } as const
      const components = { header, body: { text: "Fresh bread today." }, unsupported }
      yield* (yield* MemoryChat.ChatScript).keepTemplate(keptByProvider({ name: "theirs", components }))
      yield* syncMessageTemplates({ chatAccountId: account.id }).pipe(inside)
      const { data } = yield* listMessageTemplates({
        chatAccountId: account.id,
        status: "approved",
        name: "theirs",
        page: { limit: 1, cursor: null }
      }).pipe(inside)
      const id = data[0]?.id ?? assert.fail("nothing was stored")
      const edited = yield* editMessageTemplate({ id, components, timeToLive: 600, ifVersion: null }).pipe(inside)
      assert.deepStrictEqual([edited.components, edited.timeToLive], [components, 600])
      const kept = yield* Stream.runCollect((yield* MemoryChat.whole).templates.list(line))
      assert.deepStrictEqual(kept.find(({ name }) => name === "theirs")?.components, components)
      yield* TestClock.adjust("1 day")
      const unset = editMessageTemplate({ id, timeToLive: null, ifVersion: null })
      assert.strictEqual(yield* whyOf(unset).pipe(inside), "ValidationFailed /timeToLive")
      const changed = editMessageTemplate({
        id,
        components: { ...components, body: { text: "Fresh rolls." } },
        ifVersion: null
      })
      assert.strictEqual(
        yield* whyOf(changed).pipe(inside),
        "ValidationFailed /components/unsupported /components/header/mediaId"
      )
    }))

  test("of drafts stay local", () =>
    Effect.gen(function* () {
      const { draft, inside } = yield* givenStage
      assert.strictEqual(
        yield* whyOf(editMessageTemplate({ id: draft.id, ifVersion: null })).pipe(inside),
        "MessageTemplateStatusInvalid"
      )
      const changed = yield* updateMessageTemplate({ id: draft.id, timeToLive: 600, ifVersion: null }).pipe(inside)
      assert.strictEqual(changed.timeToLive, 600)
    }))
})

describe("other operations on templates", () => {
  test("end a pause at the provider", () =>
    Effect.gen(function* () {
      const { draft, inside, tell } = yield* givenDecided("paused")
      yield* tell({ event: "PAUSED", status: "paused", detail: { title: "RATE_LIMITING_PAUSE", description: null } })
      const after = yield* unpauseMessageTemplate({ id: draft.id }).pipe(inside)
      assert.deepStrictEqual(shown(after), ["approved", null, null])
      assert.strictEqual(
        yield* whyOf(unpauseMessageTemplate({ id: draft.id })).pipe(inside),
        "MessageTemplateStatusInvalid"
      )
    }))

  test("create from the library once", () =>
    Effect.gen(function* () {
      const { account, inside } = yield* givenStage
      const { data } = yield* listLibraryTemplates({ chatAccountId: account.id, search: "delivery" }).pipe(inside)
      const input = {
        chatAccountId: account.id,
        libraryName: data[0]?.name ?? "",
        name: "my_delivery",
        language: "en",
        category: "utility"
      } as const
      const created = yield* createLibraryMessageTemplate(input).pipe(inside)
      assert.deepStrictEqual(
        [created.status, created.libraryName, created.variables.map(({ key }) => key)],
        ["approved", "delivery_update_1", ["body.1", "body.2"]]
      )
      assert.strictEqual(yield* whyOf(createLibraryMessageTemplate(input)).pipe(inside), "MessageTemplateExists")
    }))

  test("refuse a text that another template has at the provider", () =>
    Effect.gen(function* () {
      const { account, inside, organization } = yield* givenDecided("approved")
      const twin = { chatAccountId: account.id, name: "twin", language: "en", category: "utility" } as const
      const draft = yield* givenDraft(organization, account.id, { name: "draft", components: greeting })
      const refused = "ValidationFailed /components/body/text"
      assert.strictEqual(yield* whyOf(createMessageTemplate({ ...twin, components: hello })).pipe(inside), refused)
      const changed = updateMessageTemplate({ id: draft.id, components: hello, ifVersion: null })
      assert.strictEqual(yield* whyOf(changed).pipe(inside), refused)
    }))

  test("recognise a status that an earlier read did not have", () =>
    Effect.gen(function* () {
      const { account, draft, inside, read } = yield* givenDecided("approved")
      const script = yield* MemoryChat.ChatScript
      const qualityAt = DateTime.makeUnsafe("2026-04-01T09:00:00Z")
      yield* script.keepTemplate(
        keptByProvider({ status: "archived", announcedCategory: "marketing", qualityAt, timeToLive: 60 })
      )
      yield* syncMessageTemplates({ chatAccountId: account.id }).pipe(inside)
      const after = yield* read
      assert.strictEqual(after.id, draft.id)
      assert.deepStrictEqual(
        [after.status, after.announcedCategory, after.qualityAt, after.timeToLive],
        ["archived", "marketing", qualityAt, 60]
      )
    }))
})

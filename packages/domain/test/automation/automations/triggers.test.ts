import { assert, layer } from "@effect/vitest"
import { nextId, transact } from "@parley/domain/kernel"
import type { Organization } from "@parley/domain/platform"
import {
  type Contact,
  createTag,
  getContact,
  tagContact,
  type TagId,
  untagContact,
  updateContact
} from "@parley/domain/crm"
import {
  assignConversation,
  changeConversations,
  type Conversation,
  createNote,
  listNotes,
  MessageId,
  Notes
} from "@parley/domain/messaging"
import { type Action, AutomationRunId, type Trigger, WorkflowStarter } from "@parley/domain/automation"
import {
  asOperatorOf,
  asOwnerOf,
  givenAutomationRun,
  givenContact,
  givenContactField,
  givenConversation,
  givenEvent,
  givenMember,
  givenMessage,
  givenOrganization,
  TestKit
} from "@parley/testkit"
import { Effect } from "effect"
import { enabled, runsOf, settle } from "./engine.ts"

const started = Effect.gen(function* () {
  const organization = yield* givenOrganization({ plan: "scale" })
  const { id: tagId } = yield* createTag({ name: "seen" }).pipe(asOwnerOf(organization))
  const adds: Action = { type: "tag", tagIds: [tagId] }
  return { organization, tagId, adds }
})

type Started = Effect.Success<typeof started>

/** States and abort reasons of the runs of an automation, in log order. */
const endsOf = (organization: Organization, automation: Parameters<typeof runsOf>[1]) =>
  Effect.map(runsOf(organization, automation), (runs) => runs.map(({ reason, state }) => reason ?? state).toReversed())

const inOrganization = asOwnerOf

/** Starts on a trigger, with a condition on its event, and adds the tag. */
const tagging = ({ adds, organization }: Started, when: Trigger, condition = {}) =>
  enabled(organization, { when, if: condition, then: [adds] })

const isTagged = ({ organization, tagId }: Started, { id }: Pick<Contact, "id">) =>
  Effect.map(getContact({ id }).pipe(asOwnerOf(organization)), ({ tags }) => tags.includes(tagId))

/** A message that was sent, and the receipt of its provider. */
const givenOutcome = Effect.fnUntraced(function* (
  organization: Organization,
  conversation: Conversation,
  to: "delivered" | "read" | "failed",
  author: { readonly kind: "user" | "automation"; readonly id: string; readonly runId?: string }
) {
  const message = yield* givenMessage(organization, conversation, {
    direction: "outbound",
    author,
    status: to,
    error: to === "failed" ? { code: "recipient_unreachable", providerCode: 131_026, reason: "No such account" } : null
  })
  const { id: conversationId } = conversation
  yield* givenEvent(organization, {
    type: "message.status_changed",
    conversationId,
    messageId: message.id,
    from: "sent",
    to
  })
})

layer(TestKit.layer)("triggers of contacts", (it) => {
  it.effect("start for the named fields only, once for each change", () =>
    Effect.gen(function* () {
      const world = yield* started
      const { organization } = world
      yield* givenContactField(organization, "birthday", { type: "date" })
      yield* givenContactField(organization, "city")
      const any = yield* tagging(world, { event: "contact.updated" })
      const some = yield* tagging(world, { event: "contact.updated", fields: ["name", "attribute.birthday"] })
      const where = yield* tagging(
        world,
        { event: "contact.updated" },
        { field: "event.fields", op: "any_of", value: ["attribute.city"] }
      )
      const contact = yield* givenContact(organization)
      const change = (input: object) =>
        updateContact({ id: contact.id, ifVersion: null, ...input }).pipe(inOrganization(organization))
      yield* change({ attributes: { city: "Rome" } })
      yield* change({ locale: "it" })
      yield* change({ attributes: { birthday: "1990-02-28" } })
      yield* change({ name: "Ada" })
      yield* change({ name: "Ada" })
      yield* settle(organization, 3)
      assert.lengthOf(yield* runsOf(organization, any), 4)
      assert.lengthOf(yield* runsOf(organization, some), 2)
      assert.deepStrictEqual(yield* endsOf(organization, where), ["succeeded", "skipped", "skipped", "skipped"])
      assert.isTrue(yield* isTagged(world, contact))
    })
  )

  it.effect("start nothing for imported contacts", () =>
    Effect.gen(function* () {
      const world = yield* started
      const automation = yield* tagging(world, { event: "contact.updated" })
      const { id: contactId } = yield* givenContact(world.organization)
      yield* givenEvent(world.organization, { type: "contact.updated", contactId, fields: ["name"], imported: true })
      yield* settle(world.organization)
      assert.isEmpty(yield* runsOf(world.organization, automation))
    })
  )

  it.effect("never start an automation from its own changes, also through another automation", () =>
    Effect.gen(function* () {
      const { organization } = yield* started
      yield* givenContactField(organization, "visits", { type: "number" })
      const sets = (visits: number): Action => ({ type: "set_attribute", attributes: { visits } })
      const one = yield* enabled(organization, { when: { event: "contact.updated" }, then: [sets(1)] })
      const other = yield* enabled(organization, { when: { event: "contact.updated" }, then: [sets(2)] })
      const contact = yield* givenContact(organization)
      yield* updateContact({ id: contact.id, name: "Ada", ifVersion: null }).pipe(asOwnerOf(organization))
      yield* settle(organization, 8)
      const ends = [yield* endsOf(organization, one), yield* endsOf(organization, other)]
      assert.deepStrictEqual(
        ends.map((each) => each.filter((end) => end === "succeeded").length),
        [2, 2]
      )
      assert.includeMembers(ends.flat(), ["cycle"])
      assert.notInclude(ends.flat(), "rate")
    })
  )

  it.effect("start for removed tags, filtered by tag", () =>
    Effect.gen(function* () {
      const world = yield* started
      const { organization } = world
      const tags: Array<TagId> = []
      for (const name of ["vip", "lead"]) tags.push((yield* createTag({ name }).pipe(asOwnerOf(organization))).id)
      const [vip, lead] = tags as [TagId, TagId]
      const automation = yield* tagging(world, { event: "contact.untagged", tagIds: [vip] })
      const contact = yield* givenContact(organization)
      yield* tagContact({ id: contact.id, tags: [vip, lead] }).pipe(asOwnerOf(organization))
      yield* untagContact({ id: contact.id, tag: [lead] }).pipe(asOwnerOf(organization))
      yield* settle(organization)
      assert.isEmpty(yield* runsOf(organization, automation))
      yield* untagContact({ id: contact.id, tag: [vip] }).pipe(asOwnerOf(organization))
      yield* settle(organization)
      assert.deepStrictEqual(yield* endsOf(organization, automation), ["succeeded"])
    })
  )
})

layer(TestKit.layer)("triggers of conversations", (it) => {
  it.effect("start for a new assignee, but not without one, and not for bulk changes", () =>
    Effect.gen(function* () {
      const world = yield* started
      const { organization } = world
      const [ada, bob] = [yield* givenMember(organization, "agent"), yield* givenMember(organization, "agent")]
      const any = yield* tagging(world, { event: "conversation.assigned" })
      const named = yield* tagging(world, { event: "conversation.assigned", assigneeIds: [bob.user.id] })
      const where = yield* tagging(
        world,
        { event: "conversation.assigned" },
        { field: "event.assigneeId", op: "is", value: bob.user.id }
      )
      const { id } = yield* givenConversation(organization)
      const assign = (assigneeId: typeof ada.user.id | null) =>
        assignConversation({ id, assigneeId }).pipe(asOwnerOf(organization))
      yield* assign(ada.user.id)
      yield* assign(null)
      yield* assign(bob.user.id)
      yield* changeConversations({ ids: [id], action: { type: "assign", assigneeId: ada.user.id } }).pipe(
        asOwnerOf(organization)
      )
      yield* settle(organization)
      assert.lengthOf(yield* runsOf(organization, any), 2)
      assert.lengthOf(yield* runsOf(organization, named), 1)
      assert.deepStrictEqual(yield* endsOf(organization, where), ["skipped", "succeeded"])
    })
  )

  it.effect("start for notes, whose text conditions and texts read, and not for own notes", () =>
    Effect.gen(function* () {
      const { organization } = yield* started
      const automation = yield* enabled(organization, {
        when: { event: "note.created" },
        if: { field: "note.text", op: "has_word", value: ["refund"] },
        then: [{ type: "add_note", text: "About the refund: {{ note.text }}" }]
      })
      const { id } = yield* givenConversation(organization)
      const write = (text: string) => createNote({ id, text }).pipe(asOwnerOf(organization))
      yield* write("Nothing to do")
      yield* write("Wants a refund")
      yield* settle(organization, 4)
      const { data } = yield* listNotes({ id, page: { limit: 10, cursor: null } }).pipe(asOwnerOf(organization))
      assert.deepStrictEqual(
        data.map(({ text }) => text),
        ["About the refund: Wants a refund", "Wants a refund", "Nothing to do"]
      )
      assert.deepStrictEqual(yield* endsOf(organization, automation), ["skipped", "succeeded", "cycle"])
    })
  )

  it.effect("see no text of a deleted note", () =>
    Effect.gen(function* () {
      const world = yield* started
      const { organization } = world
      const automation = yield* tagging(
        world,
        { event: "note.created" },
        { field: "note.text", op: "contains", value: "refund" }
      )
      const { id } = yield* givenConversation(organization)
      const note = yield* createNote({ id, text: "Wants a refund" }).pipe(asOwnerOf(organization))
      yield* transact((yield* Notes).remove(id, note.id, null)).pipe(asOperatorOf(organization))
      yield* settle(organization)
      assert.deepStrictEqual(yield* endsOf(organization, automation), ["skipped"])
    })
  )
})

layer(TestKit.layer)("triggers of receipts", (it) => {
  it.effect("start for read and failed messages, with the error of the message", () =>
    Effect.gen(function* () {
      const world = yield* started
      const { organization } = world
      const read = yield* tagging(world, { event: "message.read" })
      const failed = yield* enabled(organization, {
        when: { event: "message.failed" },
        if: { field: "message.errorCode", op: "is", value: "recipient_unreachable" },
        then: [{ type: "add_note", text: "Failed: {{ message.errorCode }}" }]
      })
      const conversation = yield* givenConversation(organization)
      const author = { kind: "user", id: yield* nextId(MessageId) } as const
      for (const to of ["delivered", "read", "failed"] as const) {
        yield* givenOutcome(organization, conversation, to, author)
      }
      yield* settle(organization)
      assert.deepStrictEqual(yield* endsOf(organization, read), ["succeeded"])
      assert.deepStrictEqual(yield* endsOf(organization, failed), ["succeeded"])
      const { data } = yield* listNotes({ id: conversation.id, page: { limit: 10, cursor: null } }).pipe(
        asOwnerOf(organization)
      )
      assert.deepStrictEqual(
        data.map(({ text }) => text),
        ["Failed: recipient_unreachable"]
      )
    })
  )

  it.effect("continue the chain of the run that wrote the message", () =>
    Effect.gen(function* () {
      const world = yield* started
      const { organization } = world
      const [one, other] = [
        yield* tagging(world, { event: "message.failed" }),
        yield* tagging(world, { event: "message.failed" })
      ]
      const conversation = yield* givenConversation(organization)
      const via = [{ kind: "automation", id: other.id }] as const
      const { id: runId } = yield* givenAutomationRun(organization, one.id, {
        state: "succeeded",
        event: { position: 7, type: "contact.tagged" },
        causation: { depth: 1, root: 3, via }
      })
      yield* givenOutcome(organization, conversation, "failed", { kind: "automation", id: one.id, runId })
      yield* settle(organization)
      const own = (yield* runsOf(organization, one)).find(({ event }) => event.type === "message.status_changed")
      assert.deepStrictEqual([own?.state, own?.reason], ["aborted", "cycle"])
      assert.deepStrictEqual(own?.causation, { depth: 2, root: 3, via: [...via, { kind: "automation", id: one.id }] })
      assert.deepStrictEqual(yield* endsOf(organization, other), ["cycle"])
    })
  )

  it.effect("start other automations for messages of a workflow, and for messages of deleted runs", () =>
    Effect.gen(function* () {
      const world = yield* started
      const { organization } = world
      const automation = yield* tagging(world, { event: "message.read" })
      const conversation = yield* givenConversation(organization)
      const [known, gone] = [yield* nextId(AutomationRunId), yield* nextId(AutomationRunId)]
      const causation = { depth: 1, root: null, via: [{ kind: "workflow", id: yield* nextId(MessageId) }] } as const
      for (const runId of [known, gone]) {
        yield* givenOutcome(organization, conversation, "read", { kind: "automation", id: runId, runId })
      }
      const starter = yield* WorkflowStarter
      yield* settle(organization).pipe(
        Effect.provideService(WorkflowStarter, {
          ...starter,
          causationOf: (runId) => Effect.succeed(runId === known ? causation : null)
        })
      )
      const runs = (yield* runsOf(organization, automation)).toReversed()
      assert.deepStrictEqual(
        runs.map((run) => [run.state, run.causation]),
        [
          ["succeeded", causation],
          ["succeeded", null]
        ]
      )
    })
  )
})

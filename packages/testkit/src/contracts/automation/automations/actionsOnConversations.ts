import { assert } from "@effect/vitest"
import { EventLog } from "@parley/domain/platform"
import { TagId } from "@parley/domain/crm"
import { getConversation, listNotes } from "@parley/domain/messaging"
import type { Action, ActionFacts } from "@parley/domain/automation"
import type { Ports } from "@parley/domain/composition"
import { DateTime, Effect } from "effect"
import { asOperatorOf } from "../../../fixtures/actors.ts"
import { givenContactField, givenTag } from "../../../fixtures/contacts.ts"
import { givenTemplate } from "../../../fixtures/templates.ts"
import type { Contract } from "../../contract.ts"
import { freshId } from "../../given.ts"
import {
  morning,
  given,
  talking,
  perform,
  codeOf,
  effectOf,
  contactNow,
  messagesIn,
  conversationsOf,
  text
} from "./actionWorld.ts"

/** Changes of contacts and conversations, and messages. */
export const actionsOnConversationsPromises: Contract<Ports>["promises"] = (it) => {
  it.effect("changes contacts in the name of the automation, and reports only real changes", () =>
    Effect.gen(function* () {
      const world = yield* given
      const { cause, contact, organization } = world
      const tag = yield* givenTag(organization)
      yield* givenContactField(organization, "points", { type: "number" })
      const own = { kind: "contact", id: contact.id } as const
      const tagging: Action = { type: "tag", tagIds: [tag.id] }
      assert.deepStrictEqual(effectOf(yield* perform(world, tagging)), own)
      assert.isNull(effectOf(yield* perform(world, tagging)))
      const setting: Action = { type: "set_attribute", attributes: { points: "{{ order.total | default: 7 }}" } }
      assert.strictEqual(
        codeOf(yield* perform(world, { type: "set_attribute", attributes: { nope: 1 } })),
        "validation_failed"
      )
      assert.deepStrictEqual(effectOf(yield* perform(world, setting)), own)
      const after = yield* contactNow(world)
      assert.deepStrictEqual([after.tags, after.attributes], [[tag.id], { points: 1234.5 }])
      assert.deepStrictEqual(effectOf(yield* perform(world, { type: "untag", tagIds: [tag.id] })), own)
      const missing: Action = { type: "tag", tagIds: [tag.id, freshId(TagId)] }
      assert.strictEqual(codeOf(yield* perform(world, missing)), "not_found")
      assert.deepStrictEqual((yield* contactNow(world)).tags, [])
      const events = yield* Effect.flatMap(EventLog, (log) => log.list("all", { after: null, limit: 100 })).pipe(
        asOperatorOf(organization)
      )
      const tagged = events.find(({ event }) => event.type === "contact.tagged")
      assert.deepStrictEqual(tagged?.actor, { kind: "automation", id: cause.id })
    })
  )

  it.effect("changes the conversation of the event, else the unresolved one, like a member", () =>
    Effect.gen(function* () {
      const alone = yield* given
      const urgent: Action = { type: "set_priority", priority: "high" }
      assert.strictEqual(codeOf(yield* perform(alone, urgent)), "no_conversation")
      const world = yield* talking(alone)
      const { conversation, organization } = world
      const own = { kind: "conversation", id: conversation.id } as const
      const all: ReadonlyArray<Action> = [
        urgent,
        { type: "add_labels", labels: ["vip", "refund"] },
        { type: "remove_labels", labels: ["refund"] },
        { type: "set_status", status: "pending" },
        { type: "set_status", status: "snoozed", snoozeSeconds: 3_600 }
      ]
      for (const action of all) {
        assert.deepStrictEqual(effectOf(yield* perform(world, action)), own)
        const again = action.type === "set_status" ? own : null
        if (again === null) assert.isNull(effectOf(yield* perform(world, action)))
      }
      const now = yield* getConversation({ id: conversation.id }).pipe(asOperatorOf(organization))
      assert.deepStrictEqual([now.priority, now.labels, now.status], ["high", ["vip"], "snoozed"])
      const until = DateTime.add(morning, { hours: 1 })
      assert.isTrue(now.snoozedUntil !== null && DateTime.Equivalence(now.snoozedUntil, until))
      assert.isNull(effectOf(yield* perform(world, { type: "assign", assigneeId: null })))
      assert.deepStrictEqual(effectOf(yield* perform(world, { type: "set_status", status: "resolved" })), own)
      const own2 = { ...world, facts: { ...world.facts, conversationId: conversation.id } }
      const refused = yield* perform(own2, { type: "set_status", status: "pending" })
      assert.strictEqual(codeOf(refused), "conversation_transition_invalid")
      const many = Array.from({ length: 20 }, (_, index) => `label ${index}`)
      assert.strictEqual(codeOf(yield* perform(own2, { type: "add_labels", labels: many })), "too_many_labels")
    })
  )

  it.effect("has an effect once for each run, step and visit, however often it is performed", () =>
    Effect.gen(function* () {
      const world = yield* talking(yield* given)
      const { conversation, organization } = world
      const noting: Action = { type: "add_note", text: "{{ contact.firstName }} of {{ contact.attribute.city }}" }
      const first = yield* perform(world, noting, "note")
      assert.deepStrictEqual(yield* perform(world, noting, "note"), first)
      const { data } = yield* listNotes({ id: conversation.id, page: { limit: 10, cursor: null } }).pipe(
        asOperatorOf(organization)
      )
      assert.deepStrictEqual(
        data.map((note) => [note.text, note.author.kind]),
        [["Ada of London", "automation"]]
      )
      const sent = yield* perform(world, text("Hello {{ firstName }}"), "message")
      assert.deepStrictEqual(yield* perform(world, text("Hello {{ firstName }}"), "message"), sent)
      const messages = yield* messagesIn(organization, conversation.id)
      assert.deepStrictEqual(
        messages.map(({ author, text: input }) => [input, author]),
        [["Hello Ada", { kind: "automation", id: world.cause.id, runId: world.cause.runId }]]
      )
    })
  )

  it.effect("writes amounts as the language does, and refuses what is empty or too long", () =>
    Effect.gen(function* () {
      const world = yield* talking(yield* given)
      const { conversation, organization } = world
      assert.strictEqual(codeOf(yield* perform(world, text("{{ order.total }}"))), "done")
      const [message] = yield* messagesIn(organization, conversation.id)
      assert.strictEqual(message?.text, "€1,234.50")
      const empty: ReadonlyArray<string> = [
        "Hi {{ cart.recoveryUrl }}",
        "{{ contact.attribute.nope }}",
        "{{ constructor.name }}",
        "{{ contact.__proto__ }}",
        "{% for x in (1..9) %}x{% endfor %}",
        "{{ contact.name | plus: 1 }}",
        "{{ 'x' | append: 'y' }}"
      ]
      for (const source of empty) {
        assert.strictEqual(codeOf(yield* perform(world, text(source))), "missing_variable", source)
      }
      const long: ActionFacts = { ...world.facts, texts: { contact: { name: "x".repeat(4_097) } } }
      assert.strictEqual(codeOf(yield* perform({ ...world, facts: long }, text("{{ name }}"))), "text_too_long")
      assert.strictEqual(codeOf(yield* perform(world, text("{% if cart.id %}x{% endif %}"))), "validation_failed")
      assert.lengthOf(yield* messagesIn(organization, conversation.id), 1)
    })
  )

  it.effect("sends the template where the service window is closed, and nothing where there is none", () =>
    Effect.gen(function* () {
      const world = yield* talking(yield* given, { windowExpiresAt: DateTime.subtract(morning, { hours: 1 }) })
      const { account, conversation, organization } = world
      assert.strictEqual(codeOf(yield* perform(world, text("Hello"))), "service_window_closed")
      const template = yield* givenTemplate(organization, account.id)
      const whenClosed = { id: template.id, values: { "body.1": "{{ name }}" } }
      const sent = yield* perform(world, {
        type: "send_message",
        message: { kind: "text", text: "Hello" },
        whenClosed
      })
      assert.strictEqual(codeOf(sent), "done")
      const [message] = yield* messagesIn(organization, conversation.id)
      assert.deepStrictEqual([message?.kind, message?.text], ["template", "Dear Ada Lovelace, your order is ready."])
      const paused = yield* givenTemplate(organization, account.id, { status: "paused" })
      const refused = yield* perform(world, {
        type: "send_template",
        template: { id: paused.id, values: { "body.1": "x" } }
      })
      assert.strictEqual(codeOf(refused), "template_not_approved")
      const unfilled = yield* perform(world, {
        type: "send_template",
        template: { id: template.id, values: { "body.1": "{{ cart.id }}" } }
      })
      assert.strictEqual(codeOf(unfilled), "missing_variable")
    })
  )

  it.effect("opens no conversation with a template: its text becomes an answer", () =>
    Effect.gen(function* () {
      const world = yield* given
      const { account, organization } = world
      assert.strictEqual(codeOf(yield* perform(world, text("Hello"))), "no_conversation")
      const template = yield* givenTemplate(organization, account.id)
      const sending: Action = { type: "send_template", template: { id: template.id, values: { "body.1": "Ada" } } }
      assert.strictEqual(codeOf(yield* perform(world, sending)), "done")
      assert.strictEqual(codeOf(yield* perform(world, sending)), "done")
      const conversations = yield* conversationsOf(world)
      assert.deepStrictEqual(
        conversations.map(({ status }) => status),
        ["resolved"]
      )
      const [conversation] = conversations
      assert.isDefined(conversation)
      assert.lengthOf(yield* messagesIn(organization, conversation.id), 2)
      const events = yield* Effect.flatMap(EventLog, (log) => log.list("all", { after: null, limit: 100 })).pipe(
        asOperatorOf(organization)
      )
      const types = new Set(events.map(({ event }) => event.type))
      assert.isFalse(types.has("conversation.opened") || types.has("conversation.status_changed"))
    })
  )

  it.effect("leaves a resolved conversation resolved when it writes into it", () =>
    Effect.gen(function* () {
      const world = yield* talking(yield* given, { status: "resolved" })
      const { conversation, organization } = world
      const facts = { ...world.facts, conversationId: conversation.id }
      assert.strictEqual(codeOf(yield* perform({ ...world, facts }, text("How did we do?"))), "done")
      const after = yield* getConversation({ id: conversation.id }).pipe(asOperatorOf(organization))
      assert.deepStrictEqual([after.status, after.lastMessage?.text], ["resolved", "How did we do?"])
    })
  )
}

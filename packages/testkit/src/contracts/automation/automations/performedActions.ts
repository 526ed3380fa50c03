import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { EventLog, type Organization } from "@parley/domain/platform"
import { Contact, ContactHistory, Contacts, TagId, updateContact } from "@parley/domain/crm"
import {
  type Conversation,
  getConversation,
  listConversations,
  listMessages,
  listNotes,
  type MessageId
} from "@parley/domain/messaging"
import {
  PluginCalls,
  type PluginManifest,
  WebhookDeliveries,
  WebhookDeliveryId,
  WebhookSubscriptionId
} from "@parley/domain/integrations"
import { StoredBroadcastSettings } from "@parley/domain/campaigns"
import {
  type Action,
  type ActionCause,
  type ActionFacts,
  type ActionResult,
  AutomationId,
  AutomationRunId,
  createSchedule,
  performAction,
  ScheduleId,
  tryAction,
  WorkflowId,
  WorkflowStarter
} from "@parley/domain/automation"
import type { Ports } from "@parley/domain/composition"
import { DateTime, Effect, type Schema } from "effect"
import { TestClock } from "effect/testing"
import { asOperatorOf } from "../../../fixtures/actors.ts"
import { givenContact, givenContactField, givenTag } from "../../../fixtures/contacts.ts"
import { givenConversation, givenMessage, givenNumber } from "../../../fixtures/inbox.ts"
import { aManifest, putPlugin } from "../../../fixtures/plugins.ts"
import { givenTemplate } from "../../../fixtures/templates.ts"
import { givenSubscription } from "../../../fixtures/webhooks.ts"
import { type Contract, runContract } from "../../contract.ts"
import { freshId, givenMember, givenOrganization, present } from "../../given.ts"

/** Ten o'clock of a working day in Berlin, where the contact is. */
const morning = DateTime.makeUnsafe("2026-03-02T09:00:00Z")

const given = Effect.gen(function* () {
  yield* present
  yield* TestClock.setTime(DateTime.toEpochMillis(morning))
  const organization = yield* givenOrganization()
  const account = yield* givenNumber(organization)
  const digits = String(Number.parseInt(account.id.slice(-7), 16)).padStart(9, "0")
  const contact = yield* givenContact(organization, {
    name: "Ada Lovelace",
    phone: `+491511${digits.slice(0, 7)}`,
    timezone: "Europe/Berlin",
    marketing: { state: "subscribed" }
  })
  const cause: ActionCause = {
    kind: "automation",
    id: freshId(AutomationId),
    runId: freshId(AutomationRunId),
    step: "0",
    visit: 1
  }
  const facts: ActionFacts = {
    contactId: contact.id,
    conversationId: null,
    texts: {
      contact: { name: contact.name, firstName: "Ada", locale: "en", attribute: { city: "London" } },
      order: { name: "#1001", total: { amountMinor: 123_450, currency: "EUR" } }
    }
  }
  return { organization, account, contact, cause, facts }
})

type World = Effect.Success<typeof given>

const talking = (world: World, said: Partial<Conversation> = {}) =>
  Effect.map(
    givenConversation(world.organization, { contactId: world.contact.id, chatAccountId: world.account.id, ...said }),
    (conversation) => ({ ...world, conversation })
  )

/** Performs it as a separate step, unless given. */
const perform = (
  { cause, facts, organization }: Pick<World, "cause" | "facts" | "organization">,
  action: Action,
  step: string = freshId(AutomationRunId)
) => transact(performAction(action, { cause: { ...cause, step }, facts })).pipe(asOperatorOf(organization))

const codeOf = (result: ActionResult) => (result.kind === "refused" ? result.error.code : result.kind)

const errorOf = (result: ActionResult) => (result.kind === "refused" ? result.error : null)

/** A plugin with inputs of several types. */
const typedManifest = (key: string): PluginManifest => ({
  ...aManifest,
  key: `t-${key.replaceAll("-", "").slice(-30)}`,
  actions: [
    {
      key: "take",
      path: "/actions/take",
      timeoutSeconds: 10,
      input: {
        type: "object",
        properties: {
          points: { type: "integer" },
          note: { type: "string" },
          price: { type: "string" },
          vip: { type: "boolean" }
        }
      },
      output: { type: "object" }
    }
  ]
})

const effectOf = (result: ActionResult) =>
  result.kind === "done" ? result.effect : assert.fail(JSON.stringify(result))

const contactNow = ({ contact, organization }: Pick<World, "contact" | "organization">) =>
  Effect.flatMap(Contacts, (contacts) => contacts.get(contact.id)).pipe(asOperatorOf(organization), Effect.orDie)

const messagesIn = (organization: Organization, id: Conversation["id"]) =>
  Effect.map(listMessages({ id, page: { limit: 50, cursor: null } }), ({ data }) => data).pipe(
    asOperatorOf(organization),
    Effect.orDie
  )

const conversationsOf = ({ contact, organization }: Pick<World, "contact" | "organization">) =>
  Effect.map(listConversations({ contactId: contact.id, page: { limit: 50, cursor: null } }), ({ data }) => data).pipe(
    asOperatorOf(organization),
    Effect.orDie
  )

const settings = (organization: Organization, said: object) =>
  Effect.gen(function* () {
    const stored = yield* StoredBroadcastSettings
    yield* transact(stored.save({ ...(yield* stored.get()), ...said }, null))
  }).pipe(asOperatorOf(organization), Effect.orDie)

const text = (said: string): Action => ({ type: "send_message", message: { kind: "text", text: said } })

/** Contract of the actions of automations and workflows, for any storage. */
export const performedActions: Contract<Ports> = {
  port: "performAction",
  promises: (it) => {
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

    it.effect("sets the name, and the consent with its proof and its run, but ends no opt-out of the person", () =>
      Effect.gen(function* () {
        const world = yield* given
        const { cause, contact, organization } = world
        const own = { kind: "contact", id: contact.id } as const
        const naming: Action = { type: "set_name", name: "{{ contact.firstName }} of {{ contact.attribute.city }}" }
        assert.deepStrictEqual(effectOf(yield* perform(world, naming)), own)
        assert.strictEqual((yield* contactNow(world)).name, "Ada of London")
        assert.isNull(effectOf(yield* perform(world, naming)))
        assert.deepStrictEqual(effectOf(yield* perform(world, { type: "set_name", name: null })), own)
        const consents = Effect.flatMap(ContactHistory, (history) =>
          history.consents(contact.id, { after: null, limit: 10 })
        ).pipe(asOperatorOf(organization))
        const before = yield* consents
        const leaving: Action = { type: "set_consent", state: "unsubscribed", evidence: "No: {{ order.name }}" }
        assert.deepStrictEqual(effectOf(yield* perform(world, leaving)), own)
        const joining: Action = { ...leaving, state: "subscribed", source: "form", evidence: "Yes" }
        assert.deepStrictEqual(
          effectOf(yield* perform({ ...world, cause: { ...cause, kind: "workflow" } }, joining)),
          own
        )
        const added = (yield* consents).slice(0, -before.length)
        const by = { runId: cause.runId, at: morning, contactId: contact.id }
        assert.deepStrictEqual(
          added.map(({ actor, at, contactId, evidence, runId, source, state }) => [
            { state, source, evidence, actor },
            { runId, at, contactId }
          ]),
          [
            [{ state: "subscribed", source: "form", evidence: "Yes", actor: { kind: "workflow", id: cause.id } }, by],
            [
              {
                state: "unsubscribed",
                source: "automation",
                evidence: "No: #1001",
                actor: { kind: "automation", id: cause.id }
              },
              by
            ]
          ]
        )
        const stopped = { marketing: "unsubscribed", source: "chat_keyword", changedAt: morning } as const
        const now = yield* contactNow(world)
        yield* transact(
          Effect.flatMap(Contacts, (contacts) => contacts.saveAll([new Contact({ ...now, consent: stopped })]))
        ).pipe(asOperatorOf(organization), Effect.orDie)
        assert.strictEqual(codeOf(yield* perform(world, joining)), "contact_opted_out")
        assert.deepStrictEqual((yield* contactNow(world)).consent, stopped)
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
          messages.map(({ author, text: said }) => [said, author]),
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

    it.effect("sends ten messages an hour and thirty a day to a contact, over all senders", () =>
      Effect.gen(function* () {
        const world = yield* talking(yield* given)
        const { conversation, organization } = world
        const before = (minutes: number) =>
          givenMessage(organization, conversation, {
            direction: "outbound",
            author: { kind: "automation", id: freshId(WorkflowId) },
            status: "sent",
            at: DateTime.subtract(morning, { minutes })
          })
        for (let count = 0; count < 9; count += 1) yield* before(59)
        assert.strictEqual(codeOf(yield* perform(world, text("the tenth"))), "done")
        assert.strictEqual(codeOf(yield* perform(world, text("one too many"))), "message_limit")
        yield* TestClock.adjust("61 minutes")
        assert.strictEqual(codeOf(yield* perform(world, text("an hour later"))), "done")
        for (let count = 0; count < 19; count += 1) yield* before(120)
        assert.strictEqual(codeOf(yield* perform(world, text("the thirty-first"))), "message_limit")
        yield* TestClock.adjust("24 hours")
        assert.strictEqual(codeOf(yield* perform(world, text("a day later"))), "service_window_closed")
      })
    )

    it.effect("sends marketing with consent, within the caps, and after quiet hours", () =>
      Effect.gen(function* () {
        const world = yield* given
        const { account, contact, organization } = world
        const marketing = yield* givenTemplate(organization, account.id, { category: "marketing" })
        const utility = yield* givenTemplate(organization, account.id)
        const sending = (id: typeof marketing.id): Action => ({
          type: "send_template",
          template: { id, values: { "body.1": "Ada" } }
        })
        yield* settings(organization, { quietHours: { from: "08:00", to: "11:30" } })
        const waits = yield* perform(world, sending(marketing.id))
        assert.isTrue(waits.kind === "wait" && DateTime.formatIso(waits.until) === "2026-03-02T10:30:00.000Z")
        assert.strictEqual(codeOf(yield* perform(world, sending(utility.id))), "done")
        yield* settings(organization, {
          quietHours: null,
          frequencyCaps: [{ category: "marketing", max: 1, days: 2 }]
        })
        assert.strictEqual(codeOf(yield* perform(world, sending(marketing.id))), "done")
        assert.strictEqual(codeOf(yield* perform(world, sending(marketing.id))), "frequency_cap")
        yield* TestClock.adjust("49 hours")
        assert.strictEqual(codeOf(yield* perform(world, sending(marketing.id))), "done")
        const unsubscribe = updateContact({ id: contact.id, marketing: { state: "unsubscribed" }, ifVersion: null })
        yield* unsubscribe.pipe(asOperatorOf(organization))
        assert.strictEqual(codeOf(yield* perform(world, sending(marketing.id))), "not_subscribed")
      })
    )

    it.effect("ignores caps and quiet hours for contacts who wrote within the hour", () =>
      Effect.gen(function* () {
        const world = yield* given
        const { account, contact, organization } = world
        const marketing = yield* givenTemplate(organization, account.id, { category: "marketing" })
        yield* settings(organization, { quietHours: { from: "08:00", to: "11:30" } })
        const wrote = Effect.gen(function* () {
          const contacts = yield* Contacts
          const [before] = yield* contacts.lock([contact.id])
          if (before !== undefined) yield* contacts.saveAll([{ ...before, lastInboundAt: morning }])
        })
        yield* transact(wrote).pipe(asOperatorOf(organization), Effect.orDie)
        const sending: Action = { type: "send_template", template: { id: marketing.id, values: { "body.1": "Ada" } } }
        assert.strictEqual(codeOf(yield* perform(world, sending)), "done")
      })
    )

    it.effect("calls a webhook by its own delivery, the same one for the same step", () =>
      Effect.gen(function* () {
        const world = yield* given
        const { contact, organization } = world
        const { id } = yield* givenSubscription(organization, { events: [] })
        const calling: Action = {
          type: "call_webhook",
          webhookSubscriptionId: id,
          body: { order: "{{ order.name }}", total: "{{ order.total }}", list: [1, null, "{{ name | upcase }}"] }
        }
        const result = yield* perform(world, calling, "call")
        assert.deepStrictEqual(yield* perform(world, calling, "call"), result)
        const effect = effectOf(result)
        const deliveries = yield* WebhookDeliveries
        yield* Effect.gen(function* () {
          const search = { ordering: "none", now: morning, except: [], limit: 10 } as const
          const due = yield* deliveries.due(id, search)
          assert.deepStrictEqual(
            due.map(({ delivery }) => [String(delivery.id), delivery.type, delivery.position]),
            [[effect?.id ?? "", "automation.call", null]]
          )
          const { call } = due[0] ?? assert.fail("no delivery")
          const body: Schema.Json = {
            order: "#1001",
            total: { amountMinor: 123_450, currency: "EUR" },
            list: [1, null, "ADA LOVELACE"]
          }
          assert.deepStrictEqual([call?.body, call?.contactId, call?.runId], [body, contact.id, world.cause.runId])
          yield* transact(deliveries.blank([contact.id]))
          const blanked = yield* deliveries.get(id, WebhookDeliveryId.make(effect?.id ?? ""))
          assert.strictEqual(blanked.state, "discarded")
        }).pipe(asOperatorOf(organization))
        const missing: Action = { ...calling, webhookSubscriptionId: freshId(WebhookSubscriptionId) }
        assert.strictEqual(codeOf(yield* perform(world, missing)), "not_found")
      })
    )

    it.effect("calls a plugin once per step, and starts workflows through their owner", () =>
      Effect.gen(function* () {
        const world = yield* given
        const { organization } = world
        const plugin = yield* putPlugin(organization)
        const asking: Action = {
          type: "plugin_action",
          pluginId: plugin.id,
          action: "add_points",
          input: { points: 3 }
        }
        const first = yield* perform(world, asking, "ask")
        assert.strictEqual(first.kind, "calling")
        assert.deepStrictEqual(yield* perform(world, asking, "ask"), first)
        const wrong = yield* perform(world, { ...asking, input: { points: "{{ name }}" } })
        assert.strictEqual(codeOf(wrong), "validation_failed")
        assert.deepStrictEqual(
          [errorOf(wrong)?.pointer, errorOf(wrong)?.detail],
          ["/input/points", "/input/points: Expected the type integer."]
        )
        const other = yield* putPlugin(organization, { status: "disabled" })
        assert.strictEqual(codeOf(yield* perform(world, { ...asking, pluginId: other.id })), "plugin_disabled")
        const starting: Action = {
          type: "start_workflow",
          workflowId: freshId(WorkflowId),
          input: { who: "{{ name }}" }
        }
        assert.strictEqual(codeOf(yield* perform(world, starting)), "not_found")
        const asked: Array<unknown> = []
        const starts = WorkflowStarter.of({
          exists: () => Effect.succeed(true),
          needs: () => Effect.succeed(new Set()),
          causationOf: () => Effect.succeed(null),
          start: ({ input }) => Effect.sync(() => String(asked.push(input)))
        })
        const begun = yield* perform(world, starting).pipe(Effect.provideService(WorkflowStarter, starts))
        assert.deepStrictEqual(effectOf(begun), { kind: "workflow_run", id: "1" })
        assert.deepStrictEqual(asked, [{ who: "Ada Lovelace" }])
      })
    )

    it.effect("keeps the types of values and coerces them to the schema of a plugin", () =>
      Effect.gen(function* () {
        const world = yield* given
        const { facts, organization } = world
        const typed: ActionFacts = {
          ...facts,
          texts: {
            ...facts.texts,
            event: { position: 7, tagIds: ["t1"], at: morning, isFirst: false },
            input: { count: "12", deep: { list: [1, { a: null }] }, nothing: null }
          }
        }
        const input = {
          text: "{{ order.name }}",
          number: "{{ event.position }}",
          sum: "{{ event.position | plus: 1 }}",
          list: "{{ event.tagIds }}",
          at: "{{ event.at }}",
          boolean: "{{ event.isFirst }}",
          money: "{{ order.total }}",
          minor: "{{ order.total.amountMinor }}",
          object: "{{ input.deep }}",
          none: "{{ input.nothing | default: nil }}",
          within: ["{{ event.position }}", { longer: "No. {{ event.position }}" }],
          fixed: "7"
        }
        const asked: Array<unknown> = []
        const starts = WorkflowStarter.of({
          exists: () => Effect.succeed(true),
          needs: () => Effect.succeed(new Set()),
          causationOf: () => Effect.succeed(null),
          start: (start) => Effect.sync(() => String(asked.push(start.input)))
        })
        const starting: Action = { type: "start_workflow", workflowId: freshId(WorkflowId), input }
        const begun = perform({ ...world, facts: typed }, starting)
        assert.strictEqual(codeOf(yield* begun.pipe(Effect.provideService(WorkflowStarter, starts))), "done")
        assert.deepStrictEqual(asked, [
          {
            text: "#1001",
            number: 7,
            sum: 8,
            list: ["t1"],
            at: "2026-03-02T09:00:00.000Z",
            boolean: false,
            money: { amountMinor: 123_450, currency: "EUR" },
            minor: 123_450,
            object: { list: [1, { a: null }] },
            none: null,
            within: [7, { longer: "No. 7" }],
            fixed: "7"
          }
        ])
        const plugin = yield* putPlugin(organization, { manifest: typedManifest(organization.id) })
        const asks = (said: Readonly<Record<string, Schema.Json>>) =>
          perform(
            { ...world, facts: typed },
            { type: "plugin_action", pluginId: plugin.id, action: "take", input: said }
          )
        const coerced = yield* asks({
          points: "{{ input.count }}",
          note: "{{ event.position }}",
          price: "{{ order.total }}",
          vip: "{{ event.isFirst }}"
        })
        const callId = coerced.kind === "calling" ? coerced.callId : assert.fail(JSON.stringify(coerced))
        const call = yield* Effect.flatMap(PluginCalls, (calls) => calls.find(callId)).pipe(asOperatorOf(organization))
        assert.deepStrictEqual(call?.input, { points: 12, note: "7", price: "1234.50", vip: false })
        for (const value of ["{{ order.name }}", "{{ event.tagIds }}", "{{ order.total }}", "{{ event.at }}"]) {
          const refused = yield* asks({ points: value })
          assert.deepStrictEqual([codeOf(refused), errorOf(refused)?.pointer], ["validation_failed", "/input/points"])
        }
      })
    )

    it.effect("names the missing variable and the field", () =>
      Effect.gen(function* () {
        const world = yield* talking(yield* given)
        const { account, organization } = world
        const template = yield* givenTemplate(organization, account.id)
        const subscription = yield* givenSubscription(organization)
        const cases: ReadonlyArray<readonly [Action, string | undefined, string]> = [
          [text("Hi {{ firstName }} {{ contact.attribute.tier }}"), "contact.attribute.tier", "/message/text"],
          [{ type: "add_note", text: "{{ order.statusUrl | upcase }}" }, "order.statusUrl", "/text"],
          [{ type: "add_note", text: "{{ contact.name | plus: 1 }}" }, "contact.name", "/text"],
          [{ type: "add_note", text: "{{ contact.name | plus: order.name }}" }, undefined, "/text"],
          [
            { type: "send_template", template: { id: template.id, values: { "body.1": "{{ cart.id }}" } } },
            "cart.id",
            "/template/values/body.1"
          ],
          [
            {
              type: "call_webhook",
              webhookSubscriptionId: subscription.id,
              body: { a: [{ "b/c": "{{ cart.total }}" }] }
            },
            "cart.total",
            "/body/a/0/b~1c"
          ]
        ]
        for (const [action, variable, pointer] of cases) {
          const refused = yield* perform(world, action)
          const { facts, cause } = world
          const tried = yield* tryAction(action, { cause, facts }).pipe(asOperatorOf(organization))
          for (const error of [errorOf(refused), tried.refusal]) {
            assert.deepStrictEqual(
              [error?.code, error?.variable, error?.pointer],
              ["missing_variable", variable, pointer]
            )
            if (variable !== undefined) assert.include(error?.detail ?? "", variable)
          }
        }
      })
    )

    it.effect("stops at the size limit when it renders many large values", () =>
      Effect.gen(function* () {
        const world = yield* given
        const texts = { ...world.facts.texts, input: { large: { text: "x".repeat(20_000) } } }
        const subscription = yield* givenSubscription(world.organization)
        const body = Array.from({ length: 2_000 }, () => "{{ input.large }}")
        const refused = yield* perform(
          { ...world, facts: { ...world.facts, texts } },
          { type: "call_webhook", webhookSubscriptionId: subscription.id, body }
        )
        assert.deepStrictEqual([codeOf(refused), errorOf(refused)?.pointer], ["validation_failed", "/body"])
      })
    )

    it.effect("sends an away reply once while a schedule is closed", () =>
      Effect.gen(function* () {
        const world = yield* talking(yield* given)
        const { conversation, organization } = world
        const { id: scheduleId } = yield* createSchedule({ name: "Never", weekly: {} }).pipe(
          asOperatorOf(organization),
          Effect.orDie
        )
        const away: Action = {
          type: "send_away",
          scheduleId,
          message: { kind: "text", text: "Back soon, {{ firstName }}" }
        }
        assert.isNull(effectOf(yield* perform(world, away)))
        yield* givenMessage(organization, conversation)
        assert.strictEqual(effectOf(yield* perform(world, away))?.kind, "message")
        assert.isNull(effectOf(yield* perform(world, away)))
        const [last, ...others] = yield* messagesIn(organization, conversation.id)
        assert.deepStrictEqual([last?.text, last?.author.kind, others.length], ["Back soon, Ada", "automation", 1])
        const unknown = yield* perform(world, { ...away, scheduleId: freshId(ScheduleId) })
        assert.strictEqual(codeOf(unknown), "not_found")
      })
    )

    it.effect("sends an away reply for the message of the event despite later messages", () =>
      Effect.gen(function* () {
        const world = yield* talking(yield* given)
        const { conversation, organization } = world
        const { id: scheduleId } = yield* createSchedule({ name: "Never", weekly: {} }).pipe(
          asOperatorOf(organization),
          Effect.orDie
        )
        const about = (messageId: MessageId): Pick<World, "cause" | "facts" | "organization"> => ({
          ...world,
          facts: { ...world.facts, conversationId: conversation.id, messageId }
        })
        const away: Action = { type: "send_away", scheduleId, message: { kind: "text", text: "Back soon" } }
        const reaction = yield* givenMessage(organization, conversation, { kind: "reaction", text: null })
        const old = yield* givenMessage(organization, conversation, { at: DateTime.subtract(morning, { minutes: 6 }) })
        const latest = yield* givenMessage(organization, conversation)
        for (const { id } of [reaction, old]) assert.isNull(effectOf(yield* perform(about(id), away)))
        yield* givenMessage(organization, conversation, { kind: "reaction", text: null })
        assert.strictEqual(effectOf(yield* perform(about(latest.id), away))?.kind, "message")
      })
    )

    it.effect("assigns an unassigned conversation to a free member once", () =>
      Effect.gen(function* () {
        const world = yield* talking(yield* given)
        const { conversation, organization } = world
        const handing: Action = { type: "auto_assign", memberIds: null, sticky: true, whenNone: "leave" }
        assert.isNull(effectOf(yield* perform(world, handing)))
        const { user } = yield* givenMember(organization, "agent")
        const effect = { kind: "conversation" as const, id: conversation.id }
        assert.deepStrictEqual(yield* perform(world, handing), {
          kind: "done",
          effect,
          assignment: { result: "assigned", assigneeId: user.id, because: "lowest_load" }
        })
        assert.isNull(effectOf(yield* perform(world, handing)))
        const { assigneeId } = yield* getConversation({ id: conversation.id }).pipe(
          asOperatorOf(organization),
          Effect.orDie
        )
        assert.strictEqual(assigneeId, user.id)
      })
    )

    it.effect("says what an action would do, and leaves nothing of it", () =>
      Effect.gen(function* () {
        const world = yield* talking(yield* given)
        const { cause, conversation, facts, organization } = world
        const attempt = (action: Action) =>
          transact(tryAction(action, { cause, facts })).pipe(asOperatorOf(organization))
        assert.deepStrictEqual(yield* attempt(text("Hi {{ firstName }}")), {
          type: "send_message",
          rendered: { type: "send_message", message: { kind: "text", text: "Hi Ada" } },
          refusal: null
        })
        assert.lengthOf(yield* messagesIn(organization, conversation.id), 0)
        const { refusal, rendered } = yield* attempt({ type: "tag", tagIds: [freshId(TagId)] })
        assert.strictEqual(refusal?.code, "not_found")
        assert.isNotNull(rendered)
        const unmade = yield* attempt(text("{{ cart.id }}"))
        assert.deepStrictEqual([unmade.rendered, unmade.refusal?.code], [null, "missing_variable"])
      })
    )
  }
}

/** Checks a storage against the contract of actions. */
export const performedActionsContract = runContract(performedActions)

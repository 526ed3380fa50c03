import { assert, layer } from "@effect/vitest"
import { type Permission, UserId } from "@parley/domain/kernel"
import { type FilterInput, TagId } from "@parley/domain/crm"
import { MessageTemplateId } from "@parley/domain/messaging"
import { WebhookSubscriptionId } from "@parley/domain/integrations"
import {
  type Action,
  AutomationActions,
  validateActions,
  createAutomation,
  createSchedule,
  deleteSchedule,
  validateAction,
  type NewAutomation,
  permissionOfTrigger,
  triggerEvents,
  WorkflowId
} from "@parley/domain/automation"
import { eventPermissions } from "@parley/domain/composition"
import {
  aManifest,
  asOperatorOf,
  asOwnerOf,
  givenContactField,
  givenNumber,
  givenOrganization,
  givenTag,
  givenTemplate,
  putPlugin,
  TestKit,
  actingIn
} from "@parley/testkit"
import { Effect, Schema, SchemaIssue } from "effect"
import { SecureRandom } from "effect/crypto"

const fresh = <Id>(kind: { readonly make: (value: string) => Id }): Id => kind.make(SecureRandom.uuidV7Unsafe())

const groups = new Set(["contact", "conversation", "order", "event.amount"])

const pointersOf = (faults: ReadonlyArray<{ readonly pointer: string }>) => faults.map(({ pointer }) => pointer)

const text = (text: string): Action => ({ type: "send_message", message: { kind: "text", text: text } })

const formatted = SchemaIssue.makeFormatterStandardSchemaV1()

const pathsOf = (input: unknown) =>
  Effect.map(
    Effect.flip(Schema.decodeUnknownEffect(AutomationActions, { errors: "all", onExcessProperty: "error" })(input)),
    ({ issue }) => formatted(issue).issues.map(({ path = [] }) => path.join("/"))
  )

layer(TestKit.layer)("checking actions", (it) => {
  it.effect("finds all errors of all actions with their places", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const account = yield* givenNumber(organization)
      const tag = yield* givenTag(organization)
      yield* givenContactField(organization, "points", { type: "number" })
      const draft = yield* givenTemplate(organization, account.id, { status: "draft" })
      const other = yield* givenTemplate(organization, account.id)
      const plugin = yield* putPlugin(organization)
      const actions: ReadonlyArray<Action> = [
        { type: "tag", tagIds: [tag.id, fresh(TagId)] },
        { type: "send_template", template: { id: draft.id, values: { "body.1": "a\nb", "body.2": "x" } } },
        { type: "send_template", template: { id: fresh(MessageTemplateId) } },
        { type: "send_template", template: { id: other.id, values: { "body.1": "{{ cart.total }}" } } },
        { type: "set_attribute", attributes: { points: "many", nope: 1 } },
        { type: "assign", assigneeId: fresh(UserId) },
        { type: "set_status", status: "snoozed" },
        { type: "set_status", status: "open", snoozeSeconds: 60 },
        { type: "add_note", text: "{{ order.total }} {{ nobody.knows }}", mentions: [fresh(UserId)] },
        { type: "call_webhook", webhookSubscriptionId: fresh(WebhookSubscriptionId), body: { a: ["{% if %}"] } },
        { type: "start_workflow", workflowId: fresh(WorkflowId) },
        { type: "plugin_action", pluginId: plugin.id, action: "add_points", input: { points: "{{ event.amount }}" } },
        { type: "plugin_action", pluginId: plugin.id, action: "add_points", input: { points: "seven" } },
        { type: "plugin_action", pluginId: plugin.id, action: "fly", input: {} },
        text("Hi {{ firstName }}, {{ contact.attribute.points }}, {{ event.amount }}, {{ order.statusUrl }}")
      ]
      const faults = yield* validateActions(actions, groups, "/then").pipe(asOperatorOf(organization))
      assert.deepStrictEqual(pointersOf(faults).toSorted(), [
        "/then/0/tagIds/1",
        "/then/1/template/id",
        "/then/1/template/values/body.1",
        "/then/1/template/values/body.2",
        "/then/10/workflowId",
        "/then/11/input/points",
        "/then/12/input/points",
        "/then/13/action",
        "/then/2/template/id",
        "/then/3/template/values/body.1",
        "/then/4/attributes/nope",
        "/then/4/attributes/points",
        "/then/5/assigneeId",
        "/then/6/snoozeSeconds",
        "/then/7/snoozeSeconds",
        "/then/8/mentions/0",
        "/then/8/text",
        "/then/9/body/a/0",
        "/then/9/webhookSubscriptionId"
      ])
    })
  )

  it.effect("rejects values that never fit the schema, and lists within longer texts", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      yield* givenContactField(organization, "points", { type: "number" })
      yield* givenContactField(organization, "since", { type: "date" })
      const schema = {
        type: "object",
        additionalProperties: false,
        properties: {
          whole: { type: "integer" },
          text: { type: "string" },
          list: { type: "array", items: { type: "string" } },
          object: { type: "object" },
          flag: { type: "boolean" },
          some: { anyOf: [{ type: "integer" }, { type: "null" }] }
        }
      }
      const [action] = aManifest.actions ?? []
      assert.isDefined(action)
      const manifest = { ...aManifest, key: "typed", actions: [{ ...action, input: schema }] }
      const plugin = yield* putPlugin(organization, { manifest })
      const known = new Set([...groups, "event.tagIds", "conversation", "input", "steps", "steps.ask", "steps.other"])
      const outputs = new Map([
        ["ask", { type: "object", properties: { total: { type: "integer" }, names: { type: "array" } } }]
      ])
      const faultsIn = (input: Action) =>
        Effect.map(validateAction(input, known, "", outputs).pipe(asOperatorOf(organization)), pointersOf)
      const asking = (input: Readonly<Record<string, Schema.Json>>) =>
        faultsIn({ type: "plugin_action", pluginId: plugin.id, action: "add_points", input })
      const fits = {
        whole: [
          "{{ conversation.unreadCount }}",
          "{{ order.name }}",
          "{{ attribute.points }}",
          "{{ steps.ask.output.total }}",
          "{{ input.any }}",
          "{{ order.total.amountMinor }}",
          "{{ order.total | round }}",
          "{{ steps.other.output.x }}",
          "{{ event.tagIds | default: 1 }}"
        ],
        text: [
          "{{ order.total }}",
          "{{ conversation.unreadCount }}",
          "{{ conversation.windowOpen }}",
          "No. {{ order.name }}",
          "{{ contact.attribute.since }}"
        ],
        list: ["{{ event.tagIds }}", "{{ conversation.labels }}", "{{ order.skus }}", "{{ steps.ask.output.names }}"],
        object: ["{{ order.total }}", "{{ steps.ask }}", "{{ steps.ask.output }}"],
        flag: ["{{ conversation.windowOpen }}", "{{ order.isFirst }}", "{{ order.name }}"],
        some: ["{{ order.name | default: nil }}", "{{ event.tagIds | default: nil }}"]
      }
      const never = {
        whole: [
          "{{ event.tagIds }}",
          "{{ order.total }}",
          "{{ order.placedAt }}",
          "{{ conversation.windowOpen }}",
          "No. {{ order.name }}",
          "{{ steps.ask.output.names }}",
          "{{ attribute.since }}"
        ],
        text: ["{{ event.tagIds }}", "{{ steps.ask }}"],
        list: ["{{ order.name }}", "{{ order.total }}", "{{ event.tagIds | upcase }}"],
        object: ["{{ order.name }}"],
        flag: ["{{ conversation.unreadCount }}"],
        some: ["{{ conversation.windowOpen }}"],
        other: ["{{ order.name }}"]
      }
      for (const [name, sources] of Object.entries(fits)) {
        for (const source of sources) assert.deepStrictEqual(yield* asking({ [name]: source }), [], `${name} ${source}`)
      }
      for (const [name, sources] of Object.entries(never)) {
        for (const source of sources) {
          assert.include(yield* asking({ [name]: source }), `/input/${name}`, `${name} ${source}`)
        }
      }
      const items = yield* asking({ list: ["{{ order.name }}", "{{ event.tagIds }}"] })
      assert.deepStrictEqual(items, ["/input/list/1"])
      const longer = ["Tags: {{ event.tagIds }}", "{% if event.tagIds %}x{% endif %}", "{{ steps.ask.output }}!"]
      for (const source of longer) {
        assert.deepStrictEqual(yield* faultsIn(text(source)), ["/message/text"], source)
        const starting = { type: "start_workflow", workflowId: fresh(WorkflowId), input: { a: source } } as const
        assert.deepStrictEqual(yield* faultsIn(starting), ["/workflowId", "/input/a"], source)
      }
      assert.deepStrictEqual(yield* faultsIn(text("{{ event.tagIds }}")), ["/message/text"])
      const [fault] = yield* validateAction(text("{{ event.tagIds }}"), known, "").pipe(asOperatorOf(organization))
      assert.include(fault?.message, "event.tagIds is a list or an object")
    })
  )

  it.effect("requires the permission of each action, trigger, condition and template variable", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const denied = (input: Omit<NewAutomation, "name">, ...permissions: ReadonlyArray<Permission>) =>
        createAutomation({ name: "Any", ...input }).pipe(
          actingIn(organization, {
            kind: "delegate",
            for: { kind: "user", id: "somebody" },
            permissions: new Set<Permission>(["automations.manage", ...permissions])
          }),
          Effect.match({
            onFailure: (error) => (error._tag === "PermissionDenied" ? error.permission : error._tag),
            onSuccess: () => "ok"
          })
        )
      const hello = { then: [text("Hello")] }
      assert.strictEqual(yield* denied(hello), "conversations.manage")
      assert.strictEqual(yield* denied(hello, "conversations.manage"), "ok")
      const named = { then: [text("Hello {{ firstName }}, {{ order.total }} {{ organization.name }}")] }
      assert.strictEqual(yield* denied(named, "conversations.manage"), "contacts.read")
      assert.strictEqual(yield* denied(named, "conversations.manage", "contacts.read"), "commerce.read")
      assert.strictEqual(yield* denied({ when: { event: "cart.abandoned", seconds: 900 } }), "commerce.read")
      const scheduled = (audience: FilterInput) => ({
        when: { event: "schedule.reached" as const, cron: "0 9 * * *", audience }
      })
      assert.strictEqual(yield* denied(scheduled({})), "contacts.read")
      const bought = scheduled({ field: "orderCount", op: "gte", value: 1 })
      assert.strictEqual(yield* denied(bought, "contacts.read"), "commerce.read")
      assert.strictEqual(yield* denied(bought, "contacts.read", "commerce.read"), "ok")
      assert.strictEqual(yield* denied({ if: { not: { field: "event.broadcastId", op: "is" } } }), "broadcasts.read")
      assert.strictEqual(yield* denied({ if: { field: "schedule", key: "x" } }, "contacts.read"), "organization.read")
    })
  )

  it("requires the same permission to start on an event and to read it", () => {
    // A call searches a contact, and a schedule or a date lists contacts, so these triggers need more than their events.
    const searching: ReadonlySet<string> = new Set(["contact.date_reached", "schedule.reached", "webhook.received"])
    assert.strictEqual(permissionOfTrigger["schedule.reached"], "contacts.read")
    assert.strictEqual(permissionOfTrigger["contact.date_reached"], "contacts.read")
    assert.strictEqual(permissionOfTrigger["webhook.received"], "contacts.read")
    for (const event of triggerEvents.filter((each) => !searching.has(each))) {
      const logged = new Map<string, keyof typeof eventPermissions>([
        ["message.read", "message.status_changed"],
        ["message.failed", "message.status_changed"],
        ["conversation.opened", "conversation.status_changed"],
        ["conversation.resolved", "conversation.status_changed"],
        ["conversation.idle", "message.received"],
        ["contact.opted_out", "contact.consent_changed"]
      ]).get(event)
      const seen = new Map<string, Permission>(Object.entries(eventPermissions)).get(logged ?? event)
      assert.strictEqual(permissionOfTrigger[event], seen, event)
    }
  })

  it.effect("validates template groups and hostile texts", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      yield* givenContactField(organization, "city")
      const isFine = (source: string, known: ReadonlySet<string> = groups) =>
        Effect.map(
          validateActions([text(source)], known, "/then").pipe(asOperatorOf(organization)),
          ({ length }) => length === 0
        )
      const fine = [
        "{{ firstName | upcase }}",
        "{{ attribute.city | default: 'town' }}",
        "{% if conversation.priority == 'high' %}{{ contact.name }}{% endif %}",
        "{{ organization.name }} {{ event.amount }}",
        "Prices {in braces} and 100 %"
      ]
      for (const source of fine) assert.isTrue(yield* isFine(source), source)
      const foul = [
        "{{ id }}",
        "{{ cart.total }}",
        "{{ message.text }}",
        "{{ event.broadcastId }}",
        "{{ contact }}",
        "{{ contact.constructor }}",
        "{{ contact.__proto__.polluted }}",
        "{{ contact.name.size }}",
        "{{ input.x }}",
        "{% assign x = 1 %}",
        "{% include 'x' %}",
        "{% for i in (1..1000000) %}x{% endfor %}",
        "{{ name | where: 'x' }}",
        "{{ name",
        "{% if name %}",
        "{{ 'now' | date: '%Y' }}"
      ]
      for (const source of foul) assert.isFalse(yield* isFine(source), source)
      const workflow = new Set([...groups, "input", "steps", "steps.n1"])
      assert.isTrue(yield* isFine("{{ input.code }} {{ steps.n1.output.total }}", workflow))
      const unknown = ["{{ input }}", "{{ steps.n2.output.total }}", "{{ steps.constructor.name }}"]
      for (const source of unknown) assert.isFalse(yield* isFine(source, workflow), source)
    })
  )

  it.effect("finds the fields of contacts and the schedules that texts name and that there are not", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      yield* givenContactField(organization, "city")
      const { id } = yield* createSchedule({ name: "Shop", weekly: {} }).pipe(asOwnerOf(organization))
      const theirs = yield* createSchedule({ name: "Shop", weekly: {} }).pipe(
        asOwnerOf(yield* givenOrganization({ plan: "scale" }))
      )
      const fine = `{{ contact.attribute.city }} {{ attribute.city }} {% if schedule.${id} == 'open' %}!{% endif %} {{ schedule.${id}.nextOpenAt | default: "soon" }}`
      const actions: ReadonlyArray<Action> = [
        text(fine),
        text("{{ contact.attribute.town | default: '' }}{% if attribute.__proto__ %}!{% endif %}"),
        { type: "add_note", text: `{{ schedule.${theirs.id} }} {{ schedule.nope }}` },
        { type: "add_note", text: `{{ schedule.${theirs.id}.nextOpenAt }}` }
      ]
      const faults = yield* validateActions(actions, groups, "/then").pipe(asOperatorOf(organization))
      assert.deepStrictEqual(
        faults.map(({ message, pointer }) => [pointer, message]),
        [
          ["/then/1/message/text", "There is no contact field with the key __proto__"],
          ["/then/1/message/text", "There is no contact field with the key town"],
          ["/then/2/text", `There is no schedule with the id ${theirs.id}`],
          ["/then/2/text", "There is no schedule with the id nope"],
          ["/then/3/text", `There is no schedule with the id ${theirs.id}`]
        ]
      )
    })
  )

  it.effect("keeps a schedule that a text names from going", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      yield* Effect.gen(function* () {
        const { id } = yield* createSchedule({ name: "Shop", weekly: {} })
        yield* createAutomation({ name: "Says", then: [text(`We are {{ schedule.${id} }}`)] })
        assert.strictEqual((yield* Effect.flip(deleteSchedule({ id, ifVersion: null })))._tag, "ScheduleInUse")
      }).pipe(asOwnerOf(organization))
    })
  )

  it.effect("refuses what is no list of actions", () =>
    Effect.gen(function* () {
      const none = yield* pathsOf([])
      assert.lengthOf(none, 1)
      const many = yield* pathsOf(Array.from({ length: 21 }, () => ({ type: "set_priority", priority: "low" })))
      assert.lengthOf(many, 1)
      const odd = yield* pathsOf([
        { type: "fly" },
        { type: "set_priority", priority: "highest" },
        { type: "tag", tagIds: [] },
        { type: "set_status", status: "snoozed", snoozeSeconds: 31_536_001 },
        { type: "send_message", message: { kind: "reaction", replyToId: fresh(TagId), emoji: "x" } },
        {
          type: "send_message",
          message: { kind: "text", text: "x", recipient: { kind: "phone", value: "+4915112345678" } }
        },
        { type: "call_webhook", webhookSubscriptionId: fresh(TagId), body: "x".repeat(33_000) },
        { type: "call_webhook", webhookSubscriptionId: fresh(TagId), body: { a: "\0" } },
        { type: "set_priority", priority: "low", onError: "retry" },
        { type: "set_priority", priority: "low", extra: 1 }
      ])
      assert.deepStrictEqual(new Set(odd.map((path) => path.split("/")[0])), new Set("0123456789"))
    })
  )
})

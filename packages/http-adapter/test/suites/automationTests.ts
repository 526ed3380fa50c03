import { assert } from "@effect/vitest"
import type { ChatAccountId } from "@parley/domain/messaging"
import { OrderId, StoreConnectionId } from "@parley/domain/commerce"
import { AutomationTestResult } from "@parley/domain/automation"
import type { Ports } from "@parley/domain/composition"
import {
  aManifest,
  givenConversation,
  givenEvent,
  givenReceived,
  givenSubscription,
  givenTemplate,
  putPlugin
} from "@parley/testkit"
import { Effect, type Layer, Schema } from "effect"
import { assertProblem, assertStatus, at, messagesOf, pointersOf, textAt } from "../harness/answers.ts"
import { type Answer, call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"
import {
  freshId,
  givenAutomationToken,
  givenContactField,
  givenSchedule,
  givenTag,
  givenTenant,
  type Tenant
} from "../harness/tenants.ts"
import type { Sight } from "./tenancy.ts"

const ours = ({ organization, owner }: Tenant) => ({ token: owner.token, organization: organization.id })

const decode = Schema.decodeUnknownSync(AutomationTestResult)

const resultOf = (answer: Answer) => {
  assertStatus(answer, 200)
  return decode(answer.body)
}

const automated = Effect.fnUntraced(function* (tenant: Tenant, input: object) {
  const created = yield* call("POST", "/api/v1/automations", { ...ours(tenant), body: { name: "Order", ...input } })
  assertStatus(created, 201)
  return `/api/v1/automations/${textAt(created, "id")}`
})

const written = Effect.fnUntraced(function* (tenant: Tenant, text = "Where is my order?") {
  const conversation = yield* givenConversation(tenant.organization)
  return { conversation, ...(yield* givenReceived(tenant.organization, conversation, { text })) }
})

const onOrder = {
  when: { event: "message.received" },
  if: { field: "message.text", op: "has_word", value: ["order"] },
  then: [{ type: "add_note", text: "{{ message.text }}" }]
}

/** An action of every kind, each with an effect. */
export const everyAction = Effect.fnUntraced(function* ({ organization, owner }: Tenant, chatAccountId: ChatAccountId) {
  const tag = yield* givenTag(organization)
  const field = yield* givenContactField(organization)
  const schedule = yield* givenSchedule(organization)
  const subscription = yield* givenSubscription(organization)
  const plugin = yield* putPlugin(organization, { manifest: { ...aManifest, key: "acme-test" } })
  const template = yield* givenTemplate(organization, chatAccountId)
  return [
    { type: "tag", tagIds: [tag.id] },
    { type: "set_attribute", attributes: { [field.key]: "{{ message.text }}" } },
    { type: "untag", tagIds: [tag.id] },
    { type: "assign", assigneeId: owner.user.id },
    { type: "set_priority", priority: "high" },
    { type: "add_labels", labels: ["order"] },
    { type: "remove_labels", labels: ["order"] },
    { type: "add_note", text: "{{ message.text }}", mentions: [owner.user.id] },
    { type: "auto_assign", memberIds: null, sticky: true, whenNone: "queue" },
    { type: "send_away", scheduleId: schedule.id, message: { kind: "text", text: "Later" } },
    { type: "send_message", message: { kind: "text", text: "You wrote: {{ message.text }}" } },
    { type: "send_template", template: { id: template.id, values: { "body.1": "{{ message.text }}" } } },
    { type: "call_webhook", webhookSubscriptionId: subscription.id, body: { text: "{{ message.text }}" } },
    { type: "plugin_action", pluginId: plugin.id, action: "add_points", input: { points: 3 } },
    { type: "set_name", name: "{{ message.text | truncate: 20 }}" },
    { type: "http_request", method: "POST", url: "https://api.acme.example/{{ message.text }}", body: { a: 1 } },
    { type: "set_consent", state: "subscribed", evidence: "Wrote: {{ message.text }}" },
    { type: "set_status", status: "resolved" }
  ]
})

/** Tests of automations on past events, without effects. */
export const automationTestsSuite = <Provides, E>(
  name: string,
  ports: Layer.Layer<Ports | Provides, E>,
  sight: Sight<NoInfer<Provides>>
) =>
  overHttp<Provides, E>(name, ports, (it) => {
    it.effect("every kind of action is tried, and nothing is written", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { conversation, position } = yield* written(tenant)
        const path = yield* automated(tenant, onOrder)
        const then = yield* everyAction(tenant, conversation.chatAccountId)
        const before = yield* sight(tenant)
        const tried = yield* call("POST", `${path}/test`, { ...ours(tenant), body: { position, draft: { then } } })
        assert.deepStrictEqual(yield* sight(tenant), before)
        const { actions, conditions, abortReason, wouldRun } = resultOf(tried)
        assert.deepStrictEqual([wouldRun, abortReason], [true, null])
        assert.deepStrictEqual(conditions, { ...onOrder.if, saw: "Where is my order?", held: true })
        assert.deepStrictEqual(
          actions.map(({ refusal, type }) => [type, refusal?.code ?? null]),
          then.map(({ type }) => [type, null])
        )
        assert.deepStrictEqual(actions[10]?.rendered, {
          type: "send_message",
          message: { kind: "text", text: "You wrote: Where is my order?" }
        })
        yield* call("POST", `${path}/test`, { ...ours(tenant), body: { position } })
        assert.deepStrictEqual(yield* sight(tenant), before)
      })
    )

    it.effect("each action is tried after those before it, and says why it would be refused", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { position } = yield* written(tenant)
        const path = yield* automated(tenant, onOrder)
        const then = [
          { type: "add_note", text: "{{ conversation.priority }}" },
          { type: "set_priority", priority: "high" },
          { type: "add_note", text: "{{ conversation.priority }}" },
          { type: "add_note", text: "{{ conversation.assigneeId }}" }
        ]
        const tried = yield* call("POST", `${path}/test`, { ...ours(tenant), body: { position, draft: { then } } })
        assert.deepStrictEqual(
          resultOf(tried).actions.map(({ refusal, rendered }) => [rendered, refusal?.code ?? null]),
          [
            [{ type: "add_note", text: "none" }, null],
            [{ type: "set_priority", priority: "high" }, null],
            [{ type: "add_note", text: "high" }, null],
            [null, "missing_variable"]
          ]
        )
      })
    )

    it.effect("a test shows typed values and names missing variables", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { position } = yield* written(tenant, "12")
        const path = yield* automated(tenant, { ...onOrder, if: {} })
        const plugin = yield* putPlugin(tenant.organization, { manifest: { ...aManifest, key: "acme-typed" } })
        const webhookSubscriptionId = (yield* givenSubscription(tenant.organization)).id
        const asking = { type: "plugin_action", pluginId: plugin.id, action: "add_points" }
        const body = {
          labels: "{{ conversation.labels }}",
          open: "{{ conversation.windowOpen }}",
          text: "{{ message.text }}"
        }
        const then = [
          { ...asking, input: { points: "{{ message.text }}" } },
          { ...asking, input: { points: "{{ conversation.id }}" } },
          { ...asking, input: { points: "{{ conversation.assigneeId }}" } },
          { type: "call_webhook", webhookSubscriptionId, body }
        ]
        const test = (values: ReadonlyArray<object>) =>
          call("POST", `${path}/test`, { ...ours(tenant), body: { position, draft: { then: values } } })
        const { actions } = resultOf(yield* test(then))
        assert.deepStrictEqual(actions[0], {
          type: "plugin_action",
          rendered: { ...asking, input: { points: 12 } },
          refusal: null
        })
        assert.deepStrictEqual(
          [actions[1]?.refusal?.code, actions[1]?.refusal?.pointer],
          ["validation_failed", "/input/points"]
        )
        assert.deepStrictEqual(
          [actions[2]?.refusal?.code, actions[2]?.refusal?.variable, actions[2]?.refusal?.pointer],
          ["missing_variable", "conversation.assigneeId", "/input/points"]
        )
        assert.deepStrictEqual(actions[3]?.rendered, {
          type: "call_webhook",
          webhookSubscriptionId,
          body: { labels: [], open: true, text: "12" }
        })
        const never = [
          { ...asking, input: { points: "{{ conversation.labels }}" } },
          { type: "add_note", text: "Labels: {{ conversation.labels }}" }
        ]
        const refused = yield* test(never)
        assertProblem(refused, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(refused), ["/draft/then/0/input/points", "/draft/then/1/text"])
      })
    )

    it.effect("false conditions and events of other types do not run", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const path = yield* automated(tenant, onOrder)
        const [greeting, order] = [yield* written(tenant, "Hello"), yield* written(tenant)]
        const test = (position: number, draft: object = {}) =>
          Effect.map(call("POST", `${path}/test`, { ...ours(tenant), body: { position, draft } }), resultOf)
        const skipped = yield* test(greeting.position)
        assert.deepStrictEqual([skipped.wouldRun, skipped.conditions?.held], [false, false])
        assert.isTrue((yield* test(greeting.position, { if: {} })).wouldRun)
        const chatAccountIds = [greeting.conversation.chatAccountId]
        const narrowed = { when: { event: "message.received", chatAccountIds } }
        assert.isFalse((yield* test(order.position, narrowed)).wouldRun)
        const idle = { when: { event: "conversation.idle", seconds: 60, lastFrom: "contact" } }
        assert.isTrue((yield* test(order.position, idle)).wouldRun)
        const ofTeam = { when: { event: "conversation.idle", seconds: 60, lastFrom: "team" } }
        assert.isFalse((yield* test(order.position, ofTeam)).wouldRun)
      })
    )

    it.effect("a deleted order of the event is named, because conditions see none of its values", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { contactId } = yield* givenConversation(tenant.organization)
        const position = yield* givenEvent(tenant.organization, {
          type: "order.created",
          orderId: OrderId.make(yield* freshId),
          storeConnectionId: StoreConnectionId.make(yield* freshId),
          contactId
        })
        const path = yield* automated(tenant, {
          when: { event: "order.created" },
          if: { field: "order.itemCount", op: "gte", value: 1 },
          then: [{ type: "add_note", text: "{{ order.name }}" }]
        })
        const tried = resultOf(yield* call("POST", `${path}/test`, { ...ours(tenant), body: { position } }))
        assert.deepStrictEqual(tried.deletedResources, ["order"])
        assert.isFalse(tried.wouldRun)
        const received = yield* written(tenant)
        const other = yield* automated(tenant, onOrder)
        const body = { position: received.position }
        const current = resultOf(yield* call("POST", `${other}/test`, { ...ours(tenant), body }))
        assert.deepStrictEqual(current.deletedResources, [])
      })
    )

    it.effect("a missing position, or a position of another tenant or event type, is reported", () =>
      Effect.gen(function* () {
        const [tenant, other] = [yield* givenTenant(), yield* givenTenant()]
        const path = yield* automated(tenant, onOrder)
        const { position } = yield* written(tenant)
        for (let count = 0; count < 5; count += 1) yield* written(other)
        const theirs = (yield* written(other)).position
        const refusedAt = Effect.fnUntraced(function* (at: unknown, draft: object = {}) {
          const refused = yield* call("POST", `${path}/test`, { ...ours(tenant), body: { position: at, draft } })
          assertProblem(refused, 400, "validation_failed")
          return [pointersOf(refused), messagesOf(refused)]
        })
        const nothing = [["/position"], ["There is no event at this position"]]
        assert.isAbove(theirs, position)
        assert.deepStrictEqual(yield* refusedAt(theirs), nothing)
        assert.deepStrictEqual(yield* refusedAt(Number.MAX_SAFE_INTEGER), nothing)
        const tagged = yield* givenEvent(tenant.organization, {
          type: "contact.created",
          contactId: (yield* givenConversation(tenant.organization)).contactId
        })
        assert.deepStrictEqual(yield* refusedAt(tagged), [
          ["/position"],
          ["Expected the position of one of: message.received"]
        ])
        assert.deepStrictEqual((yield* refusedAt(0))[0], ["/position"])
        assert.deepStrictEqual((yield* refusedAt(1.5))[0], ["/position"])
        assert.deepStrictEqual(yield* refusedAt(position, { when: null }), [
          ["/draft/when"],
          ["Expected the event that starts it"]
        ])
        assert.deepStrictEqual((yield* refusedAt(position, { if: { field: "order.total", op: "is", value: 1 } }))[0], [
          "/draft/if/field"
        ])
        const unknown = call("POST", `/api/v1/automations/${yield* freshId}/test`, {
          ...ours(tenant),
          body: { position }
        })
        assertProblem(yield* unknown, 404, "not_found")
      })
    )

    it.effect(
      "rejects a token without the permissions of the automation, and hides facts without both read permissions",
      () =>
        Effect.gen(function* () {
          const tenant = yield* givenTenant()
          const path = yield* automated(tenant, onOrder)
          const { conversation, position } = yield* written(tenant)
          const permissions = ["automations.manage", "contacts.read", "conversations.manage"] as const
          const { token } = yield* givenAutomationToken(tenant, permissions)
          const what = { token, organization: tenant.organization.id }
          const refused = yield* call("POST", `${path}/test`, { ...what, body: { position } })
          assertProblem(refused, 403, "permission_denied")
          assert.strictEqual(refused.body.permission, "conversations.read")
          const condition = { field: "createdAt", op: "is_set" }
          const onContact = {
            when: { event: "contact.created" },
            if: condition,
            then: [{ type: "add_note", text: "x" }]
          }
          const other = yield* automated(tenant, onContact)
          const { contactId } = conversation
          const added = yield* givenEvent(tenant.organization, { type: "contact.created", contactId })
          const blind = yield* call("POST", `${other}/test`, { ...what, body: { position: added } })
          assert.deepStrictEqual(at(blind.body, "conditions"), { ...condition, saw: null, held: true })
          assert.deepStrictEqual(at(blind.body, "actions"), [{ type: "add_note", rendered: null, refusal: null }])
        })
    )
  })

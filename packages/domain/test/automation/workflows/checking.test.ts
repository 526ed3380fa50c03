import { assert, layer } from "@effect/vitest"
import { PluginId } from "@parley/domain/kernel"
import { TagId } from "@parley/domain/crm"
import { MessageTemplateId } from "@parley/domain/messaging"
import { WebhookSubscriptionId } from "@parley/domain/integrations"
import { StoreConnectionId } from "@parley/domain/commerce"
import {
  type Action,
  createSchedule,
  createWorkflow,
  type Graph,
  NodeId,
  publishWorkflow,
  ScheduleId,
  type Trigger,
  validateWorkflow,
  WorkflowId,
  type WorkflowNode
} from "@parley/domain/automation"
import {
  asOwnerOf,
  givenNumber,
  givenOrganization,
  givenStore,
  givenTag,
  givenTemplate,
  putPlugin,
  TestKit
} from "@parley/testkit"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"

const fresh = <Id>(kind: { readonly make: (value: string) => Id }): Id => kind.make(SecureRandom.uuidV7Unsafe())

const id = (name: string) => NodeId.make(name)
const end: WorkflowNode = { id: id("end"), kind: "end" }

const note = (name: string, text: string, next = "end"): WorkflowNode => ({
  id: id(name),
  kind: "action",
  action: { type: "add_note", text },
  next: id(next)
})

const reply = (name: string, next: string, timeout: string): WorkflowNode => ({
  id: id(name),
  kind: "wait_for",
  event: { event: "message.received" },
  timeoutSeconds: 60,
  next: id(next),
  timeout: id(timeout)
})

const abandoned: Trigger = { event: "cart.abandoned", seconds: 900 }

const begun = (event: Trigger | null, ...nodes: ReadonlyArray<WorkflowNode>): Graph => ({
  entry: { event, next: nodes[0]?.id ?? end.id },
  nodes: [...nodes, end]
})

/** Places of the errors of a draft. */
const summary = (graph: Graph) =>
  Effect.map(
    Effect.flatMap(createWorkflow({ name: "Draft", graph }), ({ id }) => validateWorkflow({ id })),
    ({ faults }) => faults.map(({ pointer }) => pointer)
  )

const onScale = givenOrganization({ plan: "scale" })
const totalOver: Graph["nodes"][number] = {
  id: id("b"),
  kind: "branch",
  branches: [{ if: { field: "cart.itemCount", op: "gt", value: 1 }, next: end.id }],
  else: end.id
}

layer(TestKit.layer)("the validation errors of workflows", (it) => {
  it.effect("are all reported together with their places, by validation and by publishing", () =>
    Effect.gen(function* () {
      const organization = yield* onScale
      const tag = yield* givenTag(organization)
      const store = yield* givenStore(organization)
      const account = yield* givenNumber(organization)
      const draft = yield* givenTemplate(organization, account.id, { status: "draft" })
      const graph: Graph = {
        entry: {
          event: { ...abandoned, storeConnectionIds: [store.id, fresh(StoreConnectionId)] },
          if: {
            any: [
              { field: "tag", op: "any_of", value: [tag.id] },
              { field: "order.total", op: "is_set" }
            ]
          },
          by: "order",
          next: id("t")
        },
        goals: [
          { id: id("g"), event: { event: "order.created" }, if: { field: "cart.itemCount", op: "gt", value: 1 } }
        ],
        exits: [{ id: id("x"), if: { field: "schedule", key: fresh(ScheduleId), op: "is", value: "open" } }],
        nodes: [
          { id: id("t"), kind: "action", action: { type: "tag", tagIds: [tag.id, fresh(TagId)] }, next: id("m") },
          {
            id: id("m"),
            kind: "action",
            action: { type: "send_template", template: { id: draft.id, values: { "body.1": "{{ order.total }}" } } },
            onError: { to: id("nowhere") },
            next: id("s")
          },
          {
            id: id("s"),
            kind: "action",
            action: { type: "start_workflow", workflowId: fresh(WorkflowId) },
            next: id("w")
          },
          {
            id: id("w"),
            kind: "wait_for",
            event: { event: "contact.tagged", tagIds: [fresh(TagId)] },
            match: "cart",
            if: { field: "message.text", op: "contains", value: "x" },
            timeoutSeconds: 60,
            next: id("v"),
            timeout: id("p")
          },
          { id: id("v"), kind: "wait", scheduleId: fresh(ScheduleId), next: id("n") },
          note("n", "{{ cart.total }} {{ steps.t.effect.id }} {{ input.any }} {{ nothing }}"),
          {
            id: id("p"),
            kind: "split",
            paths: [
              { percent: 50, next: id("l") },
              { percent: 40, next: end.id }
            ]
          },
          {
            id: id("l"),
            kind: "action",
            action: { type: "send_template", template: { id: fresh(MessageTemplateId) } },
            next: end.id
          },
          end
        ]
      }
      yield* Effect.gen(function* () {
        const { id } = yield* createWorkflow({ name: "Cart", graph })
        const { faults } = yield* validateWorkflow({ id })
        assert.deepStrictEqual(faults.map(({ pointer }) => pointer).toSorted(), [
          "/graph/entry/by",
          "/graph/entry/event/storeConnectionIds/1",
          "/graph/entry/if/any/1/field",
          "/graph/exits/0/if/key",
          "/graph/goals/0/if/field",
          "/graph/nodes/0/action/tagIds/1",
          "/graph/nodes/1/action/template/id",
          "/graph/nodes/1/action/template/values/body.1",
          "/graph/nodes/1/onError/to",
          "/graph/nodes/2/action/workflowId",
          "/graph/nodes/3/event/tagIds/0",
          "/graph/nodes/3/if/field",
          "/graph/nodes/3/match",
          "/graph/nodes/4/scheduleId",
          "/graph/nodes/5/action/text",
          "/graph/nodes/5/action/text",
          "/graph/nodes/6/paths",
          "/graph/nodes/7/action/template/id"
        ])
        const refusal = yield* Effect.flip(publishWorkflow({ id, ifVersion: null }))
        assert.deepStrictEqual(refusal._tag === "ValidationFailed" ? refusal.errors : refusal._tag, faults)
      }).pipe(asOwnerOf(organization))
    })
  )

  it.effect("exclude values known at the start of a run or at its wake-up", () =>
    Effect.gen(function* () {
      yield* Effect.gen(function* () {
        assert.deepStrictEqual(yield* summary(begun(abandoned, totalOver)), [])
        assert.deepStrictEqual(yield* summary(begun(abandoned, note("n", "{{ cart.total }} {{ input.x }}"))), [])
        const asks = reply("r", "answered", "b")
        assert.deepStrictEqual(
          yield* summary(begun(abandoned, asks, totalOver, note("answered", "{{ message.text }}"))),
          []
        )
        const late = begun(abandoned, asks, totalOver, note("answered", "{{ cart.total }}"))
        assert.deepStrictEqual(yield* summary(late), ["/graph/nodes/2/action/text"])
      }).pipe(asOwnerOf(yield* onScale))
    })
  )

  it.effect("include texts that name the result of a missing node", () =>
    Effect.gen(function* () {
      yield* Effect.gen(function* () {
        const says = (text: string) => summary(begun(null, note("first", "Hello", "n"), note("n", text)))
        assert.deepStrictEqual(yield* says("{{ steps.first.effect.id }}"), [])
        assert.deepStrictEqual(yield* says("{{ steps.frist.effect.id }}"), ["/graph/nodes/1/action/text"])
        assert.deepStrictEqual(yield* says("{{ steps.constructor.name }}"), ["/graph/nodes/1/action/text"])
        for (const path of ["effect.id", "error.code", "output.any.deep", "state", "visit", "at", "conditions.held"]) {
          assert.deepStrictEqual(yield* says(`{{ steps.first.${path} }}`), [], path)
        }
        for (const path of ["id", "ouput.total", "constructor", "state.name", "at.day"]) {
          assert.deepStrictEqual(yield* says(`{{ steps.first.${path} }}`), ["/graph/nodes/1/action/text"], path)
        }
      }).pipe(asOwnerOf(yield* onScale))
    })
  )

  it.effect("include each unknown variable, in any text of any action and in conditions and filters", () =>
    Effect.gen(function* () {
      const organization = yield* onScale
      const { id: scheduleId } = yield* createSchedule({ name: "Shop", weekly: {} }).pipe(asOwnerOf(organization))
      const unknown = "{{ order.nothing }}"
      const template = { id: fresh(MessageTemplateId), values: { "body.1": unknown } }
      const text = { kind: "text", text: unknown } as const
      const actions: ReadonlyArray<readonly [Action, string]> = [
        [{ type: "send_message", message: text, whenClosed: template }, "message/text"],
        [{ type: "send_message", message: text, whenClosed: template }, "whenClosed/values/body.1"],
        [{ type: "send_template", template }, "template/values/body.1"],
        [{ type: "send_away", scheduleId, message: text }, "message/text"],
        [{ type: "set_attribute", attributes: { size: unknown } }, "attributes/size"],
        [{ type: "add_note", text: unknown }, "text"],
        [{ type: "add_note", text: "{% if order.nothing == 1 %}x{% endif %}" }, "text"],
        [{ type: "add_note", text: "{{ contact.name | default: order.nothing }}" }, "text"],
        [
          { type: "call_webhook", webhookSubscriptionId: fresh(WebhookSubscriptionId), body: { a: [unknown] } },
          "body/a/0"
        ],
        [{ type: "start_workflow", workflowId: fresh(WorkflowId), input: { a: unknown } }, "input/a"],
        [{ type: "plugin_action", pluginId: fresh(PluginId), action: "total", input: { a: unknown } }, "input/a"]
      ]
      yield* Effect.gen(function* () {
        for (const [action, place] of actions) {
          const graph = begun(null, { id: id("n"), kind: "action", action, next: end.id })
          assert.include(yield* summary(graph), `/graph/nodes/0/action/${place}`, JSON.stringify(action))
        }
      }).pipe(asOwnerOf(organization))
    })
  )

  it.effect("include values that never fit the schema, also from outputs of earlier plugin nodes", () =>
    Effect.gen(function* () {
      const organization = yield* onScale
      const plugin = yield* putPlugin(organization)
      const asks = (name: string, points: string, next: string): WorkflowNode => ({
        id: id(name),
        kind: "action",
        action: { type: "plugin_action", pluginId: plugin.id, action: "add_points", input: { points } },
        next: id(next)
      })
      const says = (points: string) =>
        summary(begun(null, asks("first", "{{ input.points }}", "n"), asks("n", points, "end")))
      yield* Effect.gen(function* () {
        for (const fits of ["{{ steps.first.output.total }}", "{{ steps.first.visit }}", "{{ input.any }}"]) {
          assert.deepStrictEqual(yield* says(fits), [], fits)
        }
        for (const never of [
          "{{ steps.first.output }}",
          "{{ steps.first.at }}",
          "{{ steps.first.effect }}",
          "{{ input.any }}."
        ]) {
          assert.deepStrictEqual(yield* says(never), ["/graph/nodes/1/action/input/points"], never)
        }
        const texts = begun(null, asks("first", "{{ input.points }}", "n"), note("n", "{{ steps.first.output }}"))
        assert.deepStrictEqual(yield* summary(texts), ["/graph/nodes/1/action/text"])
      }).pipe(asOwnerOf(organization))
    })
  )

  it.effect("are none where something is known on one way to a node, round circles too", () =>
    Effect.gen(function* () {
      yield* Effect.gen(function* () {
        const both = begun(
          null,
          reply("r", "n", "n"),
          note("n", "{{ message.text }}", "again"),
          reply("again", "r", "end")
        )
        assert.deepStrictEqual(yield* summary(both), [])
        assert.deepStrictEqual(yield* summary(begun(null, note("n", "{{ message.text }}"))), [
          "/graph/nodes/0/action/text"
        ])
      }).pipe(asOwnerOf(yield* onScale))
    })
  )

  it.effect("are runs of one conversation each, where no event begins them", () =>
    Effect.gen(function* () {
      yield* Effect.gen(function* () {
        const called = begun(null)
        const by = (graph: Graph, key: "contact" | "conversation"): Graph =>
          graph.entry === undefined ? graph : { ...graph, entry: { ...graph.entry, by: key } }
        assert.deepStrictEqual(yield* summary(by(called, "conversation")), ["/graph/entry/by"])
        assert.deepStrictEqual(yield* summary(by(called, "contact")), [])
        assert.deepStrictEqual(yield* summary(by(begun({ event: "message.received" }), "conversation")), [])
      }).pipe(asOwnerOf(yield* onScale))
    })
  )

  it.effect("include waits, goals and exits with timer events, which only start runs", () =>
    Effect.gen(function* () {
      yield* Effect.gen(function* () {
        const idle: Trigger = { event: "conversation.idle", seconds: 60 }
        const waits: WorkflowNode = {
          id: id("w"),
          kind: "wait_for",
          event: idle,
          timeoutSeconds: 60,
          next: end.id,
          timeout: end.id
        }
        assert.deepStrictEqual(
          yield* summary({
            ...begun(idle, waits),
            goals: [{ id: id("g"), event: abandoned }],
            exits: [{ id: id("x"), event: idle }]
          }),
          ["/graph/goals/0/event", "/graph/exits/0/event", "/graph/nodes/0/event"]
        )
        assert.deepStrictEqual(yield* summary(begun(idle)), [])
      }).pipe(asOwnerOf(yield* onScale))
    })
  )

  it.effect("are waits for a schedule that stays closed", () =>
    Effect.gen(function* () {
      yield* Effect.gen(function* () {
        const closed = yield* createSchedule({ name: "Never", weekly: {} })
        const open = yield* createSchedule({ name: "Shop", weekly: { mon: [["09:00", "18:00"]] } })
        const waits = ({ id: scheduleId }: { readonly id: ScheduleId }) =>
          begun(null, { id: id("w"), kind: "wait", scheduleId, next: end.id })
        assert.deepStrictEqual(yield* summary(waits(closed)), ["/graph/nodes/0/scheduleId"])
        assert.deepStrictEqual(yield* summary(waits(open)), [])
      }).pipe(asOwnerOf(yield* onScale))
    })
  )
})

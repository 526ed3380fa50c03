import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import {
  PluginCallId,
  PluginCalls,
  WebhookDeliveries,
  WebhookDeliveryId,
  WebhookSubscriptionId
} from "@parley/domain/integrations"
import { type Action, type ActionFacts, tryAction, WorkflowId, WorkflowStarter } from "@parley/domain/automation"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Schema } from "effect"
import { asOperatorOf } from "../../../fixtures/actors.ts"
import { putPlugin } from "../../../fixtures/plugins.ts"
import { givenTemplate } from "../../../fixtures/templates.ts"
import { givenSubscription } from "../../../fixtures/webhooks.ts"
import type { Contract } from "../../contract.ts"
import { freshId } from "../../given.ts"
import { morning, given, talking, perform, codeOf, errorOf, typedManifest, effectOf, text } from "./actionWorld.ts"

/** Calls of webhooks and plugins, and rendered values. */
export const actionCallsPromises: Contract<Ports>["promises"] = (it) => {
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
      const asks = (input: Readonly<Record<string, Schema.Json>>) =>
        perform(
          { ...world, facts: typed },
          { type: "plugin_action", pluginId: plugin.id, action: "take", input: input }
        )
      const coerced = yield* asks({
        points: "{{ input.count }}",
        note: "{{ event.position }}",
        price: "{{ order.total }}",
        vip: "{{ event.isFirst }}"
      })
      const callId =
        coerced.kind === "calling" ? PluginCallId.make(coerced.effect.id) : assert.fail(JSON.stringify(coerced))
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
}

import { assert, layer } from "@effect/vitest"
import { runDueLanes } from "@parley/domain/platform"
import { deleteContact, getContact, mergeContacts, tagContact, type TagId, unmergeContacts } from "@parley/domain/crm"
import {
  pluginCallLaneWorker,
  completePluginCall,
  disablePlugin,
  PluginCallId,
  PluginCalls
} from "@parley/domain/integrations"
import {
  type Action,
  cancelWorkflowRun,
  type Graph,
  advanceRuns,
  type OnError,
  startWorkflowRun,
  updateAutomationSettings,
  type WorkflowNode
} from "@parley/domain/automation"
import {
  aManifest,
  asOperatorOf,
  asOwnerOf,
  givenContact,
  givenContactField,
  givenNextVersion,
  givenOrganization,
  givenTag,
  MemoryReceivers,
  putPlugin,
  ReceiverScript,
  TestKit
} from "@parley/testkit"
import { DateTime, Effect, Fiber, type Schema } from "effect"
import { TestClock } from "effect/testing"
import { end, explained, id, published, settle } from "./engine.ts"
import { moveAll } from "./moveAll.ts"

const { accepted, refused } = MemoryReceivers

/** Calls plugins as due, and advances runs with a response. */
const ask = Effect.andThen(runDueLanes(pluginCallLaneWorker), advanceRuns)

const acts = (name: string, action: Action, next: WorkflowNode["id"], onError: OnError = "end"): WorkflowNode => ({
  id: id(name),
  kind: "action",
  action,
  onError,
  next
})

/** Requests points from a plugin, stores the number, and takes another path without an answer. */
const asking = (action: Action, [done, lost, won]: readonly [TagId, TagId, TagId], onError: OnError): Graph => ({
  entry: { event: null, next: id("ask") },
  goals: [{ id: id("won"), if: { field: "tag", op: "any_of", value: [won] } }],
  nodes: [
    acts("ask", action, id("keep"), onError),
    acts(
      "keep",
      { type: "set_attribute", attributes: { points: "{{ steps.ask.output.total | default: 0 }}" } },
      id("thank")
    ),
    acts("thank", { type: "tag", tagIds: [done] }, end.id),
    acts("lose", { type: "tag", tagIds: [lost] }, end.id),
    end
  ]
})

/** A run that has just called a plugin. */
const started = Effect.fnUntraced(function* (onError: OnError = { to: id("lose") }) {
  const organization = yield* givenOrganization({ plan: "scale" })
  const baseUrl = `https://w${organization.id}.example`
  const plugin = yield* putPlugin(organization, { manifest: { ...aManifest, baseUrl } })
  yield* givenContactField(organization, "points", { type: "number" })
  const tags = [
    (yield* givenTag(organization)).id,
    (yield* givenTag(organization)).id,
    (yield* givenTag(organization)).id
  ] as const
  const action = { type: "plugin_action", pluginId: plugin.id, action: "add_points", input: { points: 3 } } as const
  const workflow = yield* published(organization, asking(action, tags, onError))
  const contact = yield* givenContact(organization)
  const run = yield* startWorkflowRun({ id: workflow.id, contactId: contact.id }).pipe(asOwnerOf(organization))
  yield* settle(organization)
  const now = explained(organization, workflow, run)
  const [step] = (yield* now).steps
  const callId = PluginCallId.make(step?.effect?.id ?? "")
  const script = yield* ReceiverScript
  const url = `${baseUrl}/actions/add_points`
  return {
    organization,
    plugin,
    action,
    workflow,
    contact,
    run,
    tags,
    url,
    now,
    summary: Effect.map(now, ({ reason, state, steps }) => [
      state,
      reason,
      ...steps.map(({ error, node, state: each }) => `${node} ${error?.code ?? each}`)
    ]),
    call: Effect.flatMap(PluginCalls, (calls) => calls.find(callId)).pipe(asOperatorOf(organization)),
    complete: (input: Omit<Parameters<typeof completePluginCall>[0], "id">) =>
      completePluginCall({ id: callId, ...input }).pipe(asOwnerOf(organization)),
    whose: (contactId = contact.id) =>
      Effect.map(getContact({ id: contactId }).pipe(asOwnerOf(organization)), ({ attributes, tags: its }) => ({
        points: attributes["points"] ?? null,
        tags: its
      })),
    posted: Effect.sync(() => script.posted(url)),
    answers: (status: number, overrides: Schema.Json = {}) =>
      Effect.sync(() =>
        script.answer(url, () =>
          Effect.succeed({ ...(status < 300 ? accepted : refused), status, text: JSON.stringify(overrides) })
        )
      )
  }
})

const gaps = ["0 seconds", "6 seconds", "31 seconds", "121 seconds", "601 seconds", "3601 seconds"] as const

layer(TestKit.layer)("a run of a workflow that asks a plugin to act", (it) => {
  it.effect("waits for the response and continues with its output", () =>
    Effect.gen(function* () {
      const { answers, now, posted, summary, whose, tags } = yield* started()
      yield* answers(200, { output: { total: 10 } })
      assert.deepStrictEqual(yield* summary, ["waiting", null, "ask calling"])
      assert.isNull((yield* now).wakeAt)
      yield* TestClock.adjust("3 days")
      yield* advanceRuns
      assert.deepStrictEqual(yield* summary, ["waiting", null, "ask calling"])
      yield* ask
      assert.deepStrictEqual(yield* summary, ["completed", null, "ask done", "keep done", "thank done"])
      assert.deepStrictEqual((yield* now).steps[0]?.output, { total: 10 })
      assert.deepStrictEqual(yield* whose(), { points: 10, tags: [tags[0]] })
      assert.lengthOf(yield* posted, 1)
    })
  )

  it.effect("receives typed values from the input and from earlier steps", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const baseUrl = `https://t${organization.id}.example`
      const plugin = yield* putPlugin(organization, { manifest: { ...aManifest, baseUrl } })
      const asks = (points: string) =>
        ({ type: "plugin_action", pluginId: plugin.id, action: "add_points", input: { points } }) as const
      const workflow = yield* published(organization, {
        entry: { event: null, next: id("ask") },
        nodes: [
          acts("ask", asks("{{ input.points }}"), id("again")),
          acts("again", asks("{{ steps.ask.output.total }}"), id("last")),
          acts("last", asks("{{ steps.again.output.nothing }}"), end.id),
          end
        ]
      })
      const contact = yield* givenContact(organization)
      const called = { contactId: contact.id, input: { points: "4" } }
      const run = yield* startWorkflowRun({ id: workflow.id, ...called }).pipe(asOwnerOf(organization))
      const script = yield* ReceiverScript
      const url = `${baseUrl}/actions/add_points`
      script.answer(url, () =>
        Effect.succeed({ ...accepted, status: 200, text: JSON.stringify({ output: { total: 10 } }) })
      )
      yield* settle(organization)
      yield* ask
      yield* TestClock.adjust("1 second")
      yield* ask
      const posted = script.posted(url).map(({ body }) => (JSON.parse(body) as { readonly input: Schema.Json }).input)
      assert.deepStrictEqual(posted, [{ points: 4 }, { points: 10 }])
      const { error } = (yield* explained(organization, workflow, run)).steps[2] ?? assert.fail("no third step")
      assert.deepStrictEqual(
        [error?.code, error?.variable, error?.pointer],
        ["missing_variable", "steps.again.output.nothing", "/input/points"]
      )
    })
  )

  it.effect("waits one day for a delayed response from any caller", () =>
    Effect.gen(function* () {
      const [answered, refusing, silent] = [yield* started(), yield* started(), yield* started()]
      for (const each of [answered, refusing, silent]) yield* each.answers(202)
      yield* ask
      yield* TestClock.adjust("23 hours")
      yield* ask
      assert.deepStrictEqual(yield* silent.summary, ["waiting", null, "ask calling"])
      yield* answered.complete({ output: { total: 4 } })
      yield* refusing.complete({ error: { code: "no_points", message: "None are left." } })
      yield* TestClock.adjust("61 minutes")
      yield* ask
      assert.deepStrictEqual(yield* answered.summary, ["completed", null, "ask done", "keep done", "thank done"])
      assert.strictEqual((yield* answered.whose()).points, 4)
      assert.deepStrictEqual(yield* refusing.summary, ["completed", null, "ask plugin_refused", "lose done"])
      assert.strictEqual((yield* refusing.now).steps[0]?.error?.detail, "None are left.")
      assert.deepStrictEqual(yield* silent.summary, ["completed", null, "ask plugin_timeout", "lose done"])
      for (const each of [answered, refusing, silent]) assert.lengthOf(yield* each.posted, 1)
      const late = yield* Effect.flip(silent.complete({ output: { total: 4 } }))
      assert.strictEqual(late._tag, "PluginCallEnded")
    })
  )

  it.effect("fails, continues or branches on refusals and unreadable responses", () =>
    Effect.gen(function* () {
      const refusal = { error: { code: "no_points", message: "None are left." } }
      for (const [onError, status, input, expected] of [
        ["end", 422, refusal, ["failed", "action_failed", "ask plugin_refused"]],
        ["continue", 422, refusal, ["completed", null, "ask plugin_refused", "keep done", "thank done"]],
        [{ to: id("lose") }, 422, refusal, ["completed", null, "ask plugin_refused", "lose done"]],
        ["end", 422, "no", ["failed", "action_failed", "ask plugin_answer_invalid"]],
        ["end", 404, {}, ["failed", "action_failed", "ask plugin_answer_invalid"]],
        ["end", 200, { output: { total: "ten" } }, ["failed", "action_failed", "ask plugin_output_invalid"]]
      ] as const) {
        const { answers, posted, summary } = yield* started(onError)
        yield* answers(status, input)
        yield* ask
        assert.deepStrictEqual(yield* summary, [...expected])
        assert.lengthOf(yield* posted, 1)
      }
    })
  )

  it.effect("asks it six times where it does not answer, each time by the same key", () =>
    Effect.gen(function* () {
      const { posted, summary, run, answers } = yield* started()
      yield* answers(503)
      for (const gap of gaps) {
        assert.deepStrictEqual(yield* summary, ["waiting", null, "ask calling"])
        yield* TestClock.adjust(gap)
        yield* ask
      }
      assert.deepStrictEqual(yield* summary, ["completed", null, "ask plugin_unreachable", "lose done"])
      const requests = yield* posted
      assert.deepStrictEqual(
        requests.map(({ attempt }) => attempt),
        [1, 2, 3, 4, 5, 6]
      )
      assert.deepStrictEqual(new Set(requests.map(({ id: key }) => key)), new Set([`${run.id}:ask:1`]))
    })
  )

  it.effect("goes on once although the process was killed while the plugin acted: it is asked by the same key", () =>
    Effect.gen(function* () {
      const { answers, organization, posted, summary, url, whose } = yield* started()
      const script = yield* ReceiverScript
      script.answer(url, () => Effect.never)
      const asks = yield* Effect.forkChild(ask)
      while ((yield* posted).length === 0) yield* Effect.yieldNow
      yield* Fiber.interrupt(asks)
      // The effect of the call is unknown. A worker that advances runs at the same time makes no new call.
      yield* settle(organization)
      assert.deepStrictEqual(yield* summary, ["waiting", null, "ask calling"])
      yield* answers(200, { output: { total: 10 } })
      yield* TestClock.adjust("1 minute")
      yield* ask
      assert.deepStrictEqual(yield* summary, ["completed", null, "ask done", "keep done", "thank done"])
      const requests = yield* posted
      assert.lengthOf(requests, 2)
      assert.strictEqual(requests[0]?.id, requests[1]?.id)
      assert.strictEqual((yield* whose()).points, 10)
    })
  )

  it.effect("goes elsewhere where the plugin is disabled before it was asked", () =>
    Effect.gen(function* () {
      const { organization, plugin, posted, summary } = yield* started()
      yield* disablePlugin({ id: plugin.id, ifVersion: null }).pipe(asOperatorOf(organization))
      yield* ask
      assert.deepStrictEqual(yield* summary, ["completed", null, "ask plugin_disabled", "lose done"])
      assert.lengthOf(yield* posted, 0)
    })
  )

  it.effect("takes the answer while all are paused, and goes on later", () =>
    Effect.gen(function* () {
      const { answers, organization, summary, whose } = yield* started()
      yield* answers(200, { output: { total: 10 } })
      const pause = (paused: boolean) =>
        updateAutomationSettings({ paused, ifVersion: null }).pipe(asOwnerOf(organization))
      yield* pause(true)
      yield* ask
      assert.deepStrictEqual(yield* summary, ["held", "kill_switch", "ask done"])
      assert.isNull((yield* whose()).points)
      yield* pause(false)
      yield* settle(organization)
      assert.deepStrictEqual(yield* summary, ["completed", null, "ask done", "keep done", "thank done"])
    })
  )

  it.effect("asks it no more once it was cancelled, also between two tries", () =>
    Effect.gen(function* () {
      const second = yield* started()
      yield* second.answers(503)
      yield* ask
      const first = yield* started()
      for (const { organization, run, workflow } of [first, second]) {
        yield* cancelWorkflowRun({ id: workflow.id, runId: run.id }).pipe(asOwnerOf(organization))
      }
      for (const gap of gaps) {
        yield* TestClock.adjust(gap)
        yield* ask
      }
      assert.lengthOf(yield* first.posted, 0)
      assert.lengthOf(yield* second.posted, 1)
      assert.deepStrictEqual(yield* second.summary, ["cancelled", null, "ask skipped"])
      const call = yield* second.call
      assert.deepStrictEqual([call?.state, call?.error?.code], ["failed", "run_ended"])
    })
  )

  it.effect("leaves at a goal while the plugin is asked, and its answer changes nothing", () =>
    Effect.gen(function* () {
      const { answers, complete, contact, organization, tags, summary, whose } = yield* started()
      yield* answers(202)
      yield* ask
      yield* tagContact({ id: contact.id, tags: [tags[2]] }).pipe(asOwnerOf(organization))
      yield* settle(organization)
      assert.deepStrictEqual(yield* summary, ["exited", "goal", "ask skipped"])
      yield* complete({ output: { total: 4 } })
      yield* ask
      assert.deepStrictEqual(yield* summary, ["exited", "goal", "ask skipped"])
      assert.isNull((yield* whose()).points)
    })
  )

  it.effect("continues for the surviving contact, and for the original one after the undo", () =>
    Effect.gen(function* () {
      for (const isUndone of [false, true]) {
        const { answers, contact, organization, tags, summary, whose } = yield* started()
        yield* answers(200, { output: { total: 10 } })
        const other = yield* givenContact(organization)
        const { mergeId } = yield* mergeContacts({ id: other.id, contactId: contact.id, ifVersion: null }).pipe(
          asOwnerOf(organization)
        )
        if (isUndone) yield* unmergeContacts({ id: other.id, mergeId, ifVersion: null }).pipe(asOwnerOf(organization))
        yield* ask
        assert.deepStrictEqual(yield* summary, ["completed", null, "ask done", "keep done", "thank done"])
        const whom = isUndone ? contact.id : other.id
        assert.deepStrictEqual(yield* whose(whom), { points: 10, tags: [tags[0]] })
        if (isUndone) assert.deepStrictEqual(yield* whose(other.id), { points: null, tags: [] })
      }
    })
  )

  it.effect("leaves after the deletion of its contact, and sends no further data about it to the plugin", () =>
    Effect.gen(function* () {
      const { answers, contact, organization, posted, summary, now } = yield* started()
      yield* answers(200, { output: { total: 10 } })
      yield* deleteContact({ id: contact.id, ifVersion: null }).pipe(asOwnerOf(organization))
      yield* ask
      assert.lengthOf(yield* posted, 0)
      assert.deepStrictEqual(yield* summary, ["exited", "contact_gone", "ask skipped"])
      assert.isNull((yield* now).contactId)
    })
  )

  it.effect("keeps a pending call when the new version makes the same call, else calls again", () =>
    Effect.gen(function* () {
      const [same, other] = [yield* started(), yield* started()]
      for (const { action, organization, tags, workflow, answers } of [same, other]) {
        yield* answers(200, { output: { total: 10 } })
        const points = organization === same.organization ? 3 : 5
        const next = asking({ ...action, input: { points } }, tags, "end")
        yield* givenNextVersion(organization, workflow, next)
        yield* moveAll(organization, workflow, { fromVersion: 1 })
        yield* settle(organization)
      }
      assert.deepStrictEqual(yield* same.summary, ["waiting", null, "ask calling"])
      assert.deepStrictEqual(yield* other.summary, ["waiting", null, "ask skipped", "ask calling"])
      yield* ask
      const whole = ["ask done", "keep done", "thank done"]
      assert.deepStrictEqual(yield* same.summary, ["completed", null, ...whole])
      assert.deepStrictEqual(yield* other.summary, ["completed", null, "ask skipped", ...whole])
      for (const each of [same, other]) {
        assert.strictEqual((yield* each.now).workflowVersion, 2)
        assert.lengthOf(yield* each.posted, 1)
      }
      const [request] = yield* other.posted
      assert.deepInclude(JSON.parse(request?.body ?? "{}"), { input: { points: 5 } })
      assert.isTrue(DateTime.isDateTime((yield* same.now).endedAt))
    })
  )
})

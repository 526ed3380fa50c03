import { assert, layer } from "@effect/vitest"
import { CurrentStorageTimeout, StorageTimeout, StorageUnavailable } from "@parley/domain/kernel"
import type { Organization } from "@parley/domain/platform"
import { ContactFields, Contacts, createContactField, createTag } from "@parley/domain/crm"
import { findTemplateVariables, MessageTemplateId } from "@parley/domain/messaging"
import {
  type Graph,
  testWorkflow,
  updateWorkflow,
  type Workflow,
  type WorkflowNode,
  type WorkflowTest,
  type WorkflowTestResult,
  WorkflowId,
  WorkflowRuns
} from "@parley/domain/automation"
import {
  aManifest,
  asOwnerOf,
  givenContact,
  givenConversation,
  givenOrganization,
  givenReceived,
  givenTag,
  givenTemplate,
  putPlugin,
  TestKit
} from "@parley/testkit"
import { DateTime, Effect, Exit } from "effect"
import { TestClock } from "effect/testing"
import { changed, end, id, published, runsOf } from "./engine.ts"

const start = DateTime.makeUnsafe("2026-03-02T09:00:00Z")

const given = Effect.gen(function* () {
  yield* TestClock.setTime(DateTime.toEpochMillis(start))
  return yield* givenOrganization({ plan: "scale" })
})

const note = (name: string, text: string, next: string): WorkflowNode => ({
  id: id(name),
  kind: "action",
  action: { type: "add_note", text },
  onError: "continue",
  next: id(next)
})

const ask = (next: string, timeout: string): WorkflowNode => ({
  id: id("ask"),
  kind: "wait_for",
  event: { event: "message.received" },
  timeoutSeconds: 86_400,
  next: id(next),
  timeout: id(timeout)
})

/** Each check finds less time left. */
class ShrinkingTimeout extends StorageTimeout {
  #checks = 0

  override left() {
    this.#checks += 1
    return this.millis - this.#checks * 100
  }
}

const graphOf = (...nodes: ReadonlyArray<WorkflowNode>): Graph => ({
  entry: { event: null, next: nodes[0]?.id ?? end.id },
  nodes: [...nodes, end]
})

const test = (organization: Organization, workflow: Pick<Workflow, "id">, options: WorkflowTest) =>
  testWorkflow({ id: workflow.id, ...options }).pipe(asOwnerOf(organization))

const pathOf = ({ steps }: WorkflowTestResult) => steps.map(({ node, state }) => `${node} ${state}`)

const hours = (time: DateTime.Utc | null) =>
  time === null ? null : (DateTime.toEpochMillis(time) - DateTime.toEpochMillis(start)) / 3_600_000

/** Errors of a refused test. */
const pointersOf = (organization: Organization, workflow: Pick<Workflow, "id">, options: WorkflowTest) =>
  Effect.gen(function* () {
    const error = yield* Effect.flip(test(organization, workflow, options))
    return error._tag === "ValidationFailed" ? error.errors.map(({ pointer }) => pointer) : error._tag
  })

layer(TestKit.layer)("the test of a workflow", (it) => {
  it.effect("takes the timeout, or the event as soon as the run waits for it", () =>
    Effect.gen(function* () {
      const organization = yield* given
      const { contactId } = yield* givenConversation(organization)
      const wait: WorkflowNode = { id: id("day"), kind: "wait", seconds: 86_400, next: id("ask") }
      const workflow = yield* published(
        organization,
        graphOf(wait, ask("thanks", "again"), note("thanks", "Thanks", "end"), note("again", "Silent", "end"))
      )
      const silent = yield* test(organization, workflow, { contactId })
      assert.deepStrictEqual(pathOf(silent), ["day done", "ask done", "again done"])
      assert.deepStrictEqual(
        silent.steps.map(({ enteredAt, leftAt }) => [hours(enteredAt), hours(leftAt)]),
        [
          [0, 24],
          [24, 48],
          [48, 48]
        ]
      )
      assert.deepStrictEqual([silent.state, silent.wouldStart, hours(silent.endedAt)], ["completed", true, 48])
      const answered = yield* test(organization, workflow, { contactId, answers: { ask: "event" } })
      assert.deepStrictEqual(pathOf(answered), ["day done", "ask done", "thanks done"])
      assert.deepStrictEqual(answered.steps[1]?.output, { event: { position: null, type: "message.received" } })
      assert.strictEqual(hours(answered.endedAt), 24)
      assert.deepStrictEqual(yield* runsOf(organization, workflow), [])
    })
  )

  it.effect("does not move later ids into the time of its waits", () =>
    Effect.gen(function* () {
      const organization = yield* given
      const { contactId } = yield* givenConversation(organization)
      const year: WorkflowNode = { id: id("year"), kind: "wait", seconds: 31_536_000, next: id("note") }
      const workflow = yield* published(organization, graphOf(year, note("note", "Happy birthday", "end")))
      const result = yield* test(organization, workflow, { contactId })
      assert.strictEqual(hours(result.endedAt), 8_760)
      const { id: later } = yield* createTag({ name: "later" }).pipe(asOwnerOf(organization))
      const millis = Number.parseInt(later.replaceAll("-", "").slice(0, 12), 16)
      assert.isAtMost(millis, DateTime.toEpochMillis(yield* DateTime.now) + 1_000)
    })
  )

  it.effect("shows the values of a past event to the nodes after a wait", () =>
    Effect.gen(function* () {
      const organization = yield* given
      const conversation = yield* givenConversation(organization)
      const { contactId } = conversation
      const { position } = yield* givenReceived(organization, conversation, { text: "Yes" })
      const waits = {
        ...ask("said", "silent"),
        if: { field: "message.text", op: "has_word", value: ["yes"] }
      } as WorkflowNode
      const workflow = yield* published(
        organization,
        graphOf(waits, note("said", "{{ message.text }}", "end"), note("silent", "Silent", "end"))
      )
      const yes = yield* test(organization, workflow, { contactId, answers: { ask: { position } } })
      assert.deepStrictEqual(yes.steps[1]?.rendered, { type: "add_note", text: "Yes" })
      const { position: other } = yield* givenReceived(organization, conversation, { text: "No" })
      const no = yield* test(organization, workflow, { contactId, answers: { ask: { position: other } } })
      assert.deepStrictEqual(pathOf(no), ["ask done", "silent done"])
      const assumed = yield* test(organization, workflow, { contactId, answers: { ask: "event" } })
      assert.deepStrictEqual(assumed.steps[1]?.refusal?.code, "missing_variable")
    })
  )

  it.effect("starts with an event, its conditions and its values", () =>
    Effect.gen(function* () {
      const organization = yield* given
      const conversation = yield* givenConversation(organization)
      const { contactId } = conversation
      const { position } = yield* givenReceived(organization, conversation, { text: "Order 7" })
      const condition = { field: "message.text", op: "has_word", value: ["refund"] } as const
      const workflow = yield* published(organization, {
        entry: { event: { event: "message.received" }, if: condition, next: id("said") },
        nodes: [note("said", "{{ message.text }}", "end"), end]
      })
      const tested = yield* test(organization, workflow, { contactId, position })
      assert.deepStrictEqual(
        [tested.wouldStart, tested.conditions],
        [false, { ...condition, saw: "Order 7", held: false }]
      )
      assert.deepStrictEqual(tested.steps[0]?.rendered, { type: "add_note", text: "Order 7" })
    })
  )

  it.effect("counts service windows on its clock, and calls no plugin", () =>
    Effect.gen(function* () {
      const organization = yield* given
      const { contactId } = yield* givenConversation(organization)
      const plugin = yield* putPlugin(organization, { manifest: { ...aManifest, key: "acme-walk" } })
      const call: WorkflowNode = {
        id: id("points"),
        kind: "action",
        action: { type: "plugin_action", pluginId: plugin.id, action: "add_points", input: { points: 3 } },
        next: id("day")
      }
      const day: WorkflowNode = { id: id("day"), kind: "wait", seconds: 86_400, next: id("late") }
      const late: WorkflowNode = {
        id: id("late"),
        kind: "action",
        action: { type: "send_message", message: { kind: "text", text: "Are you there?" } },
        onError: "continue",
        next: end.id
      }
      const tested = yield* test(organization, yield* published(organization, graphOf(call, day, late)), { contactId })
      assert.deepStrictEqual(pathOf(tested), ["points done", "day done", "late failed"])
      assert.strictEqual(tested.steps[0]?.effect, "plugin_call")
      // A day after the last message of the contact, only templates can be sent.
      assert.strictEqual(tested.steps[2]?.refusal?.code, "service_window_closed")
    })
  )

  it.effect("leaves at a goal before an action, and follows onError", () =>
    Effect.gen(function* () {
      const organization = yield* given
      const { contactId } = yield* givenConversation(organization)
      const tag = yield* givenTag(organization)
      const tagged: WorkflowNode = {
        id: id("tag"),
        kind: "action",
        action: { type: "tag", tagIds: [tag.id] },
        next: id("never")
      }
      const refused = note("refused", "{{ contact.email }}", "tag")
      const graph = graphOf(refused, tagged, note("never", "Never", "end"))
      const goal = { id: id("won"), if: { field: "tag", op: "any_of", value: [tag.id] } } as const
      const workflow = yield* published(organization, { ...graph, goals: [goal] })
      const tested = yield* test(organization, workflow, { contactId })
      assert.deepStrictEqual(pathOf(tested), ["refused failed", "tag done"])
      assert.deepStrictEqual([tested.state, tested.reason, tested.goals], ["exited", "goal", ["won"]])
      assert.strictEqual(tested.steps[0]?.refusal?.code, "missing_variable")
    })
  )

  it.effect("refuses a deleted template per node, and ends a circle at the limit of nodes", () =>
    Effect.gen(function* () {
      const organization = yield* given
      const { contactId } = yield* givenConversation(organization)
      const templateId = MessageTemplateId.make("01934b77-3c52-7e88-9fa2-718293a4b5c6")
      const send: WorkflowNode = {
        id: id("send"),
        kind: "action",
        action: { type: "send_template", template: { id: templateId, values: { "body.1": "Ada" } } },
        onError: "continue",
        next: id("fork")
      }
      const blocked = { field: "blocked", op: "is", value: true } as const
      const branches = [{ if: blocked, next: end.id }]
      const fork: WorkflowNode = { id: id("fork"), kind: "branch", branches, else: id("fork") }
      const tested = yield* test(organization, yield* published(organization, graphOf(send, fork)), { contactId })
      assert.deepStrictEqual(tested.steps[0]?.state, "failed")
      assert.deepStrictEqual([tested.state, tested.reason], ["failed", "step_limit"])
      assert.strictEqual(tested.steps.length, 1_000)
    })
  )

  it.effect("ends with its last step when a request to the storage takes too long", () =>
    Effect.gen(function* () {
      const organization = yield* given
      const { contactId } = yield* givenConversation(organization)
      const workflow = yield* published(
        organization,
        graphOf(note("first", "First", "second"), note("second", "{{ steps.first.state }}", "end"))
      )
      const runs = yield* WorkflowRuns
      const slow = new StorageUnavailable({ reason: "The statement took too long", outcome: "not_made", isAway: false })
      const tested = yield* test(organization, workflow, { contactId }).pipe(
        Effect.provideService(WorkflowRuns, WorkflowRuns.of({ ...runs, steps: () => Effect.die(slow) }))
      )
      assert.deepStrictEqual(pathOf(tested), ["first done"])
      assert.deepStrictEqual([tested.state, tested.reason], ["cancelled", "time_limit"])
      const away = new StorageUnavailable({ reason: "No connection", outcome: "not_made", isAway: true })
      const exit = yield* Effect.exit(
        test(organization, workflow, { contactId }).pipe(
          Effect.provideService(WorkflowRuns, WorkflowRuns.of({ ...runs, steps: () => Effect.die(away) }))
        )
      )
      assert.isTrue(Exit.isFailure(exit))
    })
  )

  it.effect("shows the latest step of each node to texts", () =>
    Effect.gen(function* () {
      const organization = yield* given
      const { contactId } = yield* givenConversation(organization)
      const text = "{{ steps.ask.output.event.type }} {{ steps.first.state }}"
      const workflow = yield* published(
        organization,
        graphOf(
          note("first", "{{ steps.last.state | default: 'new' }}", "ask"),
          ask("last", "last"),
          note("last", text, "end")
        )
      )
      const tested = yield* test(organization, workflow, { contactId, answers: { ask: "event" } })
      assert.deepStrictEqual(
        tested.steps.map(({ rendered }) => rendered),
        [{ type: "add_note", text: "new" }, null, { type: "add_note", text: "message.received done" }]
      )
    })
  )

  it.effect("masks a one-time code", () =>
    Effect.gen(function* () {
      const organization = yield* given
      const { chatAccountId, contactId } = yield* givenConversation(organization)
      const components = { authentication: { transfer: "copy_code" } } as const
      const template = yield* givenTemplate(organization, chatAccountId, {
        category: "authentication",
        components,
        variables: findTemplateVariables(components)
      })
      const send: WorkflowNode = {
        id: id("send"),
        kind: "action",
        action: { type: "send_template", template: { id: template.id, values: { code: "481516" } } },
        onError: "continue",
        next: end.id
      }
      const tested = yield* test(organization, yield* published(organization, graphOf(send)), { contactId })
      const masked = { id: template.id, values: { code: "••••••" } }
      assert.deepStrictEqual(tested.steps[0]?.rendered, { type: "send_template", template: masked })
      assert.notInclude(JSON.stringify(tested), "481516")
    })
  )

  it.effect("lists the validation errors of a draft, and refuses errors in conditions with all of them", () =>
    Effect.gen(function* () {
      const organization = yield* given
      const { contactId } = yield* givenConversation(organization)
      const lost = note("lost", "Never", "end")
      const workflow = yield* published(organization, graphOf(note("first", "First", "end")))
      const draft = graphOf(note("first", "{{ unknown }}", "end"), lost)
      const update = (graph: Graph) =>
        updateWorkflow({ id: workflow.id, ifVersion: null, graph }).pipe(asOwnerOf(organization))
      yield* update(draft)
      const tested = yield* test(organization, workflow, { contactId })
      const pointers = tested.faults.map(({ pointer }) => pointer)
      assert.deepStrictEqual(pointers, ["/graph/nodes/1", "/graph/nodes/0/action/text"])
      assert.deepStrictEqual((yield* test(organization, workflow, { contactId, version: 1 })).faults, [])
      const entry = { event: { event: "contact.created" }, if: { field: "order.total", op: "is", value: 1 } } as const
      yield* update({ ...draft, entry: { ...entry, next: id("first") } })
      const refused = yield* pointersOf(organization, workflow, { contactId })
      assert.includeMembers(Array.from(refused), [...pointers, "/graph/entry/if/field"])
    })
  )

  it.effect("ends a long test before the storage time of its request is used up", () =>
    Effect.gen(function* () {
      const organization = yield* given
      const { contactId } = yield* givenConversation(organization)
      const fork: WorkflowNode = {
        id: id("fork"),
        kind: "branch",
        branches: [{ if: { field: "blocked", op: "is", value: true }, next: end.id }],
        else: id("again")
      }
      const workflow = yield* published(organization, graphOf(note("again", "Again", "fork"), fork))
      const tested = yield* test(organization, workflow, { contactId }).pipe(
        Effect.provideService(CurrentStorageTimeout, new ShrinkingTimeout(5_000))
      )
      assert.deepStrictEqual([tested.state, tested.reason], ["cancelled", "time_limit"])
      assert.isAbove(tested.steps.length, 2)
      assert.isBelow(tested.steps.length, 60)
      assert.isTrue(tested.steps.every(({ state }) => state === "done"))
    })
  )

  it.effect("reads the contact once for actions that do not change it", () =>
    Effect.gen(function* () {
      const organization = yield* given
      const { contactId } = yield* givenConversation(organization)
      const contacts = yield* Contacts
      const readsOf = Effect.fnUntraced(function* (count: number) {
        const reads: Array<number> = []
        const counted = Contacts.of({
          ...contacts,
          find: (ids) => {
            reads.push(ids.length)
            return contacts.find(ids)
          }
        })
        const notes = Array.from({ length: count }, (_, place) =>
          note(`n${place}`, "Hello {{ contact.name }}", place + 1 === count ? "end" : `n${place + 1}`)
        )
        const workflow = yield* published(organization, graphOf(...notes))
        const tested = yield* test(organization, workflow, { contactId }).pipe(Effect.provideService(Contacts, counted))
        assert.lengthOf(tested.steps, count)
        return reads.length
      })
      assert.strictEqual(yield* readsOf(20), yield* readsOf(1))
    })
  )

  it.effect("reads the contact fields once for all nodes, and still refuses values that they do not allow", () =>
    Effect.gen(function* () {
      const organization = yield* given
      const { contactId } = yield* givenConversation(organization)
      const fields = yield* ContactFields
      yield* createContactField({ key: "size", name: "Size", type: "number" }).pipe(asOwnerOf(organization))
      const readsOf = Effect.fnUntraced(function* (
        sizes: ReadonlyArray<string | number>,
        expected: ReadonlyArray<string>
      ) {
        let reads = 0
        const counted = ContactFields.of({
          ...fields,
          all: () => {
            reads += 1
            return fields.all()
          }
        })
        const nodes = sizes.map((size, place): WorkflowNode => ({
          id: id(`n${place}`),
          kind: "action",
          action: { type: "set_attribute", attributes: { size } },
          onError: "continue",
          next: place + 1 === sizes.length ? end.id : id(`n${place + 1}`)
        }))
        const workflow = yield* published(organization, graphOf(...nodes))
        const tested = yield* test(organization, workflow, { contactId }).pipe(
          Effect.provideService(ContactFields, counted)
        )
        assert.deepStrictEqual(pathOf(tested), expected)
        return reads
      })
      const once = yield* readsOf([1], ["n0 done"])
      assert.strictEqual(yield* readsOf([1, "{{ contact.name }}", 2], ["n0 done", "n1 failed", "n2 done"]), once)
    })
  )

  it.effect("tests the draft or a version", () =>
    Effect.gen(function* () {
      const organization = yield* given
      const { contactId } = yield* givenConversation(organization)
      const workflow = yield* published(organization, graphOf(note("old", "Old", "end")))
      yield* changed(organization, workflow, { graph: graphOf(note("new", "New", "end")) })
      assert.deepStrictEqual(pathOf(yield* test(organization, workflow, { contactId })), ["new done"])
      assert.deepStrictEqual(pathOf(yield* test(organization, workflow, { contactId, version: 1 })), ["old done"])
    })
  )

  it.effect("reports errors of the request together, with their places", () =>
    Effect.gen(function* () {
      const organization = yield* given
      const conversation = yield* givenConversation(organization)
      const { contactId } = conversation
      const other = yield* givenConversation(organization)
      const { position } = yield* givenReceived(organization, other, { text: "Mine" })
      const workflow = yield* published(organization, graphOf(ask("end", "end")))
      const answers = { ask: { position }, nowhere: "event", "a/b": "timeout" } as const
      assert.deepStrictEqual(yield* pointersOf(organization, workflow, { contactId, position, answers }), [
        "/position",
        "/answers/ask/position",
        "/answers/nowhere",
        "/answers/a~1b"
      ])
      assert.deepStrictEqual(yield* pointersOf(organization, workflow, { contactId, version: 2 }), ["/version"])
      const gone = { contactId: (yield* givenContact(yield* givenOrganization())).id }
      assert.deepStrictEqual(yield* pointersOf(organization, workflow, gone), ["/contactId"])
      const missing = { id: WorkflowId.make("01934b77-3c52-7e88-9fa2-718293a4b5c6") }
      assert.strictEqual(yield* pointersOf(organization, missing, { contactId }), "NotFound")
      yield* changed(organization, workflow, { graph: { nodes: [end] } })
      assert.deepStrictEqual(yield* pointersOf(organization, workflow, { contactId }), ["/graph/entry"])
      const branch: WorkflowNode = {
        id: id("b"),
        kind: "branch",
        branches: [{ if: { field: "order.total", op: "is", value: 1 }, next: end.id }],
        else: end.id
      }
      yield* changed(organization, workflow, { graph: graphOf(branch) })
      assert.deepStrictEqual(yield* pointersOf(organization, workflow, { contactId }), [
        "/graph/nodes/0/branches/0/if/field"
      ])
    })
  )
})

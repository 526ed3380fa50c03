import { assert, layer } from "@effect/vitest"
import { type Graph, httpCallLaneWorker, advanceRuns, startWorkflowRun, testWorkflow } from "@parley/domain/automation"
import { eraseContact, getContact } from "@parley/domain/crm"
import { runDueLanes } from "@parley/domain/platform"
import {
  asOperatorOf,
  asOwnerOf,
  givenContact,
  givenContactField,
  givenOrganization,
  givenTag,
  MemoryReceivers,
  ReceiverScript,
  TestKit
} from "@parley/testkit"
import { Effect, type Schema } from "effect"
import { TestClock } from "effect/testing"
import { end, explained, id, published, settle } from "./engine.ts"

const { accepted, refused } = MemoryReceivers

const send = Effect.andThen(runDueLanes(httpCallLaneWorker), advanceRuns)

const given = Effect.gen(function* () {
  const organization = yield* givenOrganization({ plan: "scale" })
  const url = `https://w${organization.id}.example/plan`
  yield* givenContactField(organization, "plan")
  const tag = yield* givenTag(organization)
  const graph: Graph = {
    entry: { event: null, next: id("lookup") },
    nodes: [
      {
        id: id("lookup"),
        kind: "action",
        action: { type: "http_request", method: "POST", url, body: { id: "{{ contact.id }}" } },
        onError: { to: id("which") },
        next: id("keep")
      },
      {
        id: id("keep"),
        kind: "action",
        action: { type: "set_attribute", attributes: { plan: "{{ steps.lookup.output.body.plan }}" } },
        next: id("which")
      },
      {
        id: id("which"),
        kind: "branch",
        branches: [
          { if: { field: "steps", key: "lookup.output.status", op: "gte", value: 400 }, next: id("lost") },
          { if: { field: "steps", key: "lookup.output.body.plan", op: "is", value: "gold" }, next: id("won") }
        ],
        else: end.id
      },
      { id: id("lost"), kind: "end" },
      { id: id("won"), kind: "action", action: { type: "tag", tagIds: [tag.id] }, next: end.id },
      end
    ]
  }
  const workflow = yield* published(organization, graph)
  const contact = yield* givenContact(organization)
  const script = yield* ReceiverScript
  return {
    organization,
    workflow,
    contact,
    start: Effect.gen(function* () {
      const run = yield* startWorkflowRun({ id: workflow.id, contactId: contact.id }).pipe(asOwnerOf(organization))
      yield* settle(organization)
      return { run: explained(organization, workflow, run) }
    }),
    plan: Effect.map(
      getContact({ id: contact.id }).pipe(asOwnerOf(organization)),
      ({ attributes }) => attributes["plan"]
    ),
    posted: Effect.sync(() => script.posted(url)),
    answer: (status: number, body: Schema.Json) =>
      Effect.sync(() =>
        script.answer(url, () =>
          Effect.succeed({ ...(status < 300 ? accepted : refused), status, text: JSON.stringify(body) })
        )
      )
  }
})

const nodesOf = (steps: ReadonlyArray<{ readonly node: string; readonly state: string }>) =>
  steps.map(({ node, state }) => `${node} ${state}`)

layer(TestKit.layer)("a workflow that sends an HTTP request", (it) => {
  it.effect("waits for the answer; later texts and branches read it", () =>
    Effect.gen(function* () {
      const { answer, plan, posted, start } = yield* given
      yield* answer(200, { plan: "gold" })
      const { run } = yield* start
      assert.strictEqual((yield* run).state, "waiting")
      yield* send
      const { state, steps } = yield* run
      assert.deepStrictEqual(
        [state, ...nodesOf(steps)],
        ["completed", "lookup done", "keep done", "which done", "won done"]
      )
      assert.deepStrictEqual(steps[0]?.output, { status: 200, body: { plan: "gold" } })
      assert.strictEqual(yield* plan, "gold")
      assert.lengthOf(yield* posted, 1)
    })
  )

  it.effect("goes to another node with the answer of an error status", () =>
    Effect.gen(function* () {
      const { answer, start } = yield* given
      yield* answer(404, { reason: "unknown" })
      const { run } = yield* start
      yield* send
      const { state, steps } = yield* run
      assert.deepStrictEqual([state, ...nodesOf(steps)], ["completed", "lookup failed", "which done"])
      assert.deepStrictEqual(steps[0]?.output, { status: 404, body: { reason: "unknown" } })
      assert.strictEqual(steps[0]?.error?.code, "http_status")
      assert.strictEqual(steps[1]?.conditions?.any?.[0]?.saw, 404)
    })
  )

  it.effect("tries again five times", () =>
    Effect.gen(function* () {
      const { answer, posted, start } = yield* given
      yield* answer(500, {})
      const { run } = yield* start
      for (const gap of ["0 seconds", "6 seconds", "31 seconds", "121 seconds", "601 seconds"] as const) {
        yield* TestClock.adjust(gap)
        yield* send
      }
      assert.strictEqual((yield* run).state, "waiting")
      yield* TestClock.adjust("3601 seconds")
      yield* send
      assert.lengthOf(yield* posted, 6)
      assert.strictEqual((yield* run).steps[0]?.error?.code, "http_status")
    })
  )

  it.effect("sends nothing after its contact was erased", () =>
    Effect.gen(function* () {
      const { contact, organization, posted, start } = yield* given
      const { run } = yield* start
      yield* eraseContact({ id: contact.id, ifVersion: null }).pipe(asOperatorOf(organization))
      yield* send
      assert.lengthOf(yield* posted, 0)
      assert.strictEqual((yield* run).state, "exited")
    })
  )

  it.effect("is tested with an assumed answer, and sends nothing", () =>
    Effect.gen(function* () {
      const { contact, organization, posted, workflow } = yield* given
      const tested = (answers: NonNullable<Parameters<typeof testWorkflow>[0]["answers"]>) =>
        testWorkflow({ id: workflow.id, contactId: contact.id, version: 1, answers }).pipe(asOwnerOf(organization))
      const won = yield* tested({ lookup: { status: 200, body: { plan: "gold" } } })
      assert.deepStrictEqual(nodesOf(won.steps), ["lookup done", "keep done", "which done", "won done"])
      const lost = yield* tested({ lookup: { status: 500 } })
      assert.deepStrictEqual([lost.steps[0]?.refusal?.code, lost.steps[1]?.node], ["http_status", "which"])
      const wrong = yield* Effect.flip(tested({ keep: { status: 200 } }))
      assert.strictEqual(wrong._tag, "ValidationFailed")
      assert.lengthOf(yield* posted, 0)
    })
  )
})

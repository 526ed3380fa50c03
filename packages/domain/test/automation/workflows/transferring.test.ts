import { assert, layer } from "@effect/vitest"
import { createTag, tagContact, type TagId } from "@parley/domain/crm"
import {
  type Graph,
  migrateWorkflowRuns,
  type NodeId,
  startWorkflowRun,
  type WorkflowNode,
  type WorkflowRunsMove
} from "@parley/domain/automation"
import {
  asOwnerOf,
  givenContact,
  givenConversation,
  givenNextVersion,
  givenOrganization,
  givenReceived,
  TestKit
} from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { changed, end, explained, id, lastRun, published, settle } from "./engine.ts"
import { moveAll } from "./moveAll.ts"

const waits = (name: string, seconds: number, next: NodeId = end.id): WorkflowNode => ({
  id: id(name),
  kind: "wait",
  seconds,
  next
})

const adds = (name: string, tagId: TagId): WorkflowNode => ({
  id: id(name),
  kind: "action",
  action: { type: "tag", tagIds: [tagId] },
  next: end.id
})

const graphOf = (...nodes: ReadonlyArray<WorkflowNode>): Graph => ({
  entry: { event: null, next: nodes[0]?.id ?? end.id },
  nodes: [...nodes, end]
})

/** A run that has waited for half an hour in its version, with a newer version. */
const given = Effect.fnUntraced(function* (before: Graph, after: Graph) {
  const organization = yield* givenOrganization({ plan: "scale" })
  const workflow = yield* published(organization, before)
  const contact = yield* givenContact(organization)
  const begunAt = yield* DateTime.now
  const run = yield* startWorkflowRun({ id: workflow.id, contactId: contact.id }).pipe(asOwnerOf(organization))
  yield* settle(organization)
  const next = yield* givenNextVersion(organization, workflow, after)
  yield* TestClock.adjust("30 minutes")
  const move = (input: Omit<WorkflowRunsMove, "fromVersion">) =>
    Effect.andThen(moveAll(organization, workflow, { fromVersion: 1, ...input }), settle(organization))
  return { organization, workflow: next, run, begunAt, move, now: explained(organization, workflow, run) }
})

layer(TestKit.layer)("runs that are moved to another version", (it) => {
  it.effect("stay in the node with the same id, regardless of its kind", () =>
    Effect.gen(function* () {
      const { move, now } = yield* given(graphOf(waits("constructor", 3_600)), graphOf(waits("constructor", 7_200)))
      yield* move({ missing: "exit" })
      assert.deepInclude(yield* now, { workflowVersion: 2, state: "waiting", node: id("constructor") })
    })
  )

  it.effect("stay in the node of the same id, whose deadline counts from when they came there", () =>
    Effect.gen(function* () {
      const { begunAt, move, now } = yield* given(graphOf(waits("w", 3_600)), graphOf(waits("w", 7_200)))
      yield* move({})
      const moved = yield* now
      assert.deepStrictEqual([moved.workflowVersion, moved.state, moved.node], [2, "waiting", "w"])
      assert.deepStrictEqual(moved.wakeAt, DateTime.add(begunAt, { hours: 2 }))
    })
  )

  it.effect("continue directly after an expired deadline", () =>
    Effect.gen(function* () {
      const { move, now } = yield* given(graphOf(waits("w", 3_600)), graphOf(waits("w", 60)))
      yield* move({})
      assert.deepInclude(yield* now, { workflowVersion: 2, state: "completed" })
    })
  )

  it.effect("move to the mapped node and wait there from now on", () =>
    Effect.gen(function* () {
      const { move, now } = yield* given(
        graphOf(waits("w", 3_600)),
        graphOf(waits("first", 60, id("v")), waits("v", 600))
      )
      yield* move({ map: { w: id("v") } })
      const moved = yield* now
      assert.deepStrictEqual(
        [moved.node, moved.state, moved.wakeAt, moved.steps.map(({ node, state }) => `${node} ${state}`)],
        ["v", "waiting", DateTime.add(yield* DateTime.now, { minutes: 10 }), ["w skipped", "v waiting"]]
      )
    })
  )

  it.effect("stay on their version, or leave, where the other one has no such node", () =>
    Effect.gen(function* () {
      const { move, now } = yield* given(graphOf(waits("w", 3_600)), graphOf(waits("other", 60)))
      yield* move({})
      assert.deepInclude(yield* now, { workflowVersion: 1, state: "waiting" })
      yield* move({ missing: "exit" })
      assert.deepInclude(yield* now, { workflowVersion: 1, state: "exited", reason: "node_gone" })
    })
  )

  it.effect("are refused where something is named that is not there, or the workflow is over", () =>
    Effect.gen(function* () {
      const { organization, workflow } = yield* given(graphOf(waits("w", 3_600)), graphOf(waits("w", 60)))
      const tag = yield* createTag({ name: "t" }).pipe(asOwnerOf(organization))
      const refusal = (move: WorkflowRunsMove) =>
        Effect.map(
          Effect.flip(migrateWorkflowRuns({ id: workflow.id, ...move }).pipe(asOwnerOf(organization))),
          (error) => (error._tag === "ValidationFailed" ? error.errors.map(({ pointer }) => pointer) : error._tag)
        )
      assert.deepStrictEqual(yield* refusal({ fromVersion: 2 }), ["/fromVersion"])
      assert.deepStrictEqual(yield* refusal({ fromVersion: 9 }), ["/fromVersion"])
      assert.deepStrictEqual(yield* refusal({ fromVersion: 1, map: { "no/where": id("w"), w: id("nowhere") } }), [
        "/map/no~1where",
        "/map/w"
      ])
      yield* changed(organization, workflow, { status: "archived" })
      assert.strictEqual(yield* refusal({ fromVersion: 1 }), "WorkflowTransitionInvalid")
      const draft = yield* published(organization, graphOf(adds("a", tag.id)))
      yield* changed(organization, draft, { status: "draft", publishedVersion: null })
      assert.strictEqual(
        (yield* Effect.flip(migrateWorkflowRuns({ id: draft.id, fromVersion: 1 }).pipe(asOwnerOf(organization))))._tag,
        "WorkflowTransitionInvalid"
      )
    })
  )

  it.effect("continue their wait from its start, with the branches of the new version", () =>
    Effect.gen(function* () {
      const answer = { event: "contact.tagged" } as const
      const awaits = (timeoutSeconds: number, next: NodeId): WorkflowNode => ({
        id: id("wait"),
        kind: "wait_for",
        event: answer,
        timeoutSeconds,
        next,
        timeout: end.id
      })
      const longer = graphOf(awaits(7_200, id("then")), waits("then", 600))
      for (const answers of [true, false]) {
        const { begunAt, move, now, organization, run } = yield* given(graphOf(awaits(3_600, end.id)), longer)
        yield* move({})
        assert.deepStrictEqual((yield* now).wakeAt, DateTime.add(begunAt, { hours: 2 }))
        yield* TestClock.adjust("89 minutes")
        const tag = yield* createTag({ name: "answer" }).pipe(asOwnerOf(organization))
        if (answers)
          yield* tagContact({ id: run.contactId ?? assert.fail(), tags: [tag.id] }).pipe(asOwnerOf(organization))
        yield* settle(organization)
        assert.strictEqual((yield* now).node, answers ? "then" : "wait")
        yield* TestClock.adjust("1 minute")
        yield* settle(organization)
        if (!answers) assert.deepStrictEqual((yield* now).steps.at(-1)?.output, { timeout: true })
      }
      const shorter = graphOf(awaits(60, id("then")), waits("then", 600))
      const { move, now } = yield* given(graphOf(awaits(3_600, end.id)), shorter)
      yield* move({})
      assert.deepInclude(yield* now, { workflowVersion: 2, state: "completed" })
      assert.deepStrictEqual((yield* now).steps.at(-1)?.output, { timeout: true })
    })
  )

  it.effect("restart the wait if the new version waits for another event", () =>
    Effect.gen(function* () {
      const awaits = (match: "contact" | "conversation"): Graph => ({
        entry: { event: { event: "message.received" }, by: "conversation", next: id("wait") },
        nodes: [
          {
            id: id("wait"),
            kind: "wait_for",
            event: { event: "message.received" },
            match,
            timeoutSeconds: 3_600,
            next: id("came"),
            timeout: end.id
          },
          waits("came", 600),
          end
        ]
      })
      const organization = yield* givenOrganization({ plan: "scale" })
      const workflow = yield* published(organization, awaits("contact"))
      const { id: contactId } = yield* givenContact(organization)
      const [own, other] = [
        yield* givenConversation(organization, { contactId }),
        yield* givenConversation(organization, { contactId })
      ]
      yield* givenReceived(organization, own)
      yield* settle(organization)
      const run = yield* lastRun(organization, workflow)
      const next = yield* givenNextVersion(organization, workflow, awaits("conversation"))
      yield* TestClock.adjust("30 minutes")
      yield* moveAll(organization, next, { fromVersion: 1 })
      yield* settle(organization)
      const now = explained(organization, workflow, run)
      const moved = yield* now
      assert.deepStrictEqual(
        moved.steps.map(({ node, state }) => `${node} ${state}`),
        ["wait skipped", "wait waiting"]
      )
      assert.deepStrictEqual(moved.wakeAt, DateTime.add(yield* DateTime.now, { hours: 1 }))
      yield* changed(organization, next, { status: "archived" })
      yield* givenReceived(organization, other)
      yield* settle(organization)
      assert.strictEqual((yield* now).node, "wait")
      yield* givenReceived(organization, own)
      yield* settle(organization)
      assert.strictEqual((yield* now).node, "came")
    })
  )
})

import { assert, layer } from "@effect/vitest"
import { type Organization, setOrganizationPlan } from "@parley/domain/platform"
import {
  type Contact,
  createTag,
  deleteContact,
  getContact,
  mergeContacts,
  tagContact,
  type TagId,
  unmergeContacts,
  untagContact,
  updateContact
} from "@parley/domain/crm"
import {
  cancelWorkflowRun,
  continueWorkflowRun,
  createAutomation,
  deleteWorkflow,
  enableAutomation,
  type Graph,
  advanceRuns,
  startWorkflowRun,
  updateAutomationSettings,
  type WorkflowNode
} from "@parley/domain/automation"
import { listEvents } from "@parley/domain/composition"
import { asOperatorOf, asOwnerOf, givenContact, givenOrganization, TestKit } from "@parley/testkit"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { changed, end, explained, follow, id, keptOf, lastRun, published, resumed, runsOf, settle } from "./engine.ts"

const started = givenOrganization({ plan: "scale" })

const givenTag = (organization: Organization, name: string) =>
  Effect.map(createTag({ name }).pipe(asOwnerOf(organization)), (tag) => tag.id)

const tag = (organization: Organization, contact: Pick<Contact, "id">, ...tagIds: ReadonlyArray<TagId>) =>
  tagContact({ id: contact.id, tags: tagIds }).pipe(asOwnerOf(organization))

const tagsOf = (organization: Organization, contact: Pick<Contact, "id">) =>
  Effect.map(getContact({ id: contact.id }).pipe(asOwnerOf(organization)), ({ tags }) => [...tags])

const onTag = (tagId: TagId) => ({ event: "contact.tagged" as const, tagIds: [tagId] })

const adds = (name: string, tagId: TagId, next: string): WorkflowNode => ({
  id: id(name),
  kind: "action",
  action: { type: "tag", tagIds: [tagId] },
  next: id(next)
})

const waits = (name: string, seconds: number, next: string): WorkflowNode => ({
  id: id(name),
  kind: "wait",
  seconds,
  next: id(next)
})

const awaits = (name: string, tagId: TagId, next: string, timeout: string): WorkflowNode => ({
  id: id(name),
  kind: "wait_for",
  event: onTag(tagId),
  timeoutSeconds: 3_600,
  next: id(next),
  timeout: id(timeout)
})

const hasTag = (tagId: TagId) => ({ field: "tag", op: "any_of", value: [tagId] })

/** An organization with a contact and three tags; the first tag starts its workflows. */
const given = Effect.gen(function* () {
  const organization = yield* started
  const [a, b, c] = yield* Effect.all([
    givenTag(organization, "a"),
    givenTag(organization, "b"),
    givenTag(organization, "c")
  ])
  return { organization, a, b, c, contact: yield* givenContact(organization) }
})

const graph = (tagId: TagId, nodes: ReadonlyArray<WorkflowNode>, more: Partial<Graph> = {}): Graph => ({
  entry: { event: onTag(tagId), next: nodes[0]?.id ?? end.id },
  nodes: [...nodes, end],
  ...more
})

const called = (nodes: ReadonlyArray<WorkflowNode>, more: Partial<Graph> = {}): Graph => ({
  entry: { event: null, next: nodes[0]?.id ?? end.id },
  nodes: [...nodes, end],
  ...more
})

const eventsOf = (organization: Organization, type: string) =>
  listEvents({ types: [type], page: { limit: 50, cursor: null } }).pipe(
    asOperatorOf(organization),
    Effect.map(({ data }) => data.map(({ event }) => event))
  )

layer(TestKit.layer)("runs of workflows", (it) => {
  it.effect("begin once for each event, act in the name of the workflow, wait, and go on", () =>
    Effect.gen(function* () {
      const { a, b, c, contact, organization } = yield* given
      const workflow = yield* published(
        organization,
        graph(a, [adds("n1", b, "n2"), waits("n2", 600, "n3"), adds("n3", c, "end")])
      )
      yield* tag(organization, contact, a)
      yield* settle(organization, 2)
      assert.sameMembers(yield* tagsOf(organization, contact), [a, b])
      const waiting = yield* lastRun(organization, workflow)
      assert.deepStrictEqual(
        [
          waiting.state,
          waiting.node,
          waiting.event?.type,
          waiting.key,
          waiting.steps.map(({ node, state }) => `${node} ${state}`)
        ],
        ["waiting", "n2", "contact.tagged", contact.id, ["n1 done", "n2 waiting"]]
      )
      assert.deepStrictEqual(waiting.steps[0]?.effect, { kind: "contact", id: contact.id })
      yield* TestClock.adjust("9 minutes")
      yield* settle(organization)
      assert.strictEqual((yield* lastRun(organization, workflow)).state, "waiting")
      yield* TestClock.adjust("1 minutes")
      yield* settle(organization, 2)
      const over = yield* lastRun(organization, workflow)
      assert.deepStrictEqual([over.state, over.steps.length, over.wakeAt], ["completed", 3, null])
      assert.sameMembers(yield* tagsOf(organization, contact), [a, b, c])
      assert.lengthOf(yield* runsOf(organization, workflow), 1)
      const tagged = (yield* eventsOf(organization, "contact.tagged")).at(-1)
      assert.deepStrictEqual(tagged?.actor, { kind: "workflow", id: workflow.id })
      assert.deepStrictEqual(tagged?.causation?.via, [{ kind: "workflow", id: workflow.id }])
      assert.lengthOf(yield* eventsOf(organization, "workflow.run_started"), 1)
      const [ended] = yield* eventsOf(organization, "workflow.run_ended")
      assert.deepInclude(ended?.event, { state: "completed", reason: null, runId: over.id })
    })
  )

  it.effect("enter only where their condition holds, once at a time, and as often as reentry says", () =>
    Effect.gen(function* () {
      const { a, b, contact, organization } = yield* given
      const again = tag(organization, contact, a).pipe(
        Effect.andThen(settle(organization)),
        Effect.andThen(untagContact({ id: contact.id, tag: [a] }).pipe(asOwnerOf(organization)))
      )
      const nodes = [waits("n1", 60, "end")]
      const entry = { event: onTag(a), next: id("n1") }
      const guarded = yield* published(organization, { ...called(nodes), entry: { ...entry, if: hasTag(b) } })
      const once = yield* published(organization, { ...called(nodes), entry: { ...entry, reentry: "never" } })
      const later = yield* published(organization, {
        ...called(nodes),
        entry: { ...entry, reentry: { afterSeconds: 3_600 } }
      })
      const counts = Effect.forEach([guarded, once, later], (workflow) =>
        Effect.map(runsOf(organization, workflow), (runs) => runs.length)
      )
      yield* again
      yield* again
      assert.deepStrictEqual(yield* counts, [0, 1, 1])
      yield* TestClock.adjust("2 minutes")
      yield* settle(organization)
      yield* again
      assert.deepStrictEqual(yield* counts, [0, 1, 1])
      yield* TestClock.adjust("1 hours")
      yield* tag(organization, contact, b)
      yield* again
      assert.deepStrictEqual(yield* counts, [1, 1, 2])
    })
  )

  it.effect("do not begin by imports, for blocked contacts, a day later, or while their workflow is paused", () =>
    Effect.gen(function* () {
      const { a, contact, organization } = yield* given
      const workflow = yield* published(organization, graph(a, [waits("n1", 60, "end")]))
      const blocked = yield* givenContact(organization)
      yield* updateContact({ id: blocked.id, blocked: true, ifVersion: null }).pipe(asOwnerOf(organization))
      yield* tag(organization, blocked, a)
      yield* settle(organization)
      yield* tag(organization, contact, a)
      yield* TestClock.adjust("25 hours")
      yield* settle(organization)
      assert.lengthOf(yield* runsOf(organization, workflow), 0)
      yield* changed(organization, workflow, { status: "paused" })
      yield* tag(organization, yield* givenContact(organization), a)
      yield* settle(organization)
      assert.lengthOf(yield* runsOf(organization, workflow), 0)
    })
  )

  it.effect("wake by their event, else by time; an event before the deadline wins, also if read late", () =>
    Effect.gen(function* () {
      const { a, b, c, organization } = yield* given
      const d = yield* givenTag(organization, "d")
      yield* published(
        organization,
        graph(a, [awaits("n1", b, "n2", "n3"), adds("n2", c, "end"), adds("n3", d, "end")])
      )
      const [answers, ignores, late] = [
        yield* givenContact(organization),
        yield* givenContact(organization),
        yield* givenContact(organization)
      ]
      for (const contact of [answers, ignores, late]) yield* tag(organization, contact, a)
      yield* settle(organization)
      yield* tag(organization, answers, b)
      yield* settle(organization)
      assert.sameMembers(yield* tagsOf(organization, answers), [a, b, c])
      yield* TestClock.adjust("59 minutes")
      yield* tag(organization, late, b)
      yield* TestClock.adjust("2 minutes")
      // The log is unread since then: the timers detect unread events.
      yield* advanceRuns
      assert.sameMembers(yield* tagsOf(organization, late), [a, b])
      assert.sameMembers(yield* tagsOf(organization, ignores), [a])
      yield* follow(organization)
      yield* TestClock.adjust("2 seconds")
      yield* settle(organization)
      assert.sameMembers(yield* tagsOf(organization, late), [a, b, c])
      assert.sameMembers(yield* tagsOf(organization, ignores), [a, d])
    })
  )

  it.effect("leave at a goal, also during a wait or a hold, and count the messages without effect", () =>
    Effect.gen(function* () {
      const { a, b, c, contact, organization } = yield* given
      const workflow = yield* published(
        organization,
        graph(a, [waits("n1", 600, "end")], {
          goals: [
            { id: id("seen"), if: hasTag(b), exit: false },
            { id: id("won"), event: onTag(c) }
          ]
        })
      )
      yield* tag(organization, contact, a)
      yield* settle(organization)
      yield* tag(organization, contact, b)
      yield* settle(organization)
      const seen = yield* lastRun(organization, workflow)
      assert.deepStrictEqual([seen.state, seen.goals], ["waiting", ["seen"]])
      yield* changed(organization, workflow, { status: "paused" })
      yield* tag(organization, contact, c)
      yield* settle(organization)
      const won = yield* lastRun(organization, workflow)
      assert.deepStrictEqual([won.state, won.reason, won.goals], ["exited", "goal", ["seen", "won"]])
      assert.deepStrictEqual(
        won.steps.map(({ state }) => state),
        ["skipped"]
      )
      assert.lengthOf(yield* eventsOf(organization, "workflow.goal_reached"), 2)
    })
  )

  it.effect("leave by exits before an effect, and take the first branch that holds", () =>
    Effect.gen(function* () {
      const { a, b, c, contact, organization } = yield* given
      const branch: WorkflowNode = {
        id: id("n1"),
        kind: "branch",
        branches: [
          { if: hasTag(c), next: id("end") },
          { if: hasTag(a), next: id("n2") },
          { if: {}, next: id("end") }
        ],
        else: id("end")
      }
      const workflow = yield* published(
        organization,
        graph(a, [branch, adds("n2", b, "n3"), adds("n3", c, "end")], { exits: [{ id: id("x"), if: hasTag(b) }] })
      )
      yield* tag(organization, contact, a)
      yield* settle(organization)
      const run = yield* lastRun(organization, workflow)
      assert.deepStrictEqual([run.state, run.reason], ["exited", "exit"])
      assert.sameMembers(yield* tagsOf(organization, contact), [a, b])
      const [first] = run.steps
      assert.deepStrictEqual(first?.output, { branch: 1 })
      assert.deepStrictEqual(
        first?.conditions?.any?.map(({ held }) => held),
        [false, true]
      )
    })
  )

  it.effect("fail, go on or go elsewhere where an action fails", () =>
    Effect.gen(function* () {
      const { b, contact, organization } = yield* given
      const failing = (onError?: "continue" | "end" | { readonly to: WorkflowNode["id"] }): WorkflowNode => ({
        id: id("n1"),
        kind: "action",
        action: { type: "set_priority", priority: "high" },
        ...(onError !== undefined && { onError }),
        next: id("end")
      })
      const ran = Effect.fnUntraced(function* (node: WorkflowNode) {
        const workflow = yield* published(organization, called([node, adds("n2", b, "end")]))
        yield* startWorkflowRun({ id: workflow.id, contactId: contact.id }).pipe(asOwnerOf(organization))
        yield* settle(organization)
        const { reason, state, steps } = yield* lastRun(organization, workflow)
        return [state, reason, steps.map(({ error, node }) => `${node} ${error?.code ?? "-"}`)]
      })
      assert.deepStrictEqual(yield* ran(failing()), ["failed", "action_failed", ["n1 no_conversation"]])
      assert.deepStrictEqual(yield* ran(failing("continue")), ["completed", null, ["n1 no_conversation"]])
      assert.deepStrictEqual(yield* ran(failing({ to: id("n2") })), ["completed", null, ["n1 no_conversation", "n2 -"]])
    })
  )

  it.effect("are held by kill switch, plan and pause, continue in place, and leave if the deadline passed", () =>
    Effect.gen(function* () {
      const { a, b, contact, organization } = yield* given
      const workflow = yield* published(organization, graph(a, [waits("n1", 60, "n2"), adds("n2", b, "end")]))
      yield* tag(organization, contact, a)
      yield* settle(organization)
      const shown = Effect.map(lastRun(organization, workflow), ({ reason, state }) => [state, reason])
      const pause = (paused: boolean) =>
        updateAutomationSettings({ paused, ifVersion: null }).pipe(asOwnerOf(organization))
      yield* pause(true)
      yield* TestClock.adjust("2 minutes")
      yield* settle(organization)
      assert.deepStrictEqual(yield* shown, ["held", "kill_switch"])
      yield* pause(false)
      yield* setOrganizationPlan({ plan: "free" }).pipe(asOperatorOf(organization))
      yield* settle(organization)
      assert.deepStrictEqual(yield* shown, ["held", "plan"])
      yield* setOrganizationPlan({ plan: "scale" }).pipe(asOperatorOf(organization))
      yield* changed(organization, workflow, { status: "paused" })
      yield* settle(organization)
      assert.deepStrictEqual(yield* shown, ["held", "paused"])
      assert.sameMembers(yield* tagsOf(organization, contact), [a])
      yield* resumed(organization, workflow)
      yield* settle(organization)
      assert.deepStrictEqual(yield* shown, ["completed", null])

      const late = yield* givenContact(organization)
      yield* TestClock.adjust("1 minutes")
      yield* tag(organization, late, a)
      yield* settle(organization)
      yield* pause(true)
      yield* TestClock.adjust("26 hours")
      yield* pause(false)
      yield* settle(organization)
      assert.deepStrictEqual(yield* shown, ["exited", "late"])
      assert.sameMembers(yield* tagsOf(organization, late), [a])
    })
  )

  it.effect("are begun by automations and by each other, and cut where a workflow would begin itself again", () =>
    Effect.gen(function* () {
      const { a, b, contact, organization } = yield* given
      const inner = yield* published(
        organization,
        called([
          {
            id: id("n1"),
            kind: "action",
            action: { type: "add_note", text: "{{ input.said }}" },
            onError: "continue",
            next: id("n2")
          },
          adds("n2", b, "end")
        ])
      )
      const then = [{ type: "start_workflow" as const, workflowId: inner.id, input: { said: "Hi {{ contact.id }}" } }]
      const automation = yield* createAutomation({
        name: "Start",
        when: { event: "contact.tagged", tagIds: [a] },
        then
      }).pipe(asOwnerOf(organization))
      yield* enableAutomation({ id: automation.id, ifVersion: null }).pipe(asOwnerOf(organization))
      const circle = yield* published(
        organization,
        graph(b, [
          { id: id("n1"), kind: "action", action: { type: "untag", tagIds: [b] }, next: id("n2") },
          adds("n2", b, "end")
        ])
      )
      yield* tag(organization, contact, a)
      yield* settle(organization, 4)
      const run = yield* lastRun(organization, inner)
      assert.deepStrictEqual(
        [run.state, run.event, run.causation?.via],
        ["completed", null, [{ kind: "automation", id: automation.id }]]
      )
      const kept = yield* keptOf(organization, run)
      assert.deepStrictEqual(kept?.run.input, { said: `Hi ${contact.id}` })
      const circles = yield* runsOf(organization, circle)
      assert.deepStrictEqual(circles.map(({ node, reason, state }) => [state, reason, node]).toSorted(), [
        ["completed", null, "end"],
        ["exited", "cycle", null]
      ])
    })
  )

  it.effect("are refused manually with a live run, an inactive workflow or an unknown contact; cancel once", () =>
    Effect.gen(function* () {
      const { contact, organization } = yield* given
      const workflow = yield* published(organization, called([waits("n1", 60, "end")]))
      const start = startWorkflowRun({ id: workflow.id, contactId: contact.id, input: { a: 1 } }).pipe(
        asOwnerOf(organization)
      )
      const run = yield* start
      assert.strictEqual((yield* Effect.flip(start))._tag, "ContactInWorkflow")
      assert.strictEqual(
        (yield* Effect.flip(deleteWorkflow({ id: workflow.id, ifVersion: null }).pipe(asOwnerOf(organization))))._tag,
        "WorkflowInUse"
      )
      yield* changed(organization, workflow, { status: "archived" })
      assert.strictEqual((yield* Effect.flip(start))._tag, "WorkflowNotActive")
      const inUse = yield* Effect.flip(
        deleteWorkflow({ id: workflow.id, ifVersion: null }).pipe(asOwnerOf(organization))
      )
      assert.deepInclude(inUse, { _tag: "WorkflowInUse", liveRuns: 1 })
      const cancel = cancelWorkflowRun({ id: workflow.id, runId: run.id }).pipe(asOwnerOf(organization))
      assert.strictEqual((yield* cancel).state, "cancelled")
      assert.strictEqual((yield* Effect.flip(cancel))._tag, "RunEnded")
      yield* deleteWorkflow({ id: workflow.id, ifVersion: null }).pipe(asOwnerOf(organization))
    })
  )

  it.effect("continue from a wait early, at the chosen exit, and from nothing else", () =>
    Effect.gen(function* () {
      const { b, c, contact, organization } = yield* given
      const steps = [
        waits("n1", 60, "n2"),
        awaits("n2", c, "n3", "end"),
        adds("n3", b, "n4"),
        awaits("n4", c, "n3", "end")
      ]
      const workflow = yield* published(organization, called(steps))
      const { id: runId } = yield* startWorkflowRun({ id: workflow.id, contactId: contact.id }).pipe(
        asOwnerOf(organization)
      )
      const continued = (as?: "event" | "timeout") =>
        continueWorkflowRun({ id: workflow.id, runId, ...(as !== undefined && { as }) }).pipe(asOwnerOf(organization))
      assert.deepInclude(yield* Effect.flip(continued()), { _tag: "RunNotWaiting", node: id("n1") })
      yield* settle(organization)
      assert.deepInclude(yield* Effect.flip(continued("event")), { _tag: "ValidationFailed" })
      assert.deepInclude(yield* continued(), { state: "running", node: id("n2"), wakeAt: null })
      assert.deepInclude(yield* Effect.flip(continued()), { _tag: "RunNotWaiting", node: id("n2") })
      yield* settle(organization)
      assert.deepInclude(yield* continued("event"), { node: id("n3"), event: null })
      yield* settle(organization)
      assert.include(yield* tagsOf(organization, contact), b)
      assert.deepInclude(yield* continued(), { node: id("end") })
      yield* settle(organization)
      const ended = yield* explained(organization, workflow, { id: runId })
      assert.deepStrictEqual(
        ended.steps.flatMap(({ node, output }) => (output === null ? [] : [[node, output]])),
        [
          ["n1", { continued: true }],
          ["n2", { continued: "event" }],
          ["n4", { continued: "timeout" }]
        ]
      )
      assert.strictEqual((yield* Effect.flip(continued()))._tag, "RunEnded")
      const summary = yield* eventsOf(organization, "workflow.run_continued")
      assert.lengthOf(summary, 3)
    })
  )

  it.effect("follow their contact through a merge and back, and leave with it", () =>
    Effect.gen(function* () {
      const { a, b, contact, organization } = yield* given
      const survivor = yield* givenContact(organization)
      const workflow = yield* published(organization, graph(a, [waits("n1", 600, "n2"), adds("n2", b, "end")]))
      yield* tag(organization, contact, a)
      yield* settle(organization)
      const run = yield* lastRun(organization, workflow)
      const { mergeId } = yield* mergeContacts({ id: survivor.id, contactId: contact.id, ifVersion: null }).pipe(
        asOwnerOf(organization)
      )
      assert.strictEqual((yield* explained(organization, workflow, run)).contactId, survivor.id)
      yield* unmergeContacts({ id: survivor.id, mergeId, ifVersion: null }).pipe(asOwnerOf(organization))
      const back = yield* explained(organization, workflow, run)
      assert.deepStrictEqual([back.contactId, back.key, back.state], [contact.id, contact.id, "waiting"])
      yield* updateContact({ id: contact.id, blocked: true, ifVersion: null }).pipe(asOwnerOf(organization))
      assert.deepInclude(yield* explained(organization, workflow, run), { state: "exited", reason: "blocked" })
      const other = yield* givenContact(organization)
      yield* tag(organization, other, a)
      yield* settle(organization)
      const second = (yield* runsOf(organization, workflow)).find(({ contactId }) => contactId === other.id) ?? run
      yield* deleteContact({ id: other.id, ifVersion: null }).pipe(asOwnerOf(organization))
      assert.deepInclude(yield* explained(organization, workflow, second), {
        state: "exited",
        reason: "contact_gone",
        contactId: null,
        key: null
      })
    })
  )
})

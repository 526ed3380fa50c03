import { assert, layer } from "@effect/vitest"
import type { Organization } from "@parley/domain/platform"
import {
  type ContactId,
  deleteContact,
  eraseContact,
  mergeContacts,
  tagContact,
  type TagId,
  untagContact
} from "@parley/domain/crm"
import {
  type Graph,
  type Reentry,
  startWorkflowRun,
  sweepWorkflowRuns,
  type Workflow,
  type WorkflowNode,
  type WorkflowRun,
  WorkflowRuns
} from "@parley/domain/automation"
import { listEvents } from "@parley/domain/composition"
import {
  asOperatorOf,
  asOwnerOf,
  givenContact,
  givenConversation,
  givenOrganization,
  givenTag,
  TestKit
} from "@parley/testkit"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { end, explained, id, keptOf, lastRun, published, runsOf, settle } from "./engine.ts"

const waits: WorkflowNode = { id: id("w"), kind: "wait", seconds: 60, next: end.id }

const onTag = (tagId: TagId) => ({ event: "contact.tagged" as const, tagIds: [tagId] })

const given = Effect.gen(function* () {
  const organization = yield* givenOrganization({ plan: "scale" })
  const { id: tagId } = yield* givenTag(organization)
  const { id: contactId } = yield* givenContact(organization)
  const tag = (whose: ContactId = contactId) =>
    tagContact({ id: whose, tags: [tagId] }).pipe(
      Effect.andThen(settle(organization)),
      Effect.andThen(untagContact({ id: whose, tag: [tagId] })),
      asOwnerOf(organization)
    )
  const entering = (reentry: Reentry) =>
    published(organization, { entry: { event: onTag(tagId), reentry, next: waits.id }, nodes: [waits, end] })
  const call = (workflow: Workflow, input: WorkflowInput = {}) =>
    startWorkflowRun({ id: workflow.id, contactId, input }).pipe(asOwnerOf(organization))
  return { organization, tagId, contactId, tag, entering, call }
})

type WorkflowInput = { readonly [name: string]: string }

/** Deletes expired runs. */
const sweep = (organization: Organization) => sweepWorkflowRuns.pipe(asOperatorOf(organization))

const count = (organization: Organization, workflow: Workflow) =>
  Effect.map(runsOf(organization, workflow), (runs) => runs.length)

const stepsOf = (organization: Organization, { id: runId }: WorkflowRun) =>
  Effect.flatMap(WorkflowRuns, (runs) => runs.steps(runId)).pipe(asOperatorOf(organization))

layer(TestKit.layer)("runs of workflows that are over", (it) => {
  it.effect("are stored with their steps for 90 days after their end", () =>
    Effect.gen(function* () {
      const { call, entering, organization } = yield* given
      const workflow = yield* entering("always")
      const run = yield* call(workflow)
      yield* settle(organization)
      yield* TestClock.adjust("100 days")
      yield* sweep(organization)
      // A live run of any age is retained.
      assert.strictEqual(yield* count(organization, workflow), 1)
      yield* settle(organization)
      yield* TestClock.adjust("90 days")
      yield* sweep(organization)
      assert.lengthOf((yield* explained(organization, workflow, run)).steps, 1)
      yield* TestClock.adjust("1 second")
      yield* sweep(organization)
      assert.strictEqual(yield* count(organization, workflow), 0)
      assert.strictEqual((yield* Effect.flip(explained(organization, workflow, run)))._tag, "NotFound")
      assert.lengthOf(yield* stepsOf(organization, run), 0)
    })
  )

  it.effect("are remembered only if reentry is forbidden or delayed", () =>
    Effect.gen(function* () {
      const { entering, organization, tag } = yield* given
      const [never, later, always] = [
        yield* entering("never"),
        yield* entering({ afterSeconds: 10_368_000 }),
        yield* entering("always")
      ]
      const counts = Effect.forEach([never, later, always], (workflow) => count(organization, workflow))
      yield* tag()
      yield* TestClock.adjust("1 minute")
      yield* settle(organization)
      yield* TestClock.adjust("91 days")
      yield* sweep(organization)
      assert.deepStrictEqual(yield* counts, [0, 0, 0])
      yield* tag()
      assert.deepStrictEqual(yield* counts, [0, 0, 1])
      yield* TestClock.adjust("30 days")
      yield* settle(organization)
      yield* tag()
      assert.deepStrictEqual(yield* counts, [0, 1, 2])
    })
  )

  it.effect("are remembered for the surviving contact of a merge", () =>
    Effect.gen(function* () {
      const { contactId, entering, organization, tag } = yield* given
      const workflow = yield* entering("never")
      yield* tag()
      yield* TestClock.adjust("1 minute")
      yield* settle(organization)
      yield* TestClock.adjust("91 days")
      yield* sweep(organization)
      const [other, stranger] = [yield* givenContact(organization), yield* givenContact(organization)]
      yield* mergeContacts({ id: other.id, contactId, ifVersion: null }).pipe(asOwnerOf(organization))
      yield* tag(other.id)
      assert.strictEqual(yield* count(organization, workflow), 0)
      yield* tag(stranger.id)
      assert.strictEqual(yield* count(organization, workflow), 1)
    })
  )
})

layer(TestKit.layer)("runs of workflows of a contact who is erased", (it) => {
  /** Notes who it is of, then waits, in the conversation of the contact. */
  const noting: Graph = {
    entry: { event: null, next: id("fail") },
    nodes: [
      {
        id: id("fail"),
        kind: "action",
        action: { type: "set_attribute", attributes: { unheard: "{{ contact.name }} {{ input.said }}" } },
        onError: "continue",
        next: id("look")
      },
      {
        id: id("look"),
        kind: "branch",
        branches: [{ if: { field: "name", op: "contains", value: "Ada" }, next: id("w") }],
        else: end.id
      },
      waits,
      end
    ]
  }

  const begun = Effect.gen(function* () {
    const world = yield* given
    yield* givenConversation(world.organization, { contactId: world.contactId })
    const workflow = yield* published(world.organization, noting)
    const run = yield* world.call(workflow, { said: "Secret" })
    yield* settle(world.organization)
    return { ...world, workflow, run }
  })

  it.effect("say nothing of them any more, whether they were live or over, and the live ones have left", () =>
    Effect.gen(function* () {
      for (const remove of [eraseContact, deleteContact]) {
        for (const isOver of [false, true]) {
          const { contactId, organization, run, workflow } = yield* begun
          if (isOver) {
            yield* TestClock.adjust("1 minute")
            yield* settle(organization)
          }
          const summary = yield* explained(organization, workflow, run)
          assert.deepStrictEqual(
            summary.steps.map(({ node, state }) => `${node} ${state}`),
            ["fail failed", "look done", isOver ? "w done" : "w waiting"]
          )
          yield* remove({ id: contactId, ifVersion: null }).pipe(asOwnerOf(organization))
          const after = yield* explained(organization, workflow, run)
          assert.deepStrictEqual(
            [after.state, after.reason, after.contactId, after.key],
            [...(isOver ? ["completed", null] : ["exited", "contact_gone"]), null, null]
          )
          const kept = yield* keptOf(organization, run)
          assert.deepStrictEqual([kept?.run.input, kept?.progress.subject], [{}, null])
          const steps = yield* stepsOf(organization, run)
          assert.deepStrictEqual(
            steps.map(({ conditions, error, output }) => [conditions, error?.detail ?? null, output]),
            steps.map(() => [null, null, null])
          )
          const all = JSON.stringify([after, kept, steps])
          for (const word of ["Ada", "Secret", contactId]) assert.notInclude(all, word)
          // No run continues later.
          yield* TestClock.adjust("1 day")
          yield* settle(organization)
          assert.deepStrictEqual(yield* explained(organization, workflow, run), after)
          const { data } = yield* listEvents({ types: ["workflow.run_ended"], page: { limit: 9, cursor: null } }).pipe(
            asOperatorOf(organization)
          )
          assert.lengthOf(data, 1)
        }
      }
    })
  )

  it.effect("are not remembered for a contact that was merged into the same contact", () =>
    Effect.gen(function* () {
      const { contactId, organization, run, workflow } = yield* begun
      const whole = yield* givenContact(organization)
      yield* mergeContacts({ id: whole.id, contactId, ifVersion: null }).pipe(asOwnerOf(organization))
      yield* eraseContact({ id: whole.id, ifVersion: null }).pipe(asOwnerOf(organization))
      const after = yield* explained(organization, workflow, run)
      assert.deepStrictEqual([after.state, after.reason, after.contactId], ["exited", "contact_gone", null])
      const all = JSON.stringify([after, yield* keptOf(organization, run), yield* stepsOf(organization, run)])
      for (const word of ["Ada", "Secret", contactId, whole.id]) assert.notInclude(all, word)
    })
  )

  it.effect("admit a new contact with the same name, because the earlier one is unknown", () =>
    Effect.gen(function* () {
      const { contactId, entering, organization, tag } = yield* given
      const workflow = yield* entering("never")
      yield* tag()
      yield* TestClock.adjust("1 minute")
      yield* settle(organization)
      yield* eraseContact({ id: contactId, ifVersion: null }).pipe(asOwnerOf(organization))
      const anew = yield* givenContact(organization)
      yield* tag(anew.id)
      assert.strictEqual((yield* lastRun(organization, workflow)).contactId, anew.id)
    })
  )
})

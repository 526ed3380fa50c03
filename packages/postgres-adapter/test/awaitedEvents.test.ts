import { assert, describe, it } from "@effect/vitest"
import { EventLog, consumeLog, type Organization, EventConsumers } from "@parley/domain/platform"
import { type ContactId, createTag, tagContact, type TagId } from "@parley/domain/crm"
import { getWorkflowRun, type Graph, advanceRuns, NodeId, startWorkflowRun } from "@parley/domain/automation"
import { layerEventConsumers } from "@parley/domain/composition"
import { asOperatorOf, givenActiveWorkflow, givenContact, givenOrganization } from "@parley/testkit"
import { Deferred, Effect, Fiber } from "effect"
import { givenNodes, type Node } from "./support/nodes.ts"
import { somebodyWaits } from "./support/somebodyWaits.ts"

const slow = 60_000

const id = (name: string) => NodeId.make(name)

/** Waits for a tag, and ends. */
const awaiting = (tagId: TagId): Graph => ({
  entry: { event: null, next: id("answer") },
  nodes: [
    {
      id: id("answer"),
      kind: "wait_for",
      event: { event: "contact.tagged", tagIds: [tagId] },
      timeoutSeconds: 3_600,
      next: id("end"),
      timeout: id("end")
    },
    { id: id("end"), kind: "end" }
  ]
})

const given = (node: Node) =>
  Effect.gen(function* () {
    const organization = yield* givenOrganization({ plan: "scale" })
    const { id: tagId } = yield* createTag({ name: "answered" }).pipe(asOperatorOf(organization))
    const { id: workflowId } = yield* givenActiveWorkflow(organization, awaiting(tagId))
    const { id: contactId } = yield* givenContact(organization)
    return { organization, tagId, workflowId, contactId }
  }).pipe(Effect.provide(node))

/** Makes runs process logged events. */
const follow = (organization: Organization) =>
  Effect.gen(function* () {
    for (const consumer of (yield* EventConsumers).values()) {
      if (consumer.name === "workflows.follow_contacts") yield* consumeLog(consumer)
    }
  }).pipe(asOperatorOf(organization), Effect.provide(layerEventConsumers))

/** The event log, with a pause after its head is read and before it is compared with new events. */
const pausedAfterHead = (read: Deferred.Deferred<void>, go: Deferred.Deferred<void>) =>
  Effect.updateService(EventLog, (log) =>
    EventLog.of({
      ...log,
      head: () => Effect.tap(log.head(), () => Effect.andThen(Deferred.succeed(read, undefined), Deferred.await(go)))
    })
  )

const answer = (organization: Organization, contactId: ContactId, tagId: TagId) =>
  tagContact({ id: contactId, tags: [tagId] }).pipe(asOperatorOf(organization))

describe("an event that is awaited", () => {
  it.effect(
    "wakes the run also if it is logged while the run reaches its wait",
    () =>
      Effect.gen(function* () {
        const [one = assert.fail(), other = assert.fail()] = yield* givenNodes(2)
        const { contactId, organization, tagId, workflowId } = yield* given(one)
        // The event consumer starts before the first event.
        yield* follow(organization).pipe(Effect.provide(other))
        const { id: runId } = yield* startWorkflowRun({ id: workflowId, contactId }).pipe(
          asOperatorOf(organization),
          Effect.provide(one)
        )
        const read = yield* Deferred.make<void>()
        const go = yield* Deferred.make<void>()
        const leading = yield* advanceRuns.pipe(pausedAfterHead(read, go), Effect.provide(one), Effect.forkChild)
        yield* Deferred.await(read)
        yield* answer(organization, contactId, tagId).pipe(Effect.provide(other))
        const following = yield* follow(organization).pipe(Effect.provide(other), Effect.forkChild)
        yield* Effect.raceFirst(Fiber.await(following), Effect.provide(somebodyWaits, one))
        yield* Deferred.succeed(go, undefined)
        yield* Fiber.join(leading)
        yield* Fiber.join(following)
        yield* Effect.provide(advanceRuns, one)
        const run = yield* getWorkflowRun({ id: workflowId, runId }).pipe(
          asOperatorOf(organization),
          Effect.provide(one)
        )
        assert.strictEqual(run.state, "completed")
      }),
    slow
  )
})

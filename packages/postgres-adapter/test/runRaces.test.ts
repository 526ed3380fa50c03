import { assert, describe, it } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { consumeLog, type Organization, EventConsumers } from "@parley/domain/platform"
import { type ContactId, ContactMergeId } from "@parley/domain/crm"
import {
  archiveWorkflow,
  ContactWorkflowRuns,
  listWorkflowRuns,
  startWorkflowRun,
  type WorkflowId,
  WorkflowRuns,
  Workflows
} from "@parley/domain/automation"
import { layerEventConsumers } from "@parley/domain/composition"
import { asOperatorOf, givenActiveWorkflow, givenContact, givenOrganization } from "@parley/testkit"
import { DateTime, Deferred, Effect, Fiber } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { givenNodes, type Node } from "./support/nodes.ts"
import { somebodyWaits } from "./support/somebodyWaits.ts"

const slow = 60_000

const given = (node: Node) =>
  Effect.gen(function* () {
    const organization = yield* givenOrganization({ plan: "scale" })
    const { id: workflowId } = yield* givenActiveWorkflow(organization)
    const { id: contactId } = yield* givenContact(organization)
    return { organization, workflowId, contactId }
  }).pipe(Effect.provide(node))

/** A point where a transaction pauses until the test resumes it. */
const makePause = Effect.gen(function* () {
  const come = yield* Deferred.make<void>()
  const go = yield* Deferred.make<void>()
  return {
    here: Effect.andThen(Deferred.succeed(come, undefined), Deferred.await(go)),
    come: Deferred.await(come),
    go: Deferred.succeed(go, undefined)
  }
})

/** Starts a workflow run for a contact and pauses before the commit. */
const startPausing = (
  organization: Organization,
  workflowId: WorkflowId,
  contactId: ContactId,
  here: Effect.Effect<void>
) =>
  startWorkflowRun({ id: workflowId, contactId }).pipe(
    Effect.updateService(WorkflowRuns, (runs) =>
      WorkflowRuns.of({ ...runs, start: (run) => Effect.tap(runs.start(run), () => here) })
    ),
    asOperatorOf(organization)
  )

/** Transfers the runs of a contact to another contact, as a merge does. */
const handOver = (organization: Organization, from: ContactId, to: ContactId) =>
  transact(
    Effect.gen(function* () {
      const mergeId = ContactMergeId.make(SecureRandom.uuidV7Unsafe())
      return yield* (yield* ContactWorkflowRuns).handOver({ from, to, mergeId }, 1, yield* DateTime.now)
    })
  ).pipe(asOperatorOf(organization))

const archive = (organization: Organization, workflowId: WorkflowId) =>
  archiveWorkflow({ id: workflowId, runs: "exit", ifVersion: null }).pipe(asOperatorOf(organization))

/** Ends the active runs of archived workflows. */
const follow = (organization: Organization) =>
  Effect.gen(function* () {
    for (const consumer of (yield* EventConsumers).values()) {
      if (consumer.name !== "workflows.leave_archived") continue
      yield* Effect.repeat(consumeLog(consumer), { while: (again) => again !== null })
    }
  }).pipe(asOperatorOf(organization), Effect.provide(layerEventConsumers))

const runsOf = (organization: Organization, workflowId: WorkflowId) =>
  Effect.map(listWorkflowRuns({ id: workflowId, page: { limit: 9, cursor: null } }), ({ data }) =>
    data.map(({ reason, state }) => [state, reason])
  ).pipe(asOperatorOf(organization))

describe("a run that begins while its workflow is archived", () => {
  it.effect(
    "leaves with the runs of its earlier workflow, which is archived later",
    () =>
      Effect.gen(function* () {
        const [one = assert.fail(), other = assert.fail()] = yield* givenNodes(2)
        const { contactId, organization, workflowId } = yield* given(one)
        // The event consumer starts before the first event.
        yield* follow(organization).pipe(Effect.provide(one))
        const pause = yield* makePause
        const starting = yield* startPausing(organization, workflowId, contactId, pause.here).pipe(
          Effect.provide(one),
          Effect.forkChild
        )
        yield* pause.come
        const archiving = yield* archive(organization, workflowId).pipe(Effect.provide(other), Effect.forkChild)
        yield* Effect.raceFirst(Fiber.await(archiving), Effect.provide(somebodyWaits, one))
        // No consumer sees the event before the run exists.
        yield* follow(organization).pipe(Effect.provide(one))
        yield* pause.go
        yield* Fiber.join(starting)
        yield* Fiber.join(archiving)
        yield* follow(organization).pipe(Effect.provide(one))
        const after = yield* runsOf(organization, workflowId).pipe(Effect.provide(one))
        assert.deepStrictEqual(after, [["exited", "archived"]])
      }),
    slow
  )

  it.effect(
    "does not begin where it was later",
    () =>
      Effect.gen(function* () {
        const [one = assert.fail(), other = assert.fail()] = yield* givenNodes(2)
        const { contactId, organization, workflowId } = yield* given(one)
        const pause = yield* makePause
        const archiving = yield* archive(organization, workflowId).pipe(
          Effect.updateService(Workflows, (workflows) =>
            Workflows.of({ ...workflows, save: (...input) => Effect.tap(workflows.save(...input), () => pause.here) })
          ),
          Effect.provide(other),
          Effect.forkChild
        )
        yield* pause.come
        const starting = yield* startWorkflowRun({ id: workflowId, contactId }).pipe(
          asOperatorOf(organization),
          Effect.provide(one),
          Effect.forkChild
        )
        yield* Effect.raceFirst(Fiber.await(starting), Effect.provide(somebodyWaits, one))
        yield* pause.go
        yield* Fiber.join(archiving)
        assert.strictEqual((yield* Effect.flip(Fiber.join(starting)))._tag, "WorkflowNotActive")
        assert.deepStrictEqual(yield* runsOf(organization, workflowId).pipe(Effect.provide(one)), [])
      }),
    slow
  )
})

describe("runs of two merging contacts", () => {
  it.effect(
    "are locked in the common order without deadlocks",
    () =>
      Effect.gen(function* () {
        const [one = assert.fail(), other = assert.fail()] = yield* givenNodes(2)
        const { contactId: to, organization, workflowId } = yield* given(one)
        const [from, earlier] = yield* Effect.gen(function* () {
          const { id: part } = yield* givenContact(organization)
          const { id: second } = yield* givenActiveWorkflow(organization)
          const begin = (contactId: typeof to, which: WorkflowId) =>
            startWorkflowRun({ id: which, contactId }).pipe(asOperatorOf(organization))
          // The run that started first is last in the table, because each change moves a row to the end.
          const { id: first } = yield* begin(to, workflowId)
          yield* TestClock.adjust("1 seconds")
          yield* begin(part, second)
          const kept = yield* Effect.flatMap(WorkflowRuns, (runs) => runs.find(first)).pipe(asOperatorOf(organization))
          if (kept !== null) {
            yield* transact(Effect.flatMap(WorkflowRuns, (runs) => runs.save(kept, []))).pipe(
              asOperatorOf(organization)
            )
          }
          return [part, first] as const
        }).pipe(Effect.provide(one))
        const pause = yield* makePause
        const lock = (contactId: typeof to) => Effect.flatMap(WorkflowRuns, (runs) => runs.lockLive([contactId]))
        const locking = yield* transact(
          Effect.gen(function* () {
            const [kept] = yield* lock(to)
            yield* pause.here
            return [kept?.run.id, (yield* lock(from)).length]
          })
        ).pipe(asOperatorOf(organization), Effect.provide(one), Effect.forkChild)
        yield* pause.come
        const merging = yield* handOver(organization, from, to).pipe(Effect.provide(other), Effect.forkChild)
        yield* Effect.raceFirst(Fiber.await(merging), Effect.provide(somebodyWaits, one))
        yield* pause.go
        assert.deepStrictEqual(yield* Fiber.join(locking), [earlier, 1])
        assert.deepStrictEqual(yield* Fiber.join(merging), [])
      }),
    slow
  )

  it.effect(
    "are merged also if one contact starts a run in the other's workflow in that moment",
    () =>
      Effect.gen(function* () {
        const [one = assert.fail(), other = assert.fail()] = yield* givenNodes(2)
        const { contactId: to, organization, workflowId } = yield* given(one)
        const from = yield* Effect.gen(function* () {
          const { id } = yield* givenContact(organization)
          yield* startWorkflowRun({ id: workflowId, contactId: id }).pipe(asOperatorOf(organization))
          yield* TestClock.adjust("1 seconds")
          return id
        }).pipe(Effect.provide(one))
        const pause = yield* makePause
        const starting = yield* startPausing(organization, workflowId, to, pause.here).pipe(
          Effect.provide(one),
          Effect.forkChild
        )
        yield* pause.come
        const merging = yield* handOver(organization, from, to).pipe(Effect.provide(other), Effect.forkChild)
        yield* Effect.raceFirst(Fiber.await(merging), Effect.provide(somebodyWaits, one))
        yield* pause.go
        const { id } = yield* Fiber.join(starting)
        const left = yield* Fiber.join(merging)
        assert.deepStrictEqual(
          left.map((run) => [run.id, run.reason]),
          [[id, "merged"]]
        )
        const after = yield* runsOf(organization, workflowId).pipe(Effect.provide(one))
        assert.sameDeepMembers(after, [
          ["running", null],
          ["exited", "merged"]
        ])
      }),
    slow
  )
})

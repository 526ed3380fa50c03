import { assert, describe, it } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { JobKinds, type JobKindName, Jobs, type Organization } from "@parley/domain/platform"
import {
  cancelWorkflowRun,
  createAutomation,
  enableAutomation,
  listAutomationRuns,
  listWorkflowRuns,
  rerunAutomationRuns,
  rerunWorkflowRuns,
  startWorkflowRun
} from "@parley/domain/automation"
import { createTag } from "@parley/domain/crm"
import { layerJobKinds } from "@parley/domain/composition"
import { asOperatorOf, givenActiveWorkflow, givenAutomationRun, givenContact, givenOrganization } from "@parley/testkit"
import { Deferred, Effect, Fiber, type Schema } from "effect"
import { givenNodes, type Node } from "./support/nodes.ts"
import { somebodyWaits } from "./support/somebodyWaits.ts"

const slow = 60_000
const page = { limit: 9, cursor: null }

interface StartedJob {
  readonly kind: JobKindName
  readonly input: Schema.Json
}

/** Starts a job, and returns its stored input. */
const startJob = Effect.fnUntraced(function* <A, E, R>(organization: Organization, start: Effect.Effect<A, E, R>) {
  const started: Array<StartedJob> = []
  yield* start.pipe(
    Effect.updateService(Jobs, (jobs) =>
      Jobs.of({
        ...jobs,
        insert: (stored) => {
          started.push({ kind: stored.job.kind, input: stored.input })
          return jobs.insert(stored)
        }
      })
    ),
    asOperatorOf(organization)
  )
  return started[0] ?? assert.fail("No job was started.")
})

/** Runs the first step of a job up to its commit, and returns its counts. */
const runStep = (organization: Organization, { input, kind }: StartedJob, beforeCommit: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const { ask } = (yield* JobKinds).get(kind) ?? assert.fail(`No handler exists for ${kind}.`)
    const { counts } = yield* transact(Effect.tap(Effect.flatten(ask(input, null)), () => beforeCommit))
    return { started: counts["started"], repeated: counts["repeated"] }
  }).pipe(asOperatorOf(organization), Effect.provide(layerJobKinds))

/** Two processes repeat the same runs: the second one waits for the locks of the first one. */
const race = Effect.fnUntraced(function* (
  organization: Organization,
  job: StartedJob,
  [one, other]: ReadonlyArray<Node>
) {
  if (one === undefined || other === undefined) return assert.fail("The race needs two processes.")
  const [come, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const pause = Effect.andThen(Deferred.succeed(come, undefined), Deferred.await(go))
  const first = yield* runStep(organization, job, pause).pipe(Effect.provide(one), Effect.forkChild)
  yield* Deferred.await(come)
  const second = yield* runStep(organization, job, Effect.void).pipe(Effect.provide(other), Effect.forkChild)
  yield* Effect.raceFirst(Fiber.await(second), Effect.provide(somebodyWaits, one))
  yield* Deferred.succeed(go, undefined)
  return [yield* Fiber.join(first), yield* Fiber.join(second)]
})

const once = [
  { started: 1, repeated: 0 },
  { started: 0, repeated: 1 }
]

describe("two concurrent jobs that repeat the same run", () => {
  it.effect(
    "of a workflow start it once, and the second job counts it as repeated",
    () =>
      Effect.gen(function* () {
        const nodes = yield* givenNodes(2)
        const [one = assert.fail()] = nodes
        const { job, organization, runs } = yield* Effect.gen(function* () {
          const given = yield* givenOrganization({ plan: "scale" })
          const { id } = yield* givenActiveWorkflow(given)
          const { id: contactId } = yield* givenContact(given)
          const { id: runId } = yield* startWorkflowRun({ id, contactId }).pipe(asOperatorOf(given))
          yield* cancelWorkflowRun({ id, runId }).pipe(asOperatorOf(given))
          return {
            organization: given,
            job: yield* startJob(given, rerunWorkflowRuns({ id, filter: { state: "cancelled" } })),
            runs: Effect.map(listWorkflowRuns({ id, page }), ({ data }) => data).pipe(asOperatorOf(given))
          }
        }).pipe(Effect.provide(one))
        assert.deepStrictEqual(yield* race(organization, job, nodes), once)
        const states = (yield* Effect.provide(runs, one)).map(({ state }) => state)
        assert.sameMembers(states, ["cancelled", "running"])
      }),
    slow
  )

  it.effect(
    "of an automation start it once, and the second job counts it as repeated",
    () =>
      Effect.gen(function* () {
        const nodes = yield* givenNodes(2)
        const [one = assert.fail()] = nodes
        const { job, organization, runs } = yield* Effect.gen(function* () {
          const given = yield* givenOrganization({ plan: "scale" })
          const { id: contactId } = yield* givenContact(given)
          const { id } = yield* Effect.gen(function* () {
            const { id: tagId } = yield* createTag({ name: "First" })
            const automation = yield* createAutomation({
              name: "Tag",
              when: { event: "note.created" },
              then: [{ type: "tag", tagIds: [tagId], onError: "stop" }]
            })
            yield* enableAutomation({ id: automation.id, ifVersion: null })
            return automation
          }).pipe(asOperatorOf(given))
          yield* givenAutomationRun(given, id, { state: "failed", contactId })
          return {
            organization: given,
            job: yield* startJob(given, rerunAutomationRuns({ id, filter: {} })),
            runs: Effect.map(listAutomationRuns({ id, page }), ({ data }) => data).pipe(asOperatorOf(given))
          }
        }).pipe(Effect.provide(one))
        assert.deepStrictEqual(yield* race(organization, job, nodes), once)
        assert.lengthOf(yield* Effect.provide(runs, one), 2)
      }),
    slow
  )
})

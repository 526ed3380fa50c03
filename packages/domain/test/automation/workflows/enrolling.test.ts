import { assert, layer } from "@effect/vitest"
import { getJob, type JobId, runDueJobs } from "@parley/domain/platform"
import {
  archiveWorkflow,
  createWorkflow,
  enrollContacts,
  listWorkflowRuns,
  NodeId,
  pauseWorkflow,
  publishWorkflow,
  startWorkflowRun
} from "@parley/domain/automation"
import { layerJobKinds } from "@parley/domain/composition"
import { asOwnerOf, givenContact, givenOrganization, TestKit } from "@parley/testkit"
import { Effect } from "effect"
import { tagOf } from "../../tagOf.ts"

const id = (name: string) => NodeId.make(name)

const given = Effect.gen(function* () {
  const organization = yield* givenOrganization({ plan: "scale" })
  const asOwner = asOwnerOf(organization)
  const { id: workflow } = yield* createWorkflow({
    name: "Welcome",
    graph: {
      entry: { event: null, next: id("w") },
      nodes: [
        { id: id("w"), kind: "wait", seconds: 3_600, next: id("end") },
        { id: id("end"), kind: "end" }
      ]
    }
  }).pipe(asOwner)
  yield* publishWorkflow({ id: workflow, ifVersion: null }).pipe(asOwner)
  return { organization, asOwner, workflow }
})

const work = Effect.provide(runDueJobs, layerJobKinds)

const countsOf = (job: { readonly id: JobId }) =>
  Effect.map(getJob({ id: job.id }), ({ counts, error, state }) => ({ counts, error, state }))

const none = { enrolled: 0, contactBlocked: 0, contactGone: 0, inWorkflow: 0, reentry: 0 }

layer(TestKit.layer)("enrolling contacts", (it) => {
  it.effect("enrolls each contact of the audience once, except those with a live run", () =>
    Effect.gen(function* () {
      const { asOwner, organization, workflow } = yield* given
      const names = Array.from({ length: 230 }, (_, index) => (index % 2 === 0 ? "Grace" : "Alan"))
      const contacts = yield* Effect.forEach(names, (name) => givenContact(organization, { name }))
      const [first] = contacts
      if (first === undefined) return assert.fail()
      yield* startWorkflowRun({ id: workflow, contactId: first.id }).pipe(asOwner)
      const audience = { field: "name", op: "is", value: "Grace" }
      const job = yield* enrollContacts({ id: workflow, audience }).pipe(asOwner)
      yield* work
      assert.deepStrictEqual(yield* countsOf(job).pipe(asOwner), {
        counts: { ...none, matched: 115, enrolled: 114, inWorkflow: 1 },
        error: null,
        state: "succeeded"
      })
      const again = yield* enrollContacts({ id: workflow, audience: {} }).pipe(asOwner)
      yield* work
      assert.deepStrictEqual((yield* countsOf(again).pipe(asOwner)).counts, {
        ...none,
        matched: 230,
        enrolled: 115,
        inWorkflow: 115
      })
      const { data } = yield* listWorkflowRuns({ id: workflow, page: { limit: 100, cursor: null } }).pipe(asOwner)
      assert.lengthOf(data, 100)
    })
  )

  it.effect("is refused where the workflow is not active, and ends where it is no longer", () =>
    Effect.gen(function* () {
      const { asOwner, organization, workflow } = yield* given
      yield* givenContact(organization, { name: "Grace" })
      const job = yield* enrollContacts({ id: workflow, audience: {} }).pipe(asOwner)
      yield* pauseWorkflow({ id: workflow, ifVersion: null }).pipe(asOwner)
      yield* work
      const { counts, state } = yield* countsOf(job).pipe(asOwner)
      assert.deepStrictEqual([state, counts], ["failed", {}])
      assert.strictEqual(
        yield* tagOf(enrollContacts({ id: workflow, audience: {} })).pipe(asOwner),
        "WorkflowNotActive"
      )
      yield* archiveWorkflow({ id: workflow, ifVersion: null }).pipe(asOwner)
      assert.strictEqual(
        yield* tagOf(enrollContacts({ id: workflow, audience: {} })).pipe(asOwner),
        "WorkflowNotActive"
      )
      const nonsense = { field: "nothing", op: "is", value: 1 }
      const { asOwner: other, workflow: active } = yield* given
      assert.strictEqual(
        yield* tagOf(enrollContacts({ id: active, audience: nonsense })).pipe(other),
        "ValidationFailed"
      )
    })
  )
})

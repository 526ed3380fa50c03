import { assert, layer } from "@effect/vitest"
import type { PlanName } from "@parley/domain/kernel"
import { type Organization, setOrganizationPlan, setOrganizationStatus } from "@parley/domain/platform"
import {
  type Graph,
  exitHeldRuns,
  startWorkflowRun,
  type Workflow,
  WorkflowHolds,
  WorkflowRuns
} from "@parley/domain/automation"
import { asOperatorOf, asOwnerOf, givenContact, givenOrganization, TestKit } from "@parley/testkit"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { end, explained, follow, id, published, settle } from "./engine.ts"

const waitsForMonths: Graph = {
  entry: { next: id("waits") },
  nodes: [{ id: id("waits"), kind: "wait", seconds: 5_184_000, next: end.id }, end]
}

const begun = Effect.fnUntraced(function* (organization: Organization, workflow: Workflow) {
  const contact = yield* givenContact(organization)
  return yield* startWorkflowRun({ id: workflow.id, contactId: contact.id, input: {} }).pipe(asOwnerOf(organization))
})

const given = Effect.gen(function* () {
  const organization = yield* givenOrganization({ plan: "scale" })
  const workflow = yield* published(organization, waitsForMonths)
  const run = yield* begun(organization, workflow)
  yield* settle(organization)
  // Members of a suspended organization cannot read it.
  const stateOf = Effect.flatMap(WorkflowRuns, (runs) => runs.get(workflow.id, run.id)).pipe(
    asOperatorOf(organization),
    Effect.map(({ reason, state }) => [state, reason])
  )
  const plan = (name: PlanName) =>
    setOrganizationPlan({ plan: name }).pipe(asOperatorOf(organization), Effect.andThen(follow(organization)))
  const status = (name: "active" | "suspended") =>
    setOrganizationStatus({ status: name }).pipe(asOperatorOf(organization), Effect.andThen(follow(organization)))
  const sweep = exitHeldRuns.pipe(asOperatorOf(organization))
  return { organization, workflow, stateOf, plan, status, sweep }
})

layer(TestKit.layer)("runs of workflows that are held for long", (it) => {
  it.effect("leave after 30 days without a plan that has workflows, all of them, and say so", () =>
    Effect.gen(function* () {
      const { organization, plan, stateOf, sweep, workflow } = yield* given
      const others = yield* Effect.forEach(Array.from({ length: 200 }), () => begun(organization, workflow), {
        concurrency: 1
      })
      yield* plan("free")
      yield* TestClock.adjust("20 days")
      // A second plan without workflows does not restart the period.
      yield* plan("growth")
      yield* TestClock.adjust("9 days")
      yield* sweep
      assert.deepStrictEqual(yield* stateOf, ["waiting", null])
      yield* TestClock.adjust("1 days")
      yield* sweep
      assert.deepStrictEqual(yield* stateOf, ["exited", "plan"])
      for (const run of others) {
        assert.strictEqual((yield* explained(organization, workflow, run)).state, "exited")
      }
    })
  )

  it.effect("stay if the plan returned in time, and restart the count from then", () =>
    Effect.gen(function* () {
      const { plan, stateOf, sweep } = yield* given
      yield* plan("free")
      yield* TestClock.adjust("29 days")
      yield* plan("scale")
      yield* plan("free")
      yield* TestClock.adjust("29 days")
      yield* sweep
      assert.deepStrictEqual(yield* stateOf, ["waiting", null])
      yield* TestClock.adjust("1 days")
      yield* sweep
      assert.deepStrictEqual(yield* stateOf, ["exited", "plan"])
    })
  )

  it.effect("leave after 30 days of suspension, and stay where its end is not followed yet", () =>
    Effect.gen(function* () {
      const { organization, stateOf, status, sweep } = yield* given
      yield* status("suspended")
      yield* TestClock.adjust("30 days")
      yield* setOrganizationStatus({ status: "active" }).pipe(asOperatorOf(organization))
      yield* sweep
      assert.deepStrictEqual(yield* stateOf, ["waiting", null])
      yield* follow(organization)
      assert.deepStrictEqual(
        yield* Effect.flatMap(WorkflowHolds, (holds) => holds.all()).pipe(asOperatorOf(organization)),
        []
      )
      yield* status("suspended")
      yield* TestClock.adjust("30 days")
      yield* sweep
      assert.deepStrictEqual(yield* stateOf, ["exited", "suspended"])
    })
  )
})

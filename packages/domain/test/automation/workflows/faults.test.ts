import { assert, layer } from "@effect/vitest"
import {
  ActionEffects,
  type Graph,
  advanceRuns,
  type OnError,
  startWorkflowRun,
  WorkflowRuns
} from "@parley/domain/automation"
import { asOwnerOf, givenContact, givenOrganization, givenTag, TestKit } from "@parley/testkit"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { end, explained, id, published, settle } from "./engine.ts"

/** Runs are led by a service that fails whenever an action has had its effect. */
const faulty = advanceRuns.pipe(
  Effect.updateService(ActionEffects, (effects) =>
    ActionEffects.of({ ...effects, add: () => Effect.die(new Error("The disk is full.")) })
  )
)

const given = Effect.fnUntraced(function* (onError: OnError) {
  const organization = yield* givenOrganization({ plan: "scale" })
  const { id: tagId } = yield* givenTag(organization)
  const graph: Graph = {
    entry: { event: null, next: id("n1") },
    nodes: [
      { id: id("n1"), kind: "action", action: { type: "tag", tagIds: [tagId] }, onError, next: id("n2") },
      { id: id("n2"), kind: "wait", seconds: 60, next: end.id },
      { id: id("n3"), kind: "wait", seconds: 120, next: end.id },
      end
    ]
  }
  const workflow = yield* published(organization, graph)
  const contact = yield* givenContact(organization)
  const run = yield* startWorkflowRun({ id: workflow.id, contactId: contact.id }).pipe(asOwnerOf(organization))
  const summary = Effect.map(explained(organization, workflow, run), ({ reason, state, steps }) => [
    reason ?? state,
    ...steps.map(({ error, node, state: each }) => `${node} ${error?.code ?? each}`)
  ])
  return { organization, run, summary }
})

/** Waits between attempts; there is no attempt after the last one. */
const gaps = ["0 seconds", "1 second", "2 seconds", "4 seconds"] as const

layer(TestKit.layer)("a workflow run with an internal service error", (it) => {
  it.effect("is tried again later, and goes on where it does not fail any more", () =>
    Effect.gen(function* () {
      const { organization, summary } = yield* given("end")
      for (const gap of gaps) {
        yield* TestClock.adjust(gap)
        yield* faulty
        assert.deepStrictEqual(yield* summary, ["running"])
        // Not before its time.
        yield* advanceRuns
        assert.deepStrictEqual(yield* summary, ["running"])
      }
      yield* TestClock.adjust("8 seconds")
      yield* settle(organization)
      assert.deepStrictEqual(yield* summary, ["waiting", "n1 done", "n2 waiting"])
    })
  )

  it.effect("fails, goes on or goes elsewhere after the fifth try, as if the action had been refused", () =>
    Effect.gen(function* () {
      for (const [onError, expected] of [
        ["end", ["action_failed", "n1 internal_error"]],
        ["continue", ["waiting", "n1 internal_error", "n2 waiting"]],
        [{ to: id("n3") }, ["waiting", "n1 internal_error", "n3 waiting"]]
      ] as const) {
        const { summary } = yield* given(onError)
        for (const gap of [...gaps, "8 seconds"] as const) {
          yield* TestClock.adjust(gap)
          yield* faulty
        }
        yield* advanceRuns
        assert.deepStrictEqual(yield* summary, [...expected])
      }
    })
  )

  it.effect("holds back no other run, and none of its contact", () =>
    Effect.gen(function* () {
      const [broken, sound] = [yield* given("end"), yield* given("end")]
      yield* advanceRuns.pipe(
        Effect.updateService(WorkflowRuns, (runs) =>
          WorkflowRuns.of({
            ...runs,
            save: (kept, steps) =>
              kept.run.id === broken.run.id && kept.run.state === "waiting"
                ? Effect.die(new Error("This one is broken."))
                : runs.save(kept, steps)
          })
        )
      )
      assert.deepStrictEqual(yield* broken.summary, ["running"])
      assert.deepStrictEqual(yield* sound.summary, ["waiting", "n1 done", "n2 waiting"])
    })
  )
})

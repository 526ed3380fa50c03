import { assert, describe, it } from "@effect/vitest"
import {
  WorkflowStatus,
  workflowStatusAfter,
  workflowStatusesAfter,
  workflowTransitions
} from "@parley/domain/automation"
import { Effect } from "effect"

describe("the transitions of workflows", () => {
  it.effect.each(WorkflowStatus.literals.map((from) => [from] as const))("from %s equal the table", ([from]) =>
    Effect.gen(function* () {
      for (const name of Object.keys(workflowTransitions) as ReadonlyArray<keyof typeof workflowTransitions>) {
        const { from: allowed, to } = workflowTransitions[name]
        const isAllowed = (allowed as ReadonlyArray<WorkflowStatus>).includes(from)
        const outcome = yield* Effect.result(workflowStatusAfter(from, name))
        if (outcome._tag === "Success") {
          assert.isTrue(isAllowed)
          assert.strictEqual(outcome.success, to)
        } else {
          assert.isFalse(isAllowed)
          assert.deepStrictEqual(outcome.failure.allowed, workflowStatusesAfter(from))
        }
      }
    })
  )

  it.effect("say that a workflow is there already where one leads to where it is", () =>
    Effect.gen(function* () {
      const summary = [
        ["active", "resume", "The workflow is already active."],
        ["paused", "pause", "The workflow is already paused."]
      ] as const
      for (const [from, name, message] of summary) {
        assert.strictEqual((yield* Effect.flip(workflowStatusAfter(from, name))).message, message)
      }
      assert.match(
        (yield* Effect.flip(workflowStatusAfter("archived", "archive"))).message,
        /is archived. This is permanent/u
      )
    })
  )

  it("lead nowhere from the archive", () => {
    assert.deepStrictEqual(workflowStatusesAfter("archived"), [])
  })
})

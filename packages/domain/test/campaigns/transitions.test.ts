import { assert, describe, it } from "@effect/vitest"
import {
  nextBroadcastStatus,
  allowedNextStatuses,
  type BroadcastTransition,
  BroadcastStatus,
  type BroadcastTransitionInvalid,
  broadcastTransitions,
  hasEnded
} from "@parley/domain/campaigns"
import { Effect, Result, Schema } from "effect"

const table = `
from      | to
draft     | scheduled sending
scheduled | cancelled draft sending
sending   | cancelled completed failed paused
paused    | cancelled completed sending
completed |
cancelled |
failed    |
`

const transitions = Object.keys(broadcastTransitions) as ReadonlyArray<BroadcastTransition>

describe("the states of a broadcast", () => {
  it("lead where the table says", () => {
    const rows = table
      .trim()
      .split("\n")
      .slice(1)
      .map((row) => row.split("|").map((cell) => cell.trim()))
    assert.deepStrictEqual(
      rows.map(([from = "", to = ""]) => [from, to.split(" ").filter((each) => each !== "")]),
      rows.map(([from = ""]) => [from, allowedNextStatuses(Schema.decodeUnknownSync(BroadcastStatus)(from)).toSorted()])
    )
    assert.sameMembers(
      rows.map(([from]) => from ?? ""),
      Array.from(BroadcastStatus.literals)
    )
  })

  it.effect.prop(
    "change only by the transitions of the table, in every order of attempts",
    { tried: Schema.Array(Schema.Literals(transitions)) },
    ({ tried }) =>
      Effect.gen(function* () {
        let status: BroadcastStatus = "draft"
        for (const transition of tried) {
          const { from, to } = broadcastTransitions[transition]
          const result: Result.Result<BroadcastStatus, BroadcastTransitionInvalid> = yield* Effect.result(
            nextBroadcastStatus(status, transition)
          )
          const isAllowed = from.some((each) => each === status)
          assert.strictEqual(Result.isSuccess(result), isAllowed)
          if (Result.isFailure(result)) {
            const { allowed, from: stays, to: aim } = result.failure
            const words = ["cannot", "not with this call"].filter((word) => result.failure.message.includes(word))
            assert.include(words, allowed.includes(aim) ? "not with this call" : "cannot")
            assert.deepStrictEqual(
              [stays, aim, Array.from(allowed)],
              [status, to, Array.from(allowedNextStatuses(status))]
            )
            continue
          }
          assert.isFalse(hasEnded(status))
          assert.include(allowedNextStatuses(status), result.success)
          status = result.success
        }
      })
  )
})

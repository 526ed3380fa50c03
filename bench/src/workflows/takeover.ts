import { Console, Effect } from "effect"
import { figure } from "../report/table.ts"
import { givenDue, givenRoutine } from "./given.ts"
import { lateness, spread } from "./late.ts"

const perSecond = 50

/** Delay of due runs after a process is killed in the middle. */
export const takeover = Effect.fnUntraced(function* (kill: Effect.Effect<void>, seconds: number) {
  const count = perSecond * seconds
  const routine = yield* givenRoutine("takeover", 3, count, 60)
  yield* givenDue(routine, { from: 0, count, gapMillis: 1_000 / perSecond }, 3_000)
  yield* Effect.sleep(`${Math.ceil(seconds / 3)} seconds`)
  yield* kill
  const late = yield* lateness(count, (seconds + 60) * 1_000)
  yield* Console.log(
    `One of two processes is killed while ${perSecond} runs a second are due: ${late.length} of ${count} went on, the last after ${figure((late.at(-1) ?? 0) / 1_000, 1)} s; ${spread(late)}.`
  )
})

import { assert, describe, it } from "@effect/vitest"
import { Config, Effect } from "effect"
import { plantedBugs } from "./plantedBugs.ts"
import { simulate } from "./simulation.ts"

/** Number of schedules, and the first one: each can be repeated by its number. */
const settings = Config.all({
  schedules: Config.withDefault(Config.Int("PARLEY_TEST_SCHEDULES"), 30),
  first: Config.withDefault(Config.Int("PARLEY_TEST_FIRST_SCHEDULE"), 1)
})

/** Among this many schedules one detects the bug. */
const mostSchedules = 100

describe("broadcasts under random schedules of crashes, pauses, cancels and answers", () => {
  it.effect(
    "send nothing twice and nothing after the answer of a pause or an end, and lose no recipient",
    () =>
      Effect.gen(function* () {
        const { first, schedules } = yield* settings
        for (let seed = first; seed < first + schedules; seed += 1) assert.isNull(yield* simulate(seed))
      }),
    3_600_000
  )

  it.effect.each(Object.entries(plantedBugs))("do so no more with a bug: %s", ([, { first, plant }]) =>
    Effect.gen(function* () {
      for (let seed = first; seed < first + mostSchedules; seed += 1) {
        if ((yield* simulate(seed, plant())) !== null) return
      }
      assert.fail(`It gets through ${mostSchedules} schedules.`)
    })
  )
})

import { assert, it } from "@effect/vitest"
import { restartPause } from "../../src/processes/supervise.ts"

it("A long-running process restarts directly; repeated exits delay the restart progressively", () => {
  assert.strictEqual(restartPause(0, 10_000), 0)
  assert.strictEqual(restartPause(30_000, 60_000), 0)
  const pauses: Array<number> = []
  for (let pause = 0; pauses.length < 7; pauses.push(pause)) pause = restartPause(pause, 9_999)
  assert.deepStrictEqual(pauses, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
})

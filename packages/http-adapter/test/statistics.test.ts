import { assert, it } from "@effect/vitest"
import { mannWhitney } from "./harness/statistics.ts"

const sample = (size: number, of: (index: number) => number) => Array.from({ length: size }, (_, index) => of(index))

it("samples of one distribution are taken for such", () => {
  assert.isAbove(
    mannWhitney(
      sample(200, (index) => (index * 37) % 101),
      sample(200, (index) => (index * 53) % 101)
    ),
    0.3
  )
  assert.strictEqual(mannWhitney([1, 1, 1], [1, 1, 1]), 1)
})

it("a shift of a tenth of the spread is found", () => {
  const shifted = sample(400, (index) => ((index * 53) % 101) + 10)
  assert.isBelow(
    mannWhitney(
      sample(400, (index) => (index * 37) % 101),
      shifted
    ),
    0.001
  )
})

it("it agrees with a value from a table", () => {
  // Two-sided, normal approximation without continuity correction: U = 2, n = 5 and 5.
  assert.approximately(mannWhitney([1, 2, 3, 4, 7], [5, 6, 8, 9, 10]), 0.0283, 0.002)
})

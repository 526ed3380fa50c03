import { assert, it } from "@effect/vitest"
import { mergedMetrics } from "../../src/processes/Supervision.ts"

const result = (count: number) =>
  [
    "# HELP parley_up Whether it is up",
    "# TYPE parley_up gauge",
    "parley_up 1",
    "# TYPE parley_calls histogram",
    `parley_calls_bucket{class="2xx",le="+Inf"} ${count}`,
    `parley_calls_count{class="2xx"} ${count}`,
    ""
  ].join("\n")

it("The metrics of several processes stand together by name, and each says whose it is", () => {
  assert.strictEqual(
    mergedMetrics(
      new Map([
        ["api-1", result(3)],
        ["api-2", `${result(4)}# TYPE parley_more counter\nparley_more 2\n`]
      ])
    ),
    `# HELP parley_up Whether it is up
# TYPE parley_up gauge
parley_up{process="api-1"} 1
parley_up{process="api-2"} 1
# TYPE parley_calls histogram
parley_calls_bucket{process="api-1",class="2xx",le="+Inf"} 3
parley_calls_count{process="api-1",class="2xx"} 3
parley_calls_bucket{process="api-2",class="2xx",le="+Inf"} 4
parley_calls_count{process="api-2",class="2xx"} 4
# TYPE parley_more counter
parley_more{process="api-2"} 2
`
  )
  assert.strictEqual(mergedMetrics(new Map([["api-1", ""]])), "")
})

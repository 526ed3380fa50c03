import { assert, describe, it } from "@effect/vitest"
import { errorTable, remedyOf } from "@parley/provider-adapters/chat/whatsapp"

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

// Error codes from the provider's documentation, by the required reaction.
const documented = {
  slow_down: [130_429, 80_007, 4, 131_057],
  delay_recipient: [131_056],
  stop_account: [131_048, 131_042, 131_031, 368],
  needs_template: [131_047],
  skip_recipient: [131_026, 130_472],
  skip_for_now: [131_049],
  opt_out: [131_050],
  refresh_template: [132_000, 132_001, 132_015, 132_016],
  give_up: [131_051, 131_052, 131_053, 131_009, 131_008, 100],
  reauthorize: [190, 0, 10, ...range(200, 299)],
  retry: [1, 2, 131_000, 131_016]
} as const

describe("The table of error codes", () => {
  it("classes every code that is documented", () => {
    for (const [remedy, codes] of Object.entries(documented)) {
      for (const code of codes) assert.strictEqual(remedyOf(code), remedy, String(code))
    }
  })

  it("classes each code once, and none that it does not know", () => {
    assert.lengthOf(new Set(errorTable.map(([code]) => code)), errorTable.length)
    for (const code of [-1, 3, 300, 999_999, 1.5, Number.NaN]) assert.isNull(remedyOf(code))
  })
})

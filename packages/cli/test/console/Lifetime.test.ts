import { assert, describe, it } from "@effect/vitest"
import { Duration, Option, Schema } from "effect"
import { Lifetime } from "../../src/commands/tokens.ts"

const read = Schema.decodeOption(Lifetime)

describe("a lifetime", () => {
  it.each([
    ["30m", Duration.minutes(30)],
    ["12h", Duration.hours(12)],
    ["90d", Duration.days(90)],
    ["4w", Duration.weeks(4)]
  ] as const)("reads %s", (text, expected) => {
    assert.deepStrictEqual(Option.map(read(text), Duration.toMillis), Option.some(Duration.toMillis(expected)))
  })

  it.each(["", "90", "d", "0d", "-1d", "1.5d", "9 d", "1y", "1000000d", "90dd"])("refuses %j", (text) => {
    assert.deepStrictEqual(read(text), Option.none())
  })
})

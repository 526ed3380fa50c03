import { assert, describe, it } from "@effect/vitest"
import { chargeTurn, nextTurn, noTurns } from "../../src/campaigns/sending/limits.ts"

/** Shares of an amount, with at most `window` of the remainder per grant. */
const share = (sizes: Readonly<Record<string, number>>, total: number, window = 20) => {
  let turns = noTurns<string>()
  const had = new Map(Object.keys(sizes).map((id) => [id, 0]))
  const left = (id: string) => (sizes[id] ?? 0) - (had.get(id) ?? 0)
  for (let given = 0; given < total;) {
    const { id, turns: after } = nextTurn(
      turns,
      Object.keys(sizes).filter((each) => left(each) > 0)
    )
    if (id === undefined) break
    const amount = Math.min(window, left(id))
    had.set(id, (had.get(id) ?? 0) + amount)
    turns = chargeTurn(after, id, amount)
    given += amount
  }
  return Object.fromEntries(had)
}

describe("the turns of broadcasts of one account", () => {
  it("are equal shares at every size", () => {
    assert.deepStrictEqual(share({ a: 1_000_000, b: 1_000_000, c: 100 }, 600), { a: 260, b: 240, c: 100 })
  })

  it("count sent messages, not requests", () => {
    let turns = noTurns<string>()
    const had = { small: 0, large: 0 }
    for (let round = 0; round < 60; round += 1) {
      const { id = "", turns: after } = nextTurn(turns, ["large", "small"])
      const amount = id === "small" ? 1 : 20
      if (id === "small" || id === "large") had[id] += amount
      turns = chargeTurn(after, id, amount)
    }
    assert.isAtMost(Math.abs(had.large - had.small), 20)
  })

  it("give no credit for unused shares", () => {
    let turns = noTurns<string>()
    const use = (ready: ReadonlyArray<string>) => {
      const { id = "", turns: after } = nextTurn(turns, ready)
      turns = chargeTurn(after, id, 20)
      return id
    }
    for (let round = 0; round < 10; round += 1) use(["a"])
    const order = Array.from({ length: 6 }, () => use(["a", "b"]))
    assert.deepStrictEqual(order, ["b", "a", "b", "a", "b", "a"])
  })
})

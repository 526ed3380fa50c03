import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { slugOf } from "../src/commands/orgs.ts"

describe("the slug that a name suggests", () => {
  it.each([
    ["Acme", "acme"],
    ["  Ünï Cörp & Co. ", "uni-corp-co"],
    ["São Paulo -- 2", "sao-paulo-2"],
    [`${"long ".repeat(20)}name`, "long-long-long-long-long-long-long-long-long-long-long-long-lon"]
  ])("of %j is %j", (name, slug) => {
    assert.deepStrictEqual(slugOf(name), Option.some(slug))
  })

  it("is none when the name has no letter for one", () => {
    assert.deepStrictEqual(slugOf("山田"), Option.none())
  })
})

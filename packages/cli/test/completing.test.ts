import { assert, describe, it } from "@effect/vitest"
import { PlanName } from "@parley/domain/kernel"
import { AvailabilityStatus } from "@parley/domain/platform"
import { ConversationStatus } from "@parley/domain/messaging"
import { Effect } from "effect"
import { Completions } from "effect/cli"

import { commandNameOf, loadCommands } from "../src/commands.ts"
import { completionsOf } from "../src/completing.ts"

const tree = Completions.fromCommand(await Effect.runPromise(loadCommands))

const candidates = (line: string) => {
  const found = completionsOf(tree, line.split(" "), commandNameOf)
  return found?.kind === "candidates" ? found.lines : found
}

describe("completions of a command line", () => {
  it("offer the values of a flag with choices, after a space and after an equals sign", () => {
    assert.deepStrictEqual(candidates("conversations list --status "), ConversationStatus.literals)
    assert.deepStrictEqual(candidates("conversations list --status o"), ["open"])
    assert.deepStrictEqual(candidates("conversations list --status=o"), ["open"])
    assert.deepStrictEqual(candidates("member availability --status "), AvailabilityStatus.literals)
    assert.deepStrictEqual(candidates("stores connect acme.myshopify.com --finish "), ["browser", "paste", "later"])
    assert.deepStrictEqual(candidates("analytics overview --period "), ["7d", "30d"])
  })

  it("offer the values of an argument with choices", () => {
    assert.deepStrictEqual(candidates("completions "), ["bash", "zsh", "fish", "powershell"])
    assert.deepStrictEqual(candidates("completions z"), ["zsh"])
    assert.deepStrictEqual(candidates("org set-plan acme "), PlanName.literals)
  })

  it("offer nothing for a flag or an argument with any value", () => {
    assert.isNull(candidates("member list --limit "))
    assert.isNull(candidates("org create "))
  })
})

import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { unknownWordIn } from "../support/calls.ts"

const folder = fileURLToPath(new URL("../../../../docs/runbooks/", import.meta.url))
const read = (name: string) => readFileSync(`${folder}${name}`, "utf8")

const runbooks = readdirSync(folder).filter((name) => name !== "README.md")

const sections = ["## Look first", "## Decide", "## Repair", "## It is over when"]

/** The calls of `parley` in blocks and in the text, without redirections, pipes and comments. */
const callsIn = (text: string) =>
  Array.from(text.matchAll(/(?:^ *|`|\$\()parley (?<words>[^`)\n]*)/gmu), ({ groups }) => groups?.["words"] ?? "")
    .map((words) => words.replace(/ *(?:[|<>#&]|2>).*$/u, "").trim())
    .filter((words) => words !== "")

const shells = (text: string) => Array.from(text.matchAll(/^ *```sh\n(.*?)^ *```$/gmsu), ([, block = ""]) => block)

describe("the runbooks", () => {
  it("are the 14 that the index lists", () => {
    assert.lengthOf(runbooks, 14)
    const index = read("README.md")
    for (const name of runbooks) assert.include(index, `](${name})`)
  })

  it.each(runbooks)("have their sections within 60 lines: %s", (name) => {
    const text = read(name)
    assert.isAtMost(text.trimEnd().split("\n").length, 60)
    assert.deepStrictEqual(text.match(/^## .+$/gmu), sections)
    assert.match(text, /^Signal: /mu)
  })

  it.each(runbooks)("start with three commands and their output: %s", (name) => {
    const [, first = ""] = read(name).split("## Look first")
    const [block = ""] = shells(first)
    assert.lengthOf(block.trim().split("\n"), 3)
    assert.match(first, /^```text\n.*\S/mu)
  })

  it.each(runbooks)("call only commands and flags that exist: %s", (name) => {
    const text = shells(read(name)).join("\n") + read(name).replaceAll(/```.*?```/gsu, "")
    for (const call of callsIn(text)) assert.isNull(unknownWordIn(call.split(/ +/u)), `parley ${call}`)
  })

  it("are checked with each kind of call", () => {
    assert.deepStrictEqual(callsIn('parley a b | c\n`parley d`, "$(parley e)"\n  parley f > g # h'), [
      "a b",
      "d",
      "e",
      "f"
    ])
  })
})

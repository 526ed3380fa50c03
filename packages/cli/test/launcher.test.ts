import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { runInNewContext } from "node:vm"

const source = readFileSync(new URL("../bin/parley.cjs", import.meta.url), "utf8").replace(/^#!.*/u, "")

/** Runs the launcher on this version of Node, and returns its output, its exit code and the modules that it loads. */
const launch = (node: string) => {
  const written: Array<string> = []
  const loaded: Array<string> = []
  const process = {
    execPath: "/usr/bin/node",
    exitCode: 0,
    stderr: { write: (text: string) => written.push(text) },
    versions: { node }
  }
  runInNewContext(source, { module: {}, process, require: (name: string) => loaded.push(name) })
  return { code: process.exitCode, err: written.join(""), loaded }
}

describe("the launcher of the bundle", () => {
  it.each(["4.9.1", "18.20.8", "20.20.2", "22.23.0", "24.6.0"])("ends with 3 and one line on Node %s", (node) => {
    assert.deepStrictEqual(launch(node), {
      code: 3,
      err: `Parley needs Node 24.7 or later; /usr/bin/node is ${node}.\n`,
      loaded: []
    })
  })

  it.each(["24.7.0", "24.21.0", "26.10.0", "30.0.0"])("loads the program on Node %s", (node) => {
    assert.deepStrictEqual(launch(node), { code: 0, err: "", loaded: ["./main.mjs"] })
  })

  it("has no syntax that is newer than ES5", () => {
    assert.notMatch(source, /=>|`|\b(?:async|await|class|const|import|let)\b(?!.*load)/u)
  })
})

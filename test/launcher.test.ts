import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { runInNewContext } from "node:vm"
import { parseAst } from "rolldown/parseAst"

const source = readFileSync(new URL("../packages/cli/bin/parley.cjs", import.meta.url), "utf8").replace(/^#!.*/u, "")

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

// The syntax of ES5 that the launcher needs: no functions, no objects, and literals with no escape but \n.
const nodes: ReadonlySet<unknown> = new Set([
  "AssignmentExpression",
  "BinaryExpression",
  "BlockStatement",
  "CallExpression",
  "ExpressionStatement",
  "Identifier",
  "IfStatement",
  "Literal",
  "LogicalExpression",
  "MemberExpression",
  "Program",
  "VariableDeclaration",
  "VariableDeclarator"
])
const operators: ReadonlySet<unknown> = new Set(["=", "===", "!==", "<", ">", "+", "-", "&&", "||"])

/** Finds the nodes of a script that ES5 or the launcher does not need. */
const newerThanEs5 = (script: string): ReadonlyArray<string> => {
  // The syntax tree does not show a comma after the last argument.
  const found = /,\s*\)/u.test(script) ? ["trailing comma"] : []
  const look = (node: unknown) => {
    if (typeof node !== "object" || node === null) return
    for (const child of Object.values(node)) look(child)
    if (!("type" in node)) return
    const isKnown =
      nodes.has(node.type) &&
      (!("kind" in node) || node.kind === "var") &&
      (!("operator" in node) || operators.has(node.operator)) &&
      (!("raw" in node) || /^(?:"(?:[^"\\]|\\n)*"|\d+)$/u.test(String(node.raw)))
    if (!isKnown) found.push(String(node.type))
  }
  look(parseAst(script, { lang: "js", sourceType: "script" }))
  return found
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
    assert.deepStrictEqual(newerThanEs5(source), [])
  })

  it.each([
    "const x = load()",
    "let load",
    "load = () => 1",
    "load(`main`)",
    "load?.main",
    "load ?? main",
    "load ||= main",
    "load(...main)",
    "load(main,)",
    "load = { main }",
    "class Load {}",
    "import('load')",
    "async function load() {}",
    "for (var load of main) main(load)",
    "try { load() } catch { main() }",
    "load = 24_000",
    "load = 24n",
    "load = 2 ** 4",
    'load = "\\u{61}"',
    "load = /a/u"
  ])("could not contain: %s", (script) => {
    assert.notDeepEqual(newerThanEs5(script), [])
  })
})

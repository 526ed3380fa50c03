// Reports a test run in few lines: one for each failure, as soon as it is known, and the counts at the end. On a terminal it
// also shows the progress and the expected values. `vitest run <file>` shows all results of one file.
import { relative } from "node:path"

const needs = [[/Chromium/, "a Chromium: install one, or say where it is with CHROMIUM_PATH"]]

const isTerminal = process.stdout.isTTY === true

const firstLine = (text) => {
  const [line] = String(text ?? "failed without a word").split("\n")
  return line.length > 300 ? `${line.slice(0, 300)}…` : line
}

const indented = (text) => String(text).replaceAll(/^/gm, "    ")

export default class Reporter {
  #counts = { passed: 0, failed: 0, skipped: 0 }
  #modules = { ended: 0, queued: 0 }
  #from = performance.now()
  #isShowing = false

  #say(text) {
    if (this.#isShowing) process.stdout.write("\r\u001B[K")
    this.#isShowing = false
    process.stdout.write(`${text}\n`)
  }

  #show() {
    if (!isTerminal) return
    const { ended, queued } = this.#modules
    process.stdout.write(`\r\u001B[K${ended} of ${queued} files, ${this.#outcome()}`)
    this.#isShowing = true
  }

  #outcome() {
    const { failed, passed, skipped } = this.#counts
    return [`${passed} passed`, `${failed} failed`, ...(skipped === 0 ? [] : [`${skipped} skipped`])].join(", ")
  }

  // Failures outside of tests also count: a file that does not load, a hook.
  #failOutside(moduleId, name, error) {
    this.#counts.failed++
    this.#fail(moduleId, name, error)
  }

  #fail(moduleId, name, error) {
    const frame = error?.stacks?.find(({ file }) => file === moduleId) ?? error?.stacks?.[0]
    const file = relative(process.cwd(), frame?.file ?? moduleId ?? ".")
    const place = frame === undefined ? file : `${file}:${frame.line}`
    this.#say(`FAILED ${place} ${name === "" ? "" : `${name}: `}${firstLine(error?.message)}`)
    if (!isTerminal) return
    if (error?.diff !== undefined) this.#say(indented(error.diff))
    for (const { column, file, line } of error?.stacks ?? []) {
      if (!file.includes("node_modules")) this.#say(indented(`at ${relative(process.cwd(), file)}:${line}:${column}`))
    }
  }

  onTestModuleQueued() {
    this.#modules.queued++
  }

  onTestCaseResult(test) {
    const { errors, state } = test.result()
    if (state in this.#counts) this.#counts[state]++
    if (state === "failed") this.#fail(test.module.moduleId, test.fullName, errors?.[0])
  }

  onTestModuleEnd(module) {
    this.#modules.ended++
    for (const error of module.errors()) this.#failOutside(module.moduleId, "", error)
    for (const suite of module.children.allSuites()) {
      for (const error of suite.errors()) this.#failOutside(module.moduleId, suite.fullName, error)
    }
    this.#show()
  }

  onTestRunEnd(modules, unhandled) {
    for (const error of unhandled) this.#failOutside(undefined, "outside of any test", error)
    const skipped = modules.flatMap((module) => Array.from(module.children.allTests("skipped")))
    for (const [sign, need] of needs) {
      const count = skipped.filter(({ fullName }) => sign.test(fullName)).length
      if (count > 0) this.#say(`Skipped ${count} tests that need ${need}`)
    }
    this.#say(`${this.#outcome()} in ${Math.round((performance.now() - this.#from) / 1000)} s`)
  }
}

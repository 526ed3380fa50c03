import { assert, describe, it } from "@effect/vitest"
import { invalid, NotFound } from "@parley/domain/kernel"
import { LastOwner } from "@parley/domain/platform"
import { DatabaseUnusable, WrongConfiguration, WrongUsage } from "@parley/service/configuration"
import { Cause } from "effect"
import { CliError } from "effect/cli"
import { ExitCode, judge, Refused } from "../../src/console/Failure.ts"

const lostConnection = Object.assign(new Error("PgConnection: broken"), {
  _tag: "SqlError",
  reason: { _tag: "ConnectionError" }
})

describe("the end of a command", () => {
  it.each([
    ["a domain rule", Cause.fail(new LastOwner()), ExitCode.refused],
    ["what is not there", Cause.fail(new NotFound({ resource: "member" })), ExitCode.refused],
    ["a refusal of the command line", Cause.fail(new Refused({ message: "No." })), ExitCode.refused],
    ["wrong usage", Cause.fail(new WrongUsage({ message: "No." })), ExitCode.usage],
    ["wrong configuration", Cause.fail(new WrongConfiguration({ faults: ["No."] })), ExitCode.configuration],
    ["a database that cannot be used", Cause.fail(new DatabaseUnusable({ message: "No." })), ExitCode.database],
    ["a connection that was lost", Cause.die(lostConnection), ExitCode.database],
    ["a defect", Cause.die(new Error("broken")), ExitCode.unexpected],
    ["a defect that is a domain error", Cause.die(new LastOwner()), ExitCode.unexpected]
  ] as const)("tells %s by its exit code, and says it in one line", (_, cause, code) => {
    const verdict = judge(cause)
    assert.strictEqual(verdict.code, code)
    assert.strictEqual(verdict.lines.length, 1)
  })

  it("has one line per error, with its place in the input", () => {
    const faults = ["PARLEY_PORT: expected a port.", "PARLEY_HOST: expected an address."]
    assert.deepStrictEqual(judge(Cause.fail(new WrongConfiguration({ faults }))).lines, faults)
    assert.deepStrictEqual(judge(Cause.fail(invalid("", "Expected exactly one of: key, manifest"))).lines, [
      "Expected exactly one of: key, manifest"
    ])
    assert.deepStrictEqual(judge(Cause.fail(invalid("/expiresAt", "Expected a time in the future"))).lines, [
      "/expiresAt: Expected a time in the future"
    ])
  })

  it("shows of a defect its first line only, and where the rest is", () => {
    const [line] = judge(Cause.die(new Error("broken\n    at somewhere"))).lines
    assert.match(line ?? "", /--log-level debug for details: broken$/)
  })

  it("is no failure when only help was asked for", () => {
    assert.strictEqual(judge(Cause.fail(new CliError.ShowHelp({ commandPath: ["parley"], errors: [] }))).code, 0)
  })

  it("says nothing when a person interrupted it", () => {
    assert.deepStrictEqual(judge(Cause.interrupt(1)), { code: ExitCode.interrupted, lines: [] })
  })
})

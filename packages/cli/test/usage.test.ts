import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { type Command, Completions } from "effect/cli"
import { readFileSync } from "node:fs"
import { loadCommands } from "../src/commands.ts"
import { commandLine, printed } from "./support/commandLine.ts"

const commands = await Effect.runPromise(loadCommands)

const { parley } = commandLine({})

const unreachable = commandLine({
  PARLEY_DATABASE_URL: "postgres://ann:hush@127.0.0.1:1/nothing",
  PARLEY_MASTER_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64")}`
})

const pathsOf = (command: Command.Command.Any, path: string): ReadonlyArray<string> => [
  path,
  ...command.subcommands.flatMap(({ commands }) => commands.flatMap((child) => pathsOf(child, `${path} ${child.name}`)))
]

/** Phrases that hide the subject of a sentence. */
const unplain =
  /\b(?:whom|whoever|whatever|anew|once more|besides?|told|go(?:es)? on|by hand|c[ao]mes? of|becomes? of|made of|have \w+ \w+ed)\b/iu

const commandAt = (
  command: Completions.CommandDescriptor,
  [name, ...rest]: ReadonlyArray<string>
): Completions.CommandDescriptor => {
  if (name === undefined) return command
  const child = command.subcommands.find((each) => each.name === name)
  return child === undefined ? command : commandAt(child, rest)
}

describe("the command line", () => {
  it.live.each(pathsOf(commands, "parley"))("explains itself: %s", (path) =>
    Effect.gen(function* () {
      const help = yield* parley(...path.split(" ").slice(1), "--help")
      assert.strictEqual(help.code, 0)
      assert.match(help.out, /^DESCRIPTION\n {2}\S.{10}/)
      assert.strictEqual(help.err, "")
    })
  )

  it.each(pathsOf(commands, "parley").filter((path) => !path.endsWith(" ls")))(
    "describes each flag and argument in plain terms: %s",
    (path) => {
      const described = commandAt(Completions.fromCommand(commands), path.split(" ").slice(1))
      for (const { description, name } of [described, ...described.flags, ...described.arguments]) {
        assert.isDefined(description, name)
        assert.notMatch(description ?? "", unplain, name)
      }
    }
  )

  it.live("says in its help what its exit codes mean", () =>
    Effect.gen(function* () {
      const { out } = yield* parley("--help")
      for (const code of [0, 1, 2, 3, 4, 70]) assert.match(out, new RegExp(`^ +${code} `, "m"))
    })
  )

  it.live.each([
    ["an unknown command", ["orgs", "destroy"], 'Unknown subcommand "destroy"'],
    ["an unknown flag", ["orgs", "list", "--al"], "Unrecognized flag: --al"],
    ["a missing argument", ["orgs", "show"], "Missing required argument: organization"],
    ["a value of the wrong kind", ["orgs", "list", "--limit", "many"], '--limit: "many"'],
    ["an e-mail address that is none", ["users", "create", "ann"], "Expected an e-mail address"],
    ["a setting that does not parse", ["orgs", "list", "--log-format", "xml"], "--log-format: expected pretty or json"]
  ] as const)("refuses $0 with exit code 2 and a line that names it", ([, args, message]) =>
    Effect.gen(function* () {
      const { code, err, out } = yield* parley(...args)
      assert.deepStrictEqual([code, out], [2, ""])
      assert.isTrue(err.startsWith("parley: "))
      assert.include(err, message)
    })
  )

  it.live("says which lines stores complete reads from the standard input, in their order", () =>
    Effect.gen(function* () {
      const store = "00000000-0000-7000-8000-000000000000"
      const help = yield* parley("stores", "complete", "--help")
      assert.match(help.out.replaceAll(/\s+/g, " "), /the code from the browser, then the code verifier\./)
      const { code, err } = yield* commandLine({}).parleyWithInput("only the code\n", "stores", "complete", store)
      assert.strictEqual(code, 2)
      assert.include(err, "line 1: code from the browser; line 2: code verifier")
    })
  )

  it.live("names the variable that does not parse, with exit code 3", () =>
    Effect.gen(function* () {
      const outcome = yield* commandLine({ PARLEY_POOL_SIZE: "lots" }).parley("orgs", "list")
      assert.deepStrictEqual(outcome, {
        code: 3,
        out: "",
        err: 'parley: PARLEY_POOL_SIZE: expected a whole number from 1 to 500, got "lots"'
      })
    })
  )

  it.live("says where the database is that does not answer, with exit code 4 and without its password", () =>
    Effect.gen(function* () {
      for (const args of [["orgs", "list"], ["migrate"], ["migrate", "--status"]]) {
        const { code, err } = yield* unreachable.parley(...args)
        assert.strictEqual(code, 4)
        assert.match(err, /^parley: The database at 127\.0\.0\.1:1\/nothing cannot be used: connect ECONNREFUSED/)
        assert.notInclude(err, "hush")
      }
    })
  )

  it.live.each(["contacts runs", "workflows versions"])("offers no filter that the API does not have: %s", (path) =>
    Effect.gen(function* () {
      const { out } = yield* parley(...path.split(" "), "--help")
      assert.include(out, "--limit")
      assert.notInclude(out, "--filter")
    })
  )

  it.live.each(["cancel-runs", "rerun-runs"].flatMap((job) => [`workflows ${job}`, `automations ${job}`]))(
    "needs no --preview to start a job for runs: %s",
    (path) =>
      Effect.gen(function* () {
        const id = "00000000-0000-7000-8000-000000000000"
        const { code, err } = yield* unreachable.parley(...path.split(" "), id, "--filter", "position=1", "--yes")
        assert.deepStrictEqual([code, err.includes("ECONNREFUSED")], [4, true], err)
      })
  )

  it.live("examines what it can when the database does not answer", () =>
    Effect.gen(function* () {
      const { code, out } = yield* unreachable.parley("doctor")
      assert.strictEqual(code, 1)
      assert.match(out, /^failed +database +The database at 127\.0\.0\.1:1\/nothing cannot be used/m)
      assert.match(out, /^ok +node /m)
    })
  )

  it.live("examines an unparsable configuration and names every error", () =>
    Effect.gen(function* () {
      const { code, out } = yield* commandLine({ PARLEY_PORT: "x", PARLEY_HOST: "a b" }).parley("doctor")
      assert.strictEqual(code, 1)
      assert.match(out, /^failed +configuration +PARLEY_PORT: /m)
      assert.match(out, /^failed +configuration +PARLEY_HOST: /m)
    })
  )

  it.live("shows the configuration, where each value comes from, and no secret", () =>
    Effect.gen(function* () {
      const environment = { PARLEY_PORT: "9000", PARLEY_DATABASE_URL: "postgres://ann:hush@db/parley" }
      const people = yield* commandLine(environment).parley("config", "--host", "::1")
      assert.match(people.out, /^PARLEY_PORT +--port +9000 +environment /m)
      assert.match(people.out, /^PARLEY_HOST +--host +::1 +flag /m)
      assert.match(people.out, /^PARLEY_DATABASE_URL +--database-url +\(hidden\) +environment /m)
      assert.notInclude(people.out, "hush")
      const Shown = Schema.Struct({
        variable: Schema.String,
        flag: Schema.NullOr(Schema.String),
        value: Schema.String,
        source: Schema.String,
        about: Schema.String
      })
      const programs = yield* printed(Schema.Array(Shown), yield* commandLine(environment).parley("config", "--json"))
      assert.deepInclude(
        programs.find(({ variable }) => variable === "PARLEY_PORT"),
        { value: "9000", source: "environment" }
      )
    })
  )

  const lists = pathsOf(commands, "parley").filter((path) => path.endsWith(" list"))

  it.live.each(lists)("gives every list the flags of a page and its filters: %s", (path) =>
    Effect.gen(function* () {
      const words = path.split(" ").slice(1)
      const { out } = yield* parley(...words, "--help")
      for (const flag of ["--json", "--quiet, -q", "--limit"]) assert.include(out, flag)
      const id = "00000000-0000-7000-8000-000000000000"
      const wrong = yield* parley(...words, ...(path.endsWith(" runs list") ? [id] : []), "--filter", "nonsense=1")
      assert.deepStrictEqual([wrong.code, wrong.out], [2, ""])
      const [, filters] = /Filter of the list; repeatable \((.*)\)/.exec(out) ?? []
      assert.strictEqual(filters !== undefined, out.includes("--filter"))
      assert.include(wrong.err, filters === undefined ? "--filter" : `Expected one of ${filters}`)
      assert.notMatch(wrong.err, /There (?:is|are)/u)
    })
  )

  it.live("finds all lists", () =>
    Effect.sync(() => {
      assert.includeMembers([...lists], ["parley orgs list", "parley conversations list", "parley profiles list"])
      assert.isAbove(lists.length, 9)
    })
  )

  it.live.each([
    ["a filter without a value", ["conversations", "list", "--filter", "status"], "Expected status= and a value"],
    ["a value that does not fit", ["conversations", "list", "--filter", "status=opne"], "status=opne"],
    ["one value twice", ["inbound", "list", "--filter", "state=parked", "--filter", "state=waiting"], "state once"],
    ["a filter and its flag", ["inbound", "list", "--filter", "state=parked", "--state", "parked"], "specified twice"],
    ["a filter that is nearly one", ["conversations", "list", "--filter", "sttus=open"], "Did you mean status?"]
  ] as const)("refuses $0", ([, args, message]) =>
    Effect.gen(function* () {
      const { code, err, out } = yield* parley(...args)
      assert.deepStrictEqual([code, out], [2, ""])
      assert.include(err, message)
    })
  )

  it.live.each(["bash", "zsh", "fish", "powershell"])("prints a completion script for %s", (shell) =>
    Effect.gen(function* () {
      const { code, out } = yield* parley("completions", shell)
      assert.strictEqual(code, 0)
      assert.include(out, "complete --")
      assert.isBelow(out.length, 4_096)
    })
  )

  it.live.each(["users", "user"])("completes the words of the command that the line names: %s", (name) =>
    Effect.gen(function* () {
      const { out } = yield* parley("complete", "--", name, "res")
      assert.deepStrictEqual(
        out.split("\n").map((line) => line.split("\t", 1)[0]),
        ["reset-password", "reset-link"]
      )
    })
  )

  it.live.each(["org", "user", "member", "token"])("accepts the singular as an alias: %s", (singular) =>
    Effect.gen(function* () {
      const { code, out } = yield* parley(singular, "list", "--help")
      assert.strictEqual(code, 0)
      assert.include(out, `parley ${singular}s list [flags]`)
    })
  )

  it.live("lists shared flags once, in the help of the program", () =>
    Effect.gen(function* () {
      assert.match((yield* parley("--help")).out, /^GLOBAL FLAGS\n(?: {2}--.*\n)* {2}--database-url /m)
      for (const path of pathsOf(commands, "parley").slice(1)) {
        const { out } = yield* parley(...path.split(" ").slice(1), "--help")
        assert.notInclude(out, "--database-url string", path)
        assert.include(out, "Run 'parley --help' for global flags", path)
      }
    })
  )

  it("requires the version of Node that its package declares", () => {
    const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), "utf8")
    const [, major, minor] = /"node": ">=(\d+)\.(\d+)"/.exec(read("package.json")) ?? []
    const launcher = read("bin/parley.cjs")
    assert.include(launcher, `major < ${major} || (major === ${major} && minor < ${minor})`)
    assert.include(launcher, `Parley needs Node ${major}.${minor} or later; `)
  })
})

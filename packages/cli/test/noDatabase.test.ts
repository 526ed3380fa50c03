import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { readSettings } from "@parley/service/configuration"
import { Effect, FileSystem, Option, Redacted, Schema } from "effect"
import type { Command } from "effect/cli"
import { loadCommands } from "../src/commands.ts"
import { profileFolder } from "../src/profiles/ProfileFolder.ts"
import { commandLine, printed } from "./support/commandLine.ts"
import { runParley } from "./support/process.ts"

const commands = await Effect.runPromise(loadCommands)

const pathsOf = (command: Command.Command.Any, path: string): ReadonlyArray<string> => [
  path,
  ...command.subcommands.flatMap(({ commands }) => commands.flatMap((child) => pathsOf(child, `${path} ${child.name}`)))
]

/** List commands without arguments, except the list of local logins. */
const lists = pathsOf(commands, "parley")
  .filter((path) => path.endsWith(" list") && !path.endsWith(" runs list") && path !== "parley profiles list")
  .map((path) => path.split(" ").slice(1))

/** Operator commands, which are not available over HTTP. */
const ofOperators: ReadonlyArray<ReadonlyArray<string>> = [
  ["orgs", "list"],
  ["orgs", "create", "Acme"],
  ["orgs", "show", "acme"],
  ["orgs", "suspend", "acme", "--yes"],
  ["users", "list"],
  ["users", "create", "ann@acme.example"],
  ["workers"],
  ["consumers", "list"],
  ["keys", "list"],
  ["keys", "rotate"],
  ["keys", "reencrypt"],
  ["audit", "list"],
  ["inbound", "list"],
  ["plugins", "catalogue", "list"],
  ["analytics", "check"],
  ["analytics", "rebuild"]
]

/** Other commands that read or need a database. */
const others: ReadonlyArray<ReadonlyArray<string>> = [
  ["migrate", "--status"],
  ["worker"],
  ["contacts", "export"],
  ["messages", "search", "tea"]
]

const Findings = Schema.Array(
  Schema.Struct({
    check: Schema.String,
    status: Schema.String,
    found: Schema.String,
    advice: Schema.NullOr(Schema.String)
  })
)

/** An empty folder, and an environment with all paths in it. */
const emptyPlace = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "parley-cli-" })
  return {
    folder,
    environment: { PARLEY_DATA_DIR: `${folder}/data`, PARLEY_CONFIG_DIR: `${folder}/config` }
  }
})

const requireNothingIn = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  assert.isFalse(yield* fs.exists(`${folder}/data`), "creates nothing")
})

describe("a command without a database", () => {
  it.live.each([...lists, ...ofOperators, ...others].map((args) => [args.join(" "), args] as const))(
    "creates no database and reports the requirement: parley %s",
    ([, args]) =>
      Effect.gen(function* () {
        const { environment, folder } = yield* emptyPlace
        const { code, err, out } = yield* commandLine(environment).parley(...args)
        assert.deepStrictEqual([code, out], [4, ""])
        assert.match(err, /^parley: No database is configured, and the folder \S+\/data contains none\./)
        for (const remedy of ["--database-url", "PARLEY_DATA_DIR", "parley migrate"]) assert.include(err, remedy)
        yield* requireNothingIn(folder)
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live(
    "reports in an empty folder that a login does not replace the database",
    () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const { folder } = yield* emptyPlace
        const logins = yield* profileFolder(yield* readSettings({ configDir: Option.some(`${folder}/config`) }))
        yield* logins.write("acme", {
          server: "https://parley.example",
          insecure: false,
          email: "ann@acme.example",
          organizations: [],
          tokens: { accessToken: Redacted.make("token"), refreshToken: null },
          deviceToken: null
        })
        yield* logins.use("acme")
        const environment = { PWD: folder, PARLEY_CONFIG_DIR: `${folder}/config` }
        const { code, err, out } = yield* runParley(environment, "", "orgs", "list")
        assert.deepStrictEqual([code, out], [1, ""])
        assert.include(err, "The profile in use (acme) is a login at https://parley.example")
        assert.include(err, "--database-url")
        assert.deepStrictEqual(yield* fs.readDirectory(folder), ["config"])
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
    60_000
  )

  it.live("is a warning of doctor, with a remedy and exit code 0", () =>
    Effect.gen(function* () {
      const { environment, folder } = yield* emptyPlace
      const outcome = yield* commandLine(environment).parley("doctor", "--json")
      assert.deepStrictEqual([outcome.code, outcome.err], [0, ""])
      const findings = yield* printed(Findings, outcome)
      const database = findings.find(({ check }) => check === "database")
      assert.strictEqual(database?.status, "warning")
      assert.include(database?.advice ?? "", "parley serve")
      yield* requireNothingIn(folder)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})

import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Organization } from "@parley/domain/platform"
import { ConversationView } from "@parley/domain/messaging"
import { Effect, FileSystem, Schema } from "effect"
import { createServer } from "node:net"
import { readDemoFile } from "../src/demo/demoFile.ts"
import { printed } from "./support/commandLine.ts"
import { exchangedAt, logIn } from "./support/http.ts"
import { freePort, runParley, startParley } from "./support/process.ts"

const inTime = 30_000

const hasNoStack = (text: string) => assert.notMatch(text, /^\s+at .+:\d+/m)

const temporaryFolder = Effect.flatMap(FileSystem.FileSystem, (fs) =>
  fs.makeTempDirectoryScoped({ prefix: "parley-cli-" })
)

const taken = Effect.acquireRelease(
  Effect.callback<{ readonly port: number; readonly close: () => void }>((resume) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resume(Effect.succeed({ port, close: () => server.close() }))
    })
  }),
  ({ close }) => Effect.sync(close)
)

const modeOf = (file: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => Effect.map(fs.stat(file), ({ mode }) => mode & 0o777))

const demoOf = (folder: string) => Effect.flatMap(readDemoFile(folder), Effect.fromOption)

describe("the process", () => {
  it.live(
    "ends with 0 after its help, and with 2 after a mistake, without a stack trace",
    () =>
      Effect.gen(function* () {
        const [help, mistake] = yield* Effect.all([runParley({}, "", "--help"), runParley({}, "", "orgs", "destroy")], {
          concurrency: 2
        })
        assert.strictEqual(help.code, 0)
        assert.include(help.out, "Exit codes")
        assert.strictEqual(mistake.code, 2)
        hasNoStack(mistake.err)
      }),
    inTime
  )

  it.live(
    "says in one line that the data folder cannot be one",
    () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const file = `${yield* temporaryFolder}/file`
        yield* fs.writeFileString(file, "")
        const outcome = yield* runParley({ PARLEY_DATA_DIR: file }, "", "orgs", "list")
        assert.strictEqual(outcome.code, 3)
        assert.match(outcome.err, /^parley: PARLEY_DATA_DIR: .*\n$/)
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
    inTime
  )

  it.live(
    "needs nothing but a folder: migrates it, fills it, and runs the demo on it",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const port = yield* freePort
        const environment = { PARLEY_DATA_DIR: folder, PARLEY_PORT: String(port), PARLEY_LOG_FORMAT: "json" }
        const parley = (...args: ReadonlyArray<string>) => runParley(environment, "", ...args)

        assert.strictEqual((yield* parley("migrate")).code, 0)
        const created = yield* printed(Organization, yield* parley("orgs", "create", "Embedded", "--json"))
        assert.strictEqual(created.slug, "embedded")
        assert.strictEqual(yield* modeOf(`${folder}/master-keys`), 0o600)

        assert.strictEqual(yield* modeOf(`${folder}/database/password`), 0o600)

        const demo = yield* startParley(environment, "demo")
        yield* demo.says(/Parley is running at/)
        assert.strictEqual(yield* modeOf(`${folder}/demo.json`), 0o600)
        const { address, password, users } = yield* demoOf(folder)
        for (const { email } of users) assert.strictEqual(yield* logIn(address, email, password), 200)

        const meanwhile = yield* parley("orgs", "create", "Meanwhile", "--json")
        assert.strictEqual((yield* printed(Organization, meanwhile)).slug, "meanwhile")
        const beside = yield* parley("doctor")
        assert.strictEqual(beside.code, 0)
        assert.match(beside.out, /^ok +database +PostgreSQL 18/m)
        assert.match(beside.out, /^ok +psql +postgres:\/\/parley@\S+passfile=\S+$/m)
        const link = yield* parley("docs-link")
        assert.match(link.out, /^http:\/\/127\.0\.0\.1:\d+\/docs#code=[\w-]{43}\n$/)
        assert.strictEqual(yield* exchangedAt(address, link.out), 200)
        const [shown = ""] = /http:\S+\/docs#code=[\w-]{43}/.exec(demo.output().out) ?? []
        assert.strictEqual(yield* exchangedAt(address, shown), 200)

        yield* demo.signal("SIGTERM")
        const end = yield* demo.ended
        assert.strictEqual(end.code, 0)
        assert.include(end.err, "Parley has stopped.")

        const exposed = yield* startParley(environment, "demo", "--host", "0.0.0.0")
        yield* exposed.says(/Parley listens on/)
        assert.match(exposed.output().err, /The demo has no tenants, because other machines can reach this service/)
        for (const { email } of users) assert.strictEqual(yield* logIn(address, email, password), 401)
        assert.match(exposed.output().err, /The demo of Acme is closed/)
        yield* exposed.signal("SIGINT")
        assert.strictEqual((yield* exposed.ended).code, 0)

        const again = yield* startParley(environment, "demo")
        yield* again.says(/Parley is running at/)
        const { simulator: _, store: __, ...kept } = yield* demoOf(folder)
        assert.deepStrictEqual(kept, { address, password, users })
        assert.strictEqual(yield* logIn(address, users[0]?.email ?? "", password), 200)
        yield* again.signal("SIGTERM")
        assert.notInclude((yield* again.ended).err, "INFO")
        const conversations = yield* parley("conversations", "list", "--org", "demo-acme", "--json")
        const listed = yield* printed(Schema.Array(ConversationView), conversations)
        assert.deepStrictEqual(
          listed.map(({ contact, status, unreadCount }) => [contact.name, status, unreadCount]),
          [
            ["Carla Customer", "open", 1],
            ["Priya Sharma", "open", 1],
            ["Marie Dubois", "open", 0],
            ["Omar Haddad", "open", 0],
            ["Jonas Weber", "snoozed", 0],
            ["Ana Souza", "resolved", 0],
            ["Tom Baker", "pending", 0]
          ]
        )
        const [marie, omar] = yield* Effect.forEach(listed.slice(2, 4), ({ id }) =>
          parley("conversations", "show", id, "--org", "demo-acme", "--json")
        )
        assert.match(marie?.out ?? "", /"kind": "template"[^]*"status": "read"/)
        assert.match(omar?.out ?? "", /"kind": "template"[^]*"status": "failed"/)
        const members = yield* parley("members", "list", "--org", "demo-acme")
        assert.match(members.out, /cleo@parley\.example +Cleo Castillo +agent/)
        const contacts = yield* parley("contacts", "export", "--org", "demo-acme")
        assert.lengthOf(contacts.out.trim().split("\n"), 13)

        const healthy = yield* parley("doctor")
        assert.strictEqual(healthy.code, 0)
        assert.match(healthy.out, /^ok +database +PostgreSQL 1\d/m)

        const fs = yield* FileSystem.FileSystem
        const written = yield* fs.readFileString(`${folder}/demo.json`)
        const other = yield* taken
        const refused = yield* parley("demo", "--port", String(other.port))
        assert.strictEqual(yield* fs.readFileString(`${folder}/demo.json`), written)
        assert.strictEqual(refused.code, 3)
        assert.match(refused.err, /^parley: PARLEY_PORT: another program uses port \d+ on 127\.0\.0\.1\./)
        const organizations = yield* printed(Schema.Array(Organization), yield* parley("orgs", "list", "--json"))
        assert.deepStrictEqual(
          organizations.map(({ plan, slug }) => [slug, plan]),
          [
            ["embedded", "free"],
            ["demo-acme", "scale"],
            ["demo-corner-shop", "free"],
            ["meanwhile", "free"]
          ]
        )
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
    8 * inTime
  )
})

import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, layer } from "@effect/vitest"
import { ListedAutomationToken, User } from "@parley/domain/platform"
import { Clock, Context, Effect, FileSystem, Layer, Schema } from "effect"
import { commandLine, type Environment, printed } from "./support/commandLine.ts"
import { OnServer } from "./support/database.ts"
import { exchangedAt } from "./support/http.ts"
import { serviceOn } from "./support/inProcess.ts"
import { ownPassword } from "./support/ownPassword.ts"
import { passingOn, sendingOn } from "./support/passingOn.ts"
import { runParley } from "./support/process.ts"

const UserWithPassword = Schema.Struct({ ...User.fields, password: Schema.String })
const IssuedToken = Schema.Struct({ ...ListedAutomationToken.fields, token: Schema.String })
const Tokens = Schema.fromJsonString(
  Schema.Struct({ tokens: Schema.NullOr(Schema.Struct({ accessToken: Schema.String })) })
)

/** A service with an adjustable clock, and a person who belongs to two organizations. */
class Served extends Context.Service<
  Served,
  {
    readonly environment: Environment
    readonly address: string
    readonly password: string
    readonly putForward: (millis: number) => void
  }
>()("@parley/cli/test/Served") {
  static readonly layer = Layer.effect(
    Served,
    Effect.gen(function* () {
      const environment = yield* OnServer
      const { parley } = commandLine(environment)
      yield* parley("orgs", "create", "Acme", "--slug", "demo-acme", "--plan", "growth")
      yield* parley("orgs", "create", "Corner Shop")
      const created = yield* parley("users", "create", "ann@login.example", "--json")
      const { password } = yield* printed(UserWithPassword, created)
      for (const org of ["demo-acme", "corner-shop"]) {
        yield* parley("members", "add", "--org", org, "ann@login.example", "--role", "owner")
      }
      const clock = yield* Clock.Clock
      let ahead = 0
      const later: Clock.Clock = Object.assign(Object.create(clock), {
        currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + ahead,
        currentTimeMillis: Effect.map(clock.currentTimeMillis, (now) => now + ahead)
      })
      const address = yield* serviceOn(environment).pipe(Effect.provideService(Clock.Clock, later))
      return {
        environment,
        address,
        password: yield* ownPassword(address, "ann@login.example", password),
        putForward: (millis: number) => {
          ahead += millis
        }
      }
    })
  ).pipe(Layer.provide(NodeServices.layer), Layer.provideMerge(OnServer.layer))
}

const temporaryFolder = Effect.flatMap(FileSystem.FileSystem, (fs) =>
  fs.makeTempDirectoryScoped({ prefix: "parley-cli-" })
)

const modeOf = (file: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => Effect.map(fs.stat(file), ({ mode }) => mode & 0o777))

const tokenIn = (file: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    Effect.map(
      Effect.flatMap(fs.readFileString(file), Schema.decodeEffect(Tokens)),
      ({ tokens }) => tokens?.accessToken
    )
  )

/** A user of this machine with logins in a separate folder. */
const atMachine = Effect.fnUntraced(function* (more: Environment = {}) {
  const folder = yield* temporaryFolder
  const environment = { HOME: folder, ...more }
  return { folder: `${folder}/.config/parley`, environment, ...commandLine(environment) }
})

const ann = ["--email", "ann@login.example"] as const

describe("logins that are kept", () => {
  layer(Served.layer, { excludeTestServices: true })((it) => {
    it.effect("pass commands to the service and are unreadable for other users", () =>
      Effect.gen(function* () {
        const { address, password } = yield* Served
        const { folder, parley, parleyWithInput } = yield* atMachine()
        const login = yield* parleyWithInput(password, "login", "--server", `${address}/`, ...ann)
        assert.strictEqual(login.err, "")
        assert.match(login.out, /^Logged in at http:\S+ as ann@login\.example, in demo-acme, corner-shop\./)
        const name = /profile (\S+);/.exec(login.out)?.[1] ?? ""
        assert.strictEqual(name, new URL(address).host.replace(":", "-"))
        assert.strictEqual(yield* modeOf(`${folder}/profiles`), 0o700)
        assert.strictEqual(yield* modeOf(`${folder}/profiles/${name}.json`), 0o600)
        assert.notInclude(login.out, password)

        const listed = yield* parley("members", "list", "--org", "demo-acme")
        assert.match(listed.out, /ann@login\.example/)
        const byName = yield* parley("members", "list", "--org", "Acme", "--server", address)
        assert.strictEqual(byName.out, listed.out)
        assert.match(
          (yield* parley("profiles", "list")).out,
          /^\* +\S+ +http:\S+ +ann@login\.example +demo-acme, corner-shop +logged in$/m
        )
        assert.strictEqual((yield* parley("profiles", "list", "--quiet")).out, name)
        const shown = yield* parley("profiles", "list", "--json")
        assert.notInclude(shown.out, (yield* tokenIn(`${folder}/profiles/${name}.json`)) ?? "?")

        assert.match((yield* parley("logout")).out, /^Logged out at/)
        const out = yield* parley("members", "list", "--profile", name)
        assert.deepStrictEqual(
          [out.code, out.err],
          [1, `parley: You are logged out at ${address}. Log in: parley login --profile ${name}`]
        )
        assert.strictEqual((yield* parleyWithInput(password, "login", "--profile", name, ...ann)).code, 0)
        assert.strictEqual((yield* parley("members", "list", "--org", "demo-acme")).out, listed.out)
        assert.strictEqual((yield* parley("profiles", "remove", name)).out, `Removed the profile ${name}.`)
        assert.match((yield* parley("profiles", "list")).err, /You have no logins/)
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
    )

    it.effect("say what to type where something is missing", () =>
      Effect.gen(function* () {
        const { address, password } = yield* Served
        const { parley, parleyWithInput } = yield* atMachine()
        const stranger = yield* parley("members", "list", "--server", address)
        assert.strictEqual(
          stranger.err,
          `parley: You are not logged in at ${address}. Log in: parley login --server ${address}`
        )
        yield* parleyWithInput(password, "login", "--server", address, "--profile", "prod", ...ann)
        assert.match(
          (yield* parley("members", "list", "--profile", "pord")).err,
          /The profile "pord" does not exist\. Did you mean prod\?.*parley login --server https:\/\/parley\.example --profile pord$/
        )
        assert.match((yield* parley("profiles", "use", "prd")).err, /Did you mean prod\?/)
        const several = yield* parley("members", "list")
        assert.deepStrictEqual(
          [several.code, several.err],
          [2, "parley: There are several organizations: demo-acme, corner-shop. Specify one: --org demo-acme"]
        )
        const unknown = yield* parley("members", "list", "--org", "acme")
        assert.match(
          unknown.err,
          /^parley: You are not a member of "acme"\. Did you mean demo-acme\?.*parley login --profile prod$/
        )
        const other = yield* parley("members", "list", "--profile", "prod", "--server", "https://other.example")
        assert.match(other.err, /The profile prod is a login at \S+, and Parley sends its token to no other server/)
        const both = yield* parley(
          "members",
          "list",
          "--profile",
          "prod",
          "--database-url",
          "postgres://x@127.0.0.1:1/x"
        )
        assert.deepStrictEqual(
          [both.code, /--profile selects a service and --database-url a database/.test(both.err)],
          [2, true]
        )
        const asBen = yield* parley(
          ..."tokens issue --org demo-acme --as ben@x.example --name N --permission members.read".split(" ")
        )
        assert.match(asBen.err, /Over HTTP you cannot act as another user\. Leave out --as/)
        const wrong = yield* parleyWithInput("wrong password", "login", "--server", address, "--profile", "x", ...ann)
        assert.match(wrong.err, /refused the login: .*parley users reset-link ann@login\.example$/)
        assert.strictEqual((yield* parley("profiles", "list", "-q")).out, "prod")
        assert.match((yield* parley("login", "--server", address)).err, /Specify the user: --email/)
        const links = [
          yield* parleyWithInput(password, "docs-link", "--org", "demo-acme", ...ann),
          yield* parleyWithInput(password, "docs-link", "--server", address, "--org", "demo-acme", ...ann),
          yield* parley("docs-link", "--org", "corner-shop")
        ]
        for (const { out } of links) {
          assert.match(out, /^https?:\S+\/docs#code=[\w-]{43}$/)
          assert.strictEqual(yield* exchangedAt(address, out), 200)
        }
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
    )

    it.effect("give way to a database that is configured, and to a flag", () =>
      Effect.gen(function* () {
        const { address, environment, password } = yield* Served
        const { environment: home, parleyWithInput } = yield* atMachine()
        yield* parleyWithInput(password, "login", "--server", address, "--profile", "prod", ...ann)
        const configured = commandLine({ ...home, ...environment })
        const sent = yield* configured.parley("audit", "list", "--org", "demo-acme", "--limit", "1")
        assert.strictEqual(sent.code, 0)
        // An operator's audit trail includes entries without an organization; a service does not show them.
        assert.strictEqual((yield* configured.parley("audit", "list")).code, 0)
        assert.match(
          (yield* configured.parley("audit", "list", "--profile", "prod")).err,
          /This command is for operators/
        )
        const torn = commandLine({ ...home, ...environment, PARLEY_SERVER: address })
        assert.match(
          (yield* torn.parley("members", "list")).err,
          /PARLEY_SERVER selects a service and PARLEY_DATABASE_URL/
        )
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
    )

    it.effect("are made with an automation token, too, which is never an argument", () =>
      Effect.gen(function* () {
        const { address, environment } = yield* Served
        const operator = commandLine(environment)
        const issued = yield* printed(
          IssuedToken,
          yield* operator.parley(
            ..."tokens issue --org demo-acme --as ann@login.example --name CI --permission members.read --json".split(
              " "
            )
          )
        )
        const { parley, parleyWithInput } = yield* atMachine()
        const typed = yield* parley("login", "--server", address, "--token", issued.token)
        assert.strictEqual(typed.code, 2)
        assert.notInclude(typed.err, issued.token)
        assert.match(
          (yield* parleyWithInput("nonsense", "login", "--server", address, "--token", "-")).err,
          /no automation token or operator token/
        )
        const login = yield* parleyWithInput(
          `${issued.token}\n`,
          "login",
          "--server",
          address,
          "--profile",
          "ci",
          "--token",
          "-"
        )
        assert.match(login.out, /as an automation token, in /)
        assert.notInclude(login.out, issued.token)
        assert.match((yield* parley("members", "list")).out, /ann@login\.example/)
        const denied = yield* parley("conversations", "list")
        assert.match(denied.err, /conversations\.read\. Ask an owner .*parley login --profile ci --token -$/)
        yield* operator.parley("tokens", "revoke", "--org", "demo-acme", issued.id, "--yes")
        const over = yield* parley("members", "list").pipe(Effect.repeat({ until: ({ code }) => code !== 0 }))
        assert.strictEqual(
          over.err,
          `parley: Your login at ${address} has ended. Log in again: parley login --profile ci --token -`
        )
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
    )

    it.effect("never send a password or a token where others can read it, or where an answer points", () =>
      Effect.gen(function* () {
        const { address, password } = yield* Served
        const { parley, parleyWithInput } = yield* atMachine()
        const plain = yield* parleyWithInput(password, "login", "--server", "http://parley.example", ...ann)
        assert.deepStrictEqual([plain.code, plain.err.includes("--insecure")], [2, true])
        const named = yield* parleyWithInput(password, "login", "--server", "https://ann:hush@parley.example", ...ann)
        assert.strictEqual(named.code, 2)
        assert.notInclude(named.err, "hush")

        const seen = yield* passingOn(address)
        const pointing = yield* sendingOn(seen.address)
        const login = yield* parleyWithInput(password, "login", "--server", pointing.address, ...ann)
        assert.deepStrictEqual([login.code, login.err.includes(`redirects to ${seen.address}`)], [1, true])
        assert.deepStrictEqual(seen.passed, [])

        yield* parleyWithInput(password, "login", "--server", seen.address, "--profile", "here", ...ann)
        const before = seen.passed.length
        assert.strictEqual((yield* parley("members", "list", "--org", "demo-acme", "--server", address)).code, 1)
        assert.strictEqual(seen.passed.length, before)
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
    )

    it.effect("report an unreachable service", () =>
      Effect.gen(function* () {
        const { address, password } = yield* Served
        const { folder, parley, parleyWithInput } = yield* atMachine()
        const front = yield* passingOn(address)
        yield* parleyWithInput(password, "login", "--server", front.address, "--profile", "gone", ...ann)
        front.close()
        for (const words of [
          ["members", "list", "--org", "demo-acme"],
          ["login", "--profile", "gone", ...ann]
        ]) {
          const result = yield* parleyWithInput(password, ...words, "--log-level", "debug")
          assert.strictEqual(result.code, 4)
          for (const secret of [password, yield* tokenIn(`${folder}/profiles/gone.json`)]) {
            assert.notInclude(result.out + result.err, secret ?? "?")
          }
        }
        const away = yield* parley("members", "list", "--org", "demo-acme")
        assert.deepStrictEqual([away.code, away.out], [4, ""])
        assert.match(
          away.err,
          /^parley: The service at \S+ does not answer\. .*curl -i \S+\/healthz.*parley login --profile gone$/
        )
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
    )

    it.effect("give their access token to other programs, renewed after expiry", () =>
      Effect.gen(function* () {
        const { address, password, putForward } = yield* Served
        const { environment, folder, parley, parleyWithInput } = yield* atMachine()
        assert.deepStrictEqual(yield* parley("token", "print"), {
          code: 1,
          out: "",
          err: "parley: You are not logged in at a service. Log in: parley login --server https://parley.example"
        })
        yield* parleyWithInput(password, "login", "--server", address, "--profile", "prod", ...ann)
        const file = `${folder}/profiles/prod.json`
        const before = yield* tokenIn(file)
        assert.deepStrictEqual(yield* parley("token", "print"), { code: 0, out: before ?? "", err: "" })
        putForward(16 * 60_000)
        const { err, out } = yield* parley("token", "print", "--profile", "prod")
        assert.deepStrictEqual([err, out], ["", (yield* tokenIn(file)) ?? ""])
        assert.notStrictEqual(out, before)
        const answer = yield* Effect.promise(() =>
          fetch(`${address}/api/v1/auth/organizations`, { headers: { authorization: `Bearer ${out}` } })
        )
        assert.strictEqual(answer.status, 200)
        const shown = yield* commandLine(environment, true).parley("token", "print")
        assert.strictEqual(shown.out, out)
        assert.match(shown.err, /^This token is a secret/)
        const withDatabase = commandLine({ ...environment, PARLEY_DATABASE_URL: "postgres://127.0.0.1:1/none" }).parley
        for (const words of [["token", "print"], ["logout"]]) {
          assert.deepStrictEqual(yield* withDatabase(...words), {
            code: 1,
            out: "",
            err: "parley: PARLEY_DATABASE_URL is set, so commands use the database. Add --profile prod."
          })
        }
        assert.strictEqual(
          (yield* withDatabase("profiles", "use", "prod")).out,
          "PARLEY_DATABASE_URL is set, so commands use the database. Add --profile prod to use this login."
        )
        yield* parley("logout")
        assert.match((yield* parley("token", "print", "--profile", "prod")).err, /You are logged out at/)
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
    )

    it.effect(
      "are renewed once after expiry, by one process only",
      () =>
        Effect.gen(function* () {
          const { address, password, putForward } = yield* Served
          const refresh = "/api/v1/auth/refresh"
          const front = yield* passingOn(address, { path: refresh, count: 2 })
          const { environment, folder, parleyWithInput } = yield* atMachine()
          yield* parleyWithInput(password, "login", "--server", front.address, "--profile", "prod", ...ann)
          const file = `${folder}/profiles/prod.json`
          const before = yield* tokenIn(file)
          putForward(16 * 60_000)
          const list = runParley(environment, "", "members", "list", "--org", "demo-acme", "--quiet")
          const [one, other] = yield* Effect.all([list, list], { concurrency: 2 })
          assert.deepStrictEqual([one.code, one.err, other.code, other.err], [0, "", 0, ""])
          assert.strictEqual(one.out, other.out)
          const refreshed = front.passed.filter(({ path }) => path === refresh)
          assert.deepStrictEqual(refreshed.map(({ status }) => status).toSorted(), [200, 409])
          assert.notStrictEqual(yield* tokenIn(file), before)
          assert.strictEqual(yield* modeOf(file), 0o600)
          assert.strictEqual((yield* list).out, one.out)
          assert.lengthOf(
            front.passed.filter(({ path }) => path === refresh),
            2
          )
        }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
      120_000
    )
  })
})

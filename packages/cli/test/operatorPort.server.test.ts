import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, FileSystem, Layer } from "effect"
import { commandLine, type Environment } from "./support/commandLine.ts"
import { OnServer } from "./support/database.ts"
import { serviceOn } from "./support/inProcess.ts"
import { freePort } from "./support/process.ts"

/** A service with a separate listener for operator tokens. */
class Served extends Context.Service<
  Served,
  { readonly environment: Environment; readonly address: string; readonly operators: string }
>()("@parley/cli/test/OperatorPort") {
  static readonly layer = Layer.effect(
    Served,
    Effect.gen(function* () {
      const environment = yield* OnServer
      yield* commandLine(environment).parley("orgs", "create", "Acme")
      const port = yield* freePort
      const address = yield* serviceOn({ ...environment, PARLEY_OPERATOR_PORT: String(port) })
      return { environment, address, operators: `http://127.0.0.1:${port}` }
    })
  ).pipe(Layer.provide(NodeServices.layer), Layer.provideMerge(OnServer.layer))
}

const issue = (environment: Environment, ...scopes: ReadonlyArray<string>) =>
  Effect.map(
    commandLine(environment).parley(
      "operator",
      "token",
      "issue",
      "--name",
      "Rates",
      ...scopes.flatMap((scope) => ["--scope", scope]),
      "--json"
    ),
    ({ out }): { readonly id: string; readonly token: string } => JSON.parse(out)
  )

/** Logins of a user of another machine. */
const atMachine = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  return commandLine({ HOME: yield* fs.makeTempDirectoryScoped({ prefix: "parley-cli-" }) })
})

const ask = (
  address: string,
  path: string,
  token: string,
  method = "GET"
): Effect.Effect<ReadonlyArray<number | string>> =>
  Effect.promise(async () => {
    const answer = await fetch(`${address}${path}`, { method, headers: { authorization: `Bearer ${token}` } })
    const { code = "" }: { readonly code?: string } = await answer.json().catch(() => ({}))
    return [answer.status, code]
  })

const rates = "/api/v1/operator/rate_cards"

describe("the operators' port", () => {
  layer(Served.layer, { excludeTestServices: true })((it) => {
    it.effect("serves the operators' API and nothing else, and the API port does not serve it", () =>
      Effect.gen(function* () {
        const { address, environment, operators } = yield* Served
        const { token } = yield* issue(environment, "rate_cards.read")
        assert.deepStrictEqual(yield* ask(operators, rates, token), [200, ""])
        assert.deepStrictEqual(yield* ask(operators, "/api/v1/operator/audit_events", token), [403, "scope_denied"])
        const others = [
          "/",
          "/docs",
          "/healthz",
          "/metrics",
          "/openapi.json",
          "/api/v1/auth/me",
          "/api/v1/auth/login",
          "/api/v1/contacts",
          "/api/v1/operator/../contacts",
          "/webhooks/chat"
        ]
        for (const path of others) {
          for (const method of ["GET", "POST", "OPTIONS"]) {
            const answer = yield* ask(operators, path, token, method)
            assert.deepStrictEqual([path, ...answer], [path, 404, "path_not_found"])
          }
        }
        for (const path of [rates, `${rates}/EUR/2026-10-01`, "/api/v1/operator/audit_events"]) {
          assert.deepStrictEqual(yield* ask(address, path, token), [404, "path_not_found"])
        }
        assert.deepStrictEqual(yield* ask(address, "/api/v1/contacts", token), [401, "token_invalid"])
      })
    )

    it.effect("takes the login of an operator token, and commands in an organization refuse it", () =>
      Effect.gen(function* () {
        const { environment, operators } = yield* Served
        const { id, token } = yield* issue(environment, "rate_cards.read", "audit.read")
        const { parley, parleyWithInput } = yield* atMachine
        const login = yield* parleyWithInput(
          token,
          ..."login --profile operator --token -".split(" "),
          "--server",
          operators
        )
        assert.deepStrictEqual([login.code, login.err], [0, ""])
        assert.match(login.out, /^Logged in at http:\S+ as an operator token\. /u)
        assert.notInclude(login.out, token)
        assert.match((yield* parley("profiles", "list")).out, /^\* +operator +http:\S+ +operator token +logged in$/mu)

        assert.include((yield* parley("rate-cards", "list")).err, "No rate card is imported.")
        assert.include((yield* parley("audit", "list")).out, "operator_token.issued")
        for (const command of [["contacts", "list"], ["contacts", "list", "--org", "acme"], ["docs-link"]]) {
          const refused = yield* parley(...command)
          assert.strictEqual(refused.code, 1)
          assert.match(refused.err, /^parley: The profile operator is an operator token, which has no access to org/u)
        }
        const denied = yield* parley("rate-cards", "import", "package.json")
        assert.deepStrictEqual([denied.code, denied.err.includes("rate_cards.write")], [1, true])

        yield* commandLine(environment).parley("operator", "token", "revoke", id, "--yes")
        assert.strictEqual(
          (yield* parley("rate-cards", "list")).err,
          `parley: Your login at ${operators} has ended. Log in again: parley login --profile operator --token -`
        )
        yield* parley("logout")
        assert.strictEqual(
          (yield* parley("rate-cards", "list", "--profile", "operator")).err,
          `parley: You are logged out at ${operators}. Log in: parley login --profile operator --token -`
        )
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
    )

    it.effect("is named by a login at a port that does not serve the operators' API", () =>
      Effect.gen(function* () {
        const { address, environment, operators } = yield* Served
        const { token } = yield* issue(environment, "rate_cards.read")
        const { parleyWithInput } = yield* atMachine
        const login = (server: string, text: string) =>
          parleyWithInput(text, "login", "--server", server, "--profile", "p", "--token", "-")
        const wrong = yield* login(address, token)
        assert.deepStrictEqual(
          [wrong.code, wrong.err],
          [
            1,
            `parley: ${address} does not serve the operators' API. Set PARLEY_OPERATOR_PORT or PARLEY_OPERATOR_API=public there, and log in at the address that serves it.`
          ]
        )
        for (const text of ["nonsense", "x.y.z"]) {
          const refused = yield* login(operators, text)
          assert.deepStrictEqual([refused.code, refused.err.includes("parley operator token issue")], [2, true])
        }
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
    )
  })
})

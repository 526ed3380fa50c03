import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, layer } from "@effect/vitest"
import { CurrentActor, CurrentOrganization, PluginId, transact } from "@parley/domain/kernel"
import { Organization, runDueLanes } from "@parley/domain/platform"
import { pluginCallLaneWorker, startPluginCall } from "@parley/domain/integrations"
import { aManifest } from "@parley/testkit"
import { Effect, Fiber, FileSystem, Schedule } from "effect"
import { createServer, type Server } from "node:http"
import { findPointerLines, lineOf } from "../src/commands/plugins/manifestLines.ts"
import { asService } from "./support/asService.ts"
import { commandLine, type Environment, printed } from "./support/commandLine.ts"
import { OnServer } from "./support/database.ts"

const {
  lifecycle: _lifecycle,
  settings: _settings,
  ...manifest
} = {
  ...aManifest,
  key: "acme-dev",
  publisher: { name: "Acme", url: "http://127.0.0.1" },
  baseUrl: "http://127.0.0.1"
}

const write = (path: string, content: unknown) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    fs.writeFileString(path, typeof content === "string" ? content : JSON.stringify(content, null, 2))
  )

/** A plugin that answers each request to an action. */
const acting = Effect.acquireRelease(
  Effect.callback<Server>((resume) => {
    const server = createServer((_, response) => response.end('{"output":{"total":5}}'))
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
  }),
  (server) => Effect.sync(() => server.close())
)

const portOf = (server: Server) => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

/** Calls the action and processes the call, as a worker on the database. */
const callAction = (environment: Environment, { id }: Organization, pluginId: PluginId) =>
  asService(
    environment,
    transact(
      startPluginCall({
        pluginId,
        action: "add_points",
        input: { points: 3 },
        caller: "workflow",
        runId: "run",
        key: "run:step:1",
        contactId: null,
        conversationId: null
      })
    ).pipe(
      Effect.tap(() => runDueLanes(pluginCallLaneWorker)),
      Effect.provideService(CurrentOrganization, { id }),
      Effect.provideService(CurrentActor, { kind: "operator", name: "test" })
    )
  )

/** Waits until the output has this text. */
const until = (output: Effect.Effect<string>, part: string) =>
  output.pipe(
    Effect.repeat({ until: (text) => text.includes(part), schedule: Schedule.spaced("50 millis") }),
    Effect.timeout("40 seconds")
  )

describe("parley plugins dev", () => {
  layer(OnServer.layer, { excludeTestServices: true })((it) => {
    it.effect("installs the manifest, applies its changes, and uninstalls it at the end", () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const folder = yield* fs.makeTempDirectoryScoped({ prefix: "parley-dev-" })
        const [path, tokenFile] = [`${folder}/plugin.json`, `${folder}/.env`]
        const { parley, started } = commandLine({ ...(yield* OnServer), PARLEY_WEBHOOK_ALLOW_LOOPBACK: "on" })
        yield* printed(Organization, yield* parley("orgs", "create", "Devs", "--json", "--plan", "scale"))
        const shown = Effect.map(parley("plugins", "list", "--org", "devs", "--json"), ({ out }) => out)

        yield* write(path, { ...manifest, permissions: ["contacts.fly"] })
        const { err, fiber, out } = yield* started(
          "plugins",
          "dev",
          path,
          "--org=devs",
          `--token-file=${tokenFile}`,
          "--remove"
        )
        const line = JSON.stringify({ ...manifest, permissions: [] }, null, 2)
          .split("\n")
          .findIndex((each) => each.includes('"permissions"'))
        assert.include(yield* until(err, "/permissions/0: "), `parley: ${path}:${line + 2}: /permissions/0: `)
        yield* write(path, manifest)
        yield* until(err, "acme-dev 1.4.0 is installed in devs (enabled).")
        yield* until(err, `The token is in ${tokenFile}.`)
        assert.match(yield* fs.readFileString(tokenFile), /^PARLEY_PLUGIN_TOKEN=\S+\nPARLEY_PLUGIN_SECRET=\S+\n$/u)
        assert.strictEqual((yield* fs.stat(tokenFile)).mode & 0o777, 0o600)

        yield* write(path, "{ not JSON")
        yield* until(err, `${path}:1: Expected valid JSON`)
        yield* write(path, { ...manifest, name: "Second draft", version: "0.0.1" })
        yield* until(err, "acme-dev 0.0.1 is updated in devs (enabled).")
        yield* until(out, "plugin.upgraded")
        assert.include(yield* shown, "Second draft")
        yield* Fiber.interrupt(fiber)
        assert.include(yield* err, "is uninstalled.")
        assert.notInclude(yield* shown, "acme-dev")
      }).pipe(Effect.provide(NodeServices.layer), Effect.scoped)
    )

    it.effect("prints requests to actions of the plugin, and the list shows them", () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const folder = yield* fs.makeTempDirectoryScoped({ prefix: "parley-dev-" })
        const environment = { ...(yield* OnServer), PARLEY_WEBHOOK_ALLOW_LOOPBACK: "on" }
        const { parley, started } = commandLine(environment)
        const acme = yield* printed(
          Organization,
          yield* parley("orgs", "create", "Actors", "--json", "--plan", "scale")
        )
        const server = yield* acting
        yield* write(`${folder}/plugin.json`, { ...manifest, baseUrl: `http://127.0.0.1:${portOf(server)}` })
        const { err, fiber, out } = yield* started("plugins", "dev", `${folder}/plugin.json`, "--org=actors")
        yield* until(err, "is installed in actors")
        const { out: id } = yield* parley("plugins", "list", "--org", "actors", "--quiet")
        const callId = yield* callAction(environment, acme, PluginId.make(id))
        assert.match(
          yield* until(out, callId),
          new RegExp(`action add_points  200, \\d+ ms, attempt 1, done  workflow run run  ${callId}`, "u")
        )
        yield* Fiber.interrupt(fiber)
        const listed = yield* parley("plugins", "calls", id, "--org", "actors", "--filter", "state=done")
        assert.match(listed.out, new RegExp(`${callId} .* add_points +workflow run +done +1 +200, \\d+ ms`, "u"))
        const none = yield* parley("plugins", "calls", id, "--org", "actors", "--filter", "action=look")
        assert.include(none.out + none.err, "No matching call was found.")
      }).pipe(Effect.provide(NodeServices.layer), Effect.scoped)
    )

    it.effect("finds the line of each value of a manifest", () =>
      Effect.sync(() => {
        const text = '{\n  "a/b": [1, {\n    "c": "x, }"\n  }],\n  "d": 2\n}'
        const lines = findPointerLines(text)
        const pointers = ["", "/a~1b", "/a~1b/1/c", "/d", "/d/missing", "/none"]
        assert.deepStrictEqual(
          pointers.map((pointer) => lineOf(lines, pointer)),
          [1, 2, 3, 5, 5, 1]
        )
      })
    )
  })
})

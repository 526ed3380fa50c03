import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { ChildProcess } from "effect/process"
import { fileURLToPath } from "node:url"
import { OnServer } from "./support/database.ts"
import { freePort, parleyOf } from "./support/process.ts"

const inTime = 180_000

const script = fileURLToPath(import.meta.resolve("../../../scripts/bundle.mjs"))

const bundle = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "Büro mit Raum-" })
  const { exitCode } = yield* ChildProcess.make(process.execPath, [script, folder])
  assert.strictEqual(yield* exitCode, 0)
  const link = `${folder}-link.js`
  yield* Effect.acquireRelease(fs.symlink(`${folder}/parley.js`, link), () => Effect.orDie(fs.remove(link)))
  return { folder, ...parleyOf(link) }
})

const read = (url: string) =>
  Effect.flatMap(HttpClient.get(url), ({ status, text }) => Effect.map(text, (body) => ({ status, body })))

describe("the command line in a few files", () => {
  layer(OnServer.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "serves through a link from a folder with spaces and umlauts, has the documentation site, and finds the embedded PostgreSQL",
      () =>
        Effect.gen(function* () {
          const { folder, runParley, startParley } = yield* bundle
          const fs = yield* FileSystem.FileSystem
          for (const file of (yield* fs.readDirectory(folder)).filter((name) => name.endsWith(".mjs"))) {
            assert.notMatch(yield* fs.readFileString(`${folder}/${file}`), /[\u0100-\uffff]/, file)
          }
          const port = yield* freePort
          const service = yield* startParley(yield* OnServer, "serve", "--processes", "2", "--port", String(port))
          yield* service.says(/Parley listens on/)
          const at = (path: string) => read(`http://127.0.0.1:${port}${path}`)
          assert.strictEqual((yield* at("/readyz")).status, 200)
          // A health check does not load the program.
          yield* fs.rename(`${folder}/program.mjs`, `${folder}/elsewhere.mjs`)
          const probe = yield* runParley({ PARLEY_PORT: String(port) }, "", "ready")
          yield* fs.rename(`${folder}/elsewhere.mjs`, `${folder}/program.mjs`)
          assert.deepStrictEqual([probe.code, probe.err], [0, ""])
          const guide = yield* at("/docs/guides/quick-start")
          assert.strictEqual(guide.status, 200)
          assert.include(guide.body, "npm start")
          const contract = yield* at("/openapi.json")
          assert.include(contract.body, `"servers":[{"url":"http://127.0.0.1:${port}"`)
          const refused = yield* at("/api/v1/contacts")
          assert.strictEqual(refused.status, 401)

          const embedded = { PARLEY_DATA_DIR: `${folder}/data` }
          const created = yield* runParley(embedded, "", "migrate")
          assert.strictEqual(created.code, 0, created.err)
          const { out } = yield* runParley(embedded, "", "migrate", "--status")
          assert.match(out, /platform +applied/)
        }).pipe(Effect.scoped, Effect.provide([NodeServices.layer, FetchHttpClient.layer])),
      inTime
    )
  })
})

import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { readSettings } from "@parley/service/configuration"
import { ConfigProvider, Effect } from "effect"
import { createServer } from "node:http"
import { askReady, readyAddressOf } from "../src/ready.ts"
import { commandLine } from "./support/commandLine.ts"
import { freePort, runParley } from "./support/process.ts"

/** A service on a free port that answers every path like this. */
const answering = (status: number, body: string) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly port: number; readonly paths: Array<string>; readonly close: () => void }>((resume) => {
      const paths: Array<string> = []
      const server = createServer(({ url = "" }, response) => {
        paths.push(url)
        response.writeHead(status).end(body)
      }).listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        resume(Effect.succeed({ port, paths, close: () => server.close() }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

const host = "127.0.0.1"

describe("parley ready", () => {
  it.live.each([
    [200, '{"status":"ok","background":"ok"}', 0, "is ready."],
    [503, '{"detail":"The process is stopping."}', 1, "is not ready: The process is stopping."],
    [
      503,
      '{"status":"unavailable","reason":"The background work fails"}',
      1,
      "is not ready: The background work fails"
    ],
    [503, "<html>", 1, "is not ready: no reason given"],
    [404, "", 4, "does not answer like a Parley service (status 404)"]
  ] as const)("answers a status %i with the body %s with the code %i", ([status, body, code, line]) =>
    Effect.gen(function* () {
      const { paths, port } = yield* answering(status, body)
      const readiness = yield* Effect.promise(() => askReady({ host, port }))
      assert.deepStrictEqual([readiness.code, paths], [code, ["/readyz"]])
      assert.include(readiness.line, `http://127.0.0.1:${port}`)
      assert.include(readiness.line, line)
      const { code: ofProgram, err, out } = yield* commandLine({ PARLEY_PORT: String(port) }).parley("ready")
      assert.strictEqual(ofProgram, code)
      assert.strictEqual(out + err, `${code === 0 ? "" : "parley: "}${readiness.line}`)
    })
  )

  it.live("ends with 4 if no process listens", () =>
    Effect.gen(function* () {
      const port = yield* freePort
      const { code, line } = yield* Effect.promise(() => askReady({ host: "0.0.0.0", port }))
      assert.strictEqual(code, 4)
      assert.include(line, `http://127.0.0.1:${port} does not answer: connect ECONNREFUSED`)
    })
  )

  it.live("runs in a process, and the program explains wrong words and values", () =>
    Effect.gen(function* () {
      const { paths, port } = yield* answering(200, "{}")
      const environment = { PARLEY_HOST: "0.0.0.0", PARLEY_PORT: String(port) }
      const outcome = yield* runParley(environment, "", "ready")
      assert.deepStrictEqual(outcome, { code: 0, out: `The service at http://127.0.0.1:${port} is ready.\n`, err: "" })
      assert.deepStrictEqual(paths, ["/readyz"])
      const wrong = yield* runParley({ PARLEY_PORT: "http" }, "", "ready")
      assert.deepStrictEqual([wrong.code, wrong.out], [3, ""])
      assert.include(wrong.err, "parley: PARLEY_PORT: expected a port from 1 to 65535")
      assert.strictEqual((yield* runParley({}, "", "ready", "--prot", "1")).code, 2)
    })
  )

  it.effect("has the defaults of the settings", () =>
    Effect.gen(function* () {
      const { host, port } = yield* readSettings({})
      assert.deepStrictEqual(readyAddressOf([], {}), { host: host.value, port: port.value })
    }).pipe(Effect.provide([ConfigProvider.layer(ConfigProvider.fromUnknown({})), NodeServices.layer]))
  )

  it.each([
    [[], { PARLEY_HOST: " :: ", PARLEY_PORT: " 9000 " }, { host: "::", port: 9000 }],
    [["--port", "9100", "--host=10.0.0.7"], { PARLEY_PORT: "9000" }, { host: "10.0.0.7", port: 9100 }],
    [["--help"], {}, null],
    [["--port"], {}, null],
    [["--port", "0"], {}, null],
    [["--port", "65536"], {}, null],
    [["now"], {}, null],
    [[], { PARLEY_PORT: "http" }, null],
    [[], { PARLEY_HOST: "a b" }, null]
  ] as const)("reads the address of %j and %j", (words, variables, expected) => {
    assert.deepStrictEqual(readyAddressOf(words, variables), expected)
  })
})

import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createServer } from "node:http"
import { askReady, readyTargetOf } from "../src/ready.ts"
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
      const readiness = yield* Effect.promise(() => askReady({ host, port, metrics: null }))
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
      const { code, line } = yield* Effect.promise(() => askReady({ host: "0.0.0.0", port, metrics: null }))
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

  it.live("asks the metrics port of a worker, because nothing listens on the API port", () =>
    Effect.gen(function* () {
      const api = String(yield* freePort)
      const { paths, port } = yield* answering(503, '{"reason":"The background work fails"}')
      const environment = { PARLEY_PORT: api, PARLEY_METRICS_PORT: String(port) }
      const line = `parley: The service at http://127.0.0.1:${port} is not ready: The background work fails`
      const outcome = { code: 1, out: "", err: line }
      assert.deepStrictEqual(yield* commandLine(environment).parley("ready"), outcome)
      assert.deepStrictEqual(yield* runParley(environment, "", "ready"), { ...outcome, err: `${line}\n` })
      assert.deepStrictEqual(paths, ["/readyz", "/readyz"])
      const chosen = yield* commandLine(environment).parley("ready", "--port", api)
      assert.strictEqual(chosen.code, 4)
      assert.strictEqual(paths.length, 2)
    })
  )

  it.live("asks the API port alone while a process listens there", () =>
    Effect.gen(function* () {
      const api = yield* answering(503, '{"detail":"The process is stopping."}')
      const metrics = yield* answering(200, "{}")
      const target = { host, port: api.port, metrics: { host, port: metrics.port } }
      assert.strictEqual((yield* Effect.promise(() => askReady(target))).code, 1)
      assert.deepStrictEqual(metrics.paths, [])
    })
  )

  it.live("names the API port if nothing listens on both ports", () =>
    Effect.gen(function* () {
      const port = yield* freePort
      const target = { host, port, metrics: { host, port: yield* freePort } }
      const { code, line } = yield* Effect.promise(() => askReady(target))
      assert.strictEqual(code, 4)
      assert.include(line, `http://127.0.0.1:${port} does not answer`)
    })
  )

  it.each([
    [[], {}, { host, port: 8787, metrics: null }],
    [[], { PARLEY_HOST: " :: ", PARLEY_PORT: " 9000 " }, { host: "::", port: 9000, metrics: null }],
    [[], { PARLEY_METRICS_PORT: " 9464 " }, { host, port: 8787, metrics: { host, port: 9464 } }],
    [
      [],
      { PARLEY_HOST: "0.0.0.0", PARLEY_METRICS_HOST: "::1", PARLEY_METRICS_PORT: "9464" },
      { host: "0.0.0.0", port: 8787, metrics: { host: "::1", port: 9464 } }
    ],
    [["--port", "9100"], { PARLEY_METRICS_PORT: "9464" }, { host, port: 9100, metrics: null }],
    [["--port", "9100", "--host=10.0.0.7"], { PARLEY_PORT: "9000" }, { host: "10.0.0.7", port: 9100, metrics: null }],
    [["--help"], {}, null],
    [["--port"], {}, null],
    [["--port", "0"], {}, null],
    [["--port", "65536"], {}, null],
    [["now"], {}, null],
    [[], { PARLEY_PORT: "http" }, null],
    [[], { PARLEY_METRICS_PORT: "http" }, null],
    [[], { PARLEY_HOST: "a b" }, null]
  ] as const)("reads the addresses of %j and %j", (words, variables, expected) => {
    assert.deepStrictEqual(readyTargetOf(words, variables), expected)
  })
})

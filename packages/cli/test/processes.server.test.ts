import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { kill } from "node:process"
import { ExitCode } from "../src/console/Failure.ts"
import { commandLine } from "./support/commandLine.ts"
import { OnServer } from "./support/database.ts"
import { freePort, startParley } from "./support/process.ts"

const inTime = 180_000

/** Processes run in real time, so this polls until the condition holds. */
const until = <A, E, R>(ask: Effect.Effect<A, E, R>, isSo: (answer: A) => boolean) =>
  Effect.repeat(ask, { while: (answer) => !isSo(answer), schedule: Schedule.spaced("50 millis") })

const textOf = (url: string) => Effect.flatMap(HttpClient.get(url), ({ text }) => text)
const statusOf = (url: string) => Effect.map(HttpClient.get(url), ({ status }) => status)

const workerPid = /^\S+:(?<pid>\d+) /m

describe("several processes that share a port", () => {
  layer(OnServer.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "start together, are watched together, are replaced when they die, and end together",
      () =>
        Effect.gen(function* () {
          const environment = yield* OnServer
          const [port, metricsPort] = [yield* freePort, yield* freePort]
          const metrics = textOf(`http://127.0.0.1:${metricsPort}/metrics`)
          const service = yield* startParley(
            { ...environment, PARLEY_LOG_FORMAT: "json", PARLEY_METRICS_PORT: String(metricsPort) },
            "serve",
            "--processes",
            "2",
            "--port",
            String(port)
          )
          yield* service.says(/Parley listens on/)
          const all = yield* metrics
          for (const name of ["api-1", "api-2", "worker-1"]) {
            assert.include(all, `parley_process_up{process="${name}"} 1\n`)
            assert.include(all, `parley_database_available{process="${name}"} 1\n`)
          }
          assert.strictEqual(yield* statusOf(`http://127.0.0.1:${metricsPort}/readyz`), 200)
          assert.strictEqual(yield* statusOf(`http://127.0.0.1:${port}/metrics`), 404)

          const { parley } = commandLine(environment)
          const { out } = yield* until(parley("workers"), ({ out }) => workerPid.test(out))
          kill(Number(workerPid.exec(out)?.groups?.["pid"]), "SIGKILL")
          yield* service.says(/The process worker-1 has ended and is restarted/)
          yield* until(metrics, (text) => text.includes('parley_process_restarts_total{process="worker-1"} 1\n'))
          yield* until(metrics, (text) => text.includes('parley_process_up{process="worker-1"} 1\n'))

          yield* service.signal("SIGTERM")
          const { code, err } = yield* service.ended
          assert.strictEqual(code, 0)
          assert.lengthOf(err.match(/Stopping after running calls finish/g) ?? [], 1)
          assert.include(err, "Parley has stopped.")
        }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer)),
      inTime
    )

    it.effect(
      "announce a graceful stop, and stop immediately on the second signal",
      () =>
        Effect.gen(function* () {
          const service = yield* startParley(
            { ...(yield* OnServer), PARLEY_DRAIN_SECONDS: "120" },
            "serve",
            "--processes",
            "2",
            "--port",
            String(yield* freePort)
          )
          yield* service.says(/Parley listens on/)
          yield* service.signal("SIGTERM")
          yield* service.says(/Stopping after running calls finish/)
          const again = Effect.repeat(service.signal("SIGTERM"), Schedule.spaced("200 millis"))
          const { code, err } = yield* Effect.raceFirst(service.ended, Effect.andThen(again, Effect.never))
          assert.strictEqual(code, ExitCode.interrupted)
          assert.notInclude(err, "Parley has stopped.")
        }).pipe(Effect.scoped),
      inTime
    )

    it.effect(
      "expose the metrics of all processes through each of them",
      () =>
        Effect.gen(function* () {
          const port = yield* freePort
          const service = yield* startParley(
            { ...(yield* OnServer), PARLEY_LOG_FORMAT: "json" },
            "serve",
            "--processes",
            "2",
            "--no-workers",
            "--port",
            String(port)
          )
          yield* service.says(/Parley listens on/)
          for (const time of [1, 2, 3, 4]) {
            const text = yield* textOf(`http://127.0.0.1:${port}/metrics`)
            assert.include(text, 'parley_process_up{process="api-1"} 1\n', String(time))
            assert.include(text, 'parley_database_available{process="api-2"} 1\n', String(time))
            assert.notInclude(text, "worker")
          }
        }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer)),
      inTime
    )

    it.effect(
      "do not start on a busy port or without a required setting",
      () =>
        Effect.gen(function* () {
          const environment = yield* OnServer
          const port = yield* freePort
          const together = ["serve", "--processes", "2", "--no-workers", "--port", String(port)] as const
          const first = yield* startParley(environment, ...together)
          yield* first.says(/Parley listens on/)
          const second = yield* startParley(environment, ...together)
          const refused = yield* second.ended
          assert.strictEqual(refused.code, 3)
          assert.include(refused.err, `another program uses port ${port}`)

          const lost = yield* startParley(
            { ...environment, PARLEY_MASTER_KEYS: "nonsense" },
            "worker",
            "--processes",
            "2"
          )
          const { code, err } = yield* lost.ended
          assert.strictEqual(code, 3, err)
          assert.include(err, "PARLEY_MASTER_KEYS")
          assert.include(err, "The process worker-1 could not start.")
        }).pipe(Effect.scoped),
      inTime
    )
  })
})

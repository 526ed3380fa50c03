import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { collector } from "./support/collector.ts"
import { OnServer } from "./support/database.ts"
import { freePort, startParley } from "./support/process.ts"

const inTime = 60_000

const get = (url: string) =>
  Effect.flatMap(HttpClient.get(url), (answer) =>
    Effect.map(answer.text, (text) => ({ status: answer.status, text }))
  ).pipe(Effect.provide(FetchHttpClient.layer))

describe("what a running service tells its operators", () => {
  layer(OnServer.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "serves metrics on a separate address and exports traces, metrics and logs without search terms",
      () =>
        Effect.gen(function* () {
          const environment = yield* OnServer
          const [port, metricsPort] = [yield* freePort, yield* freePort]
          const { taken, url } = yield* collector
          const service = yield* startParley(
            {
              ...environment,
              OTEL_EXPORTER_OTLP_ENDPOINT: url,
              PARLEY_LOG_FORMAT: "json",
              PARLEY_METRICS_PORT: String(metricsPort)
            },
            "serve",
            "--port",
            String(port)
          )
          yield* service.says(/Parley listens on/)
          const api = `http://127.0.0.1:${port}`
          assert.strictEqual((yield* get(`${api}/metrics`)).status, 404)
          assert.strictEqual((yield* get(`${api}/api/v1/contacts?q=canary-word`)).status, 401)
          assert.strictEqual((yield* get(`${api}/api/v1/contacts/by-phone/+4915112345678`)).status, 405)
          const { status, text } = yield* get(`http://127.0.0.1:${metricsPort}/metrics`)
          assert.strictEqual(status, 200)
          for (const line of [
            "parley_database_up 1",
            'parley_inbound_deliveries{state="waiting"} 0',
            'parley_inbound_deliveries{state="parked"} 0',
            "parley_send_queue_messages 0",
            'parley_jobs{state="queued"} 0',
            'parley_queue_oldest_age_seconds{queue="sends"} 0',
            'parley_http_request_duration_seconds_count{status="4xx"} 3'
          ]) {
            assert.include(text, line)
          }
          assert.strictEqual((yield* get(`http://127.0.0.1:${metricsPort}/api/v1/contacts`)).status, 404)

          // Pending telemetry is exported when the service stops.
          yield* service.signal("SIGTERM")
          const { code, err } = yield* service.ended
          assert.strictEqual(code, 0)
          assert.include(taken("/v1/traces"), '"name":"GET"')
          assert.include(taken("/v1/traces"), '"parley"')
          assert.include(taken("/v1/metrics"), "parley_http_request_duration_seconds")
          assert.include(taken("/v1/metrics"), "parley_database_up")
          assert.include(taken("/v1/logs"), "/api/v1/contacts")
          for (const received of [taken("/v1/traces"), taken("/v1/metrics"), taken("/v1/logs"), err]) {
            assert.notInclude(received, "canary-word")
            assert.notInclude(received, "15112345678")
          }
        }),
      inTime
    )
  })
})

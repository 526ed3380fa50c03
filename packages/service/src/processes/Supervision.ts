import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { answerMetrics, makeOperatorListener, makeStartup } from "@parley/http-adapter/operators"
import { Effect, Layer, type Redacted } from "effect"
import { HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Channel } from "./Channel.ts"
import type { Post } from "./Post.ts"

interface Family {
  readonly head: ReadonlyArray<string>
  readonly samples: Array<string>
}

const headLine = /^# (?:HELP|TYPE) (?<name>\S+)/

const named = (sample: string, process: string): string => {
  const place = sample.search(/[{ ]/)
  const [name, rest] = [sample.slice(0, place), sample.slice(place)]
  return rest.startsWith("{") ? `${name}{process="${process}",${rest.slice(1)}` : `${name}{process="${process}"}${rest}`
}

const familiesOf = (text: string): ReadonlyMap<string, Family> => {
  const families = new Map<string, { head: Array<string>; samples: Array<string> }>()
  let family = ""
  for (const line of text.split("\n")) {
    if (line === "") continue
    const name = headLine.exec(line)?.groups?.["name"]
    if (name !== undefined) family = name
    const { head, samples } = families.get(family) ?? { head: [], samples: [] }
    ;(name === undefined ? samples : head).push(line)
    families.set(family, { head, samples })
  }
  return families
}

/** Merges the metrics of several processes. The format requires samples of one metric to be adjacent. The label `process` names the process. */
export const mergedMetrics = (texts: ReadonlyMap<string, string>): string => {
  const merged = new Map<string, Family>()
  for (const [process, text] of texts) {
    for (const [name, { head, samples }] of familiesOf(text)) {
      const family = merged.get(name) ?? { head, samples: [] }
      family.samples.push(...samples.map((sample) => named(sample, process)))
      merged.set(name, family)
    }
  }
  return Array.from(merged.values(), ({ head, samples }) => [...head, ...samples, ""].join("\n")).join("")
}

/** Slot of a process, with the state of its current process. */
export interface Place {
  readonly post: Post
  /** `null` while no process runs in this slot. */
  channel: Channel | null
  isReady: boolean
  restarts: number
}

/** State of several processes for probes and scrapers. */
export interface Supervision {
  /** Metrics of all processes, labelled with the process name. */
  readonly metrics: Effect.Effect<string>
  /** Whether a process of each role is ready. Without an API process, a worker is not ready while its background work fails. */
  readonly isReady: Effect.Effect<boolean>
  /** Reason for the failure of the background work; `null` while it works. */
  readonly failing: Effect.Effect<string | null>
}

const failureOf = ({ channel, post }: Place): string | null =>
  post.role === "worker" ? (channel?.background() ?? null) : null

/** Processes with an API are ready for calls, independent of the background work. */
const isReady = (places: ReadonlyArray<Place>) => {
  const hasApi = places.some(({ post }) => post.role === "api")
  const serves = (place: Place) => place.isReady && (hasApi || failureOf(place) === null)
  return [...Map.groupBy(places, ({ post }) => post.role).values()].every((group) => group.some(serves))
}

const gauges = (places: ReadonlyArray<Place>): string => {
  const lines = (name: string, valueOf: (place: Place) => number) =>
    places.map((place) => `${name}{process="${place.post.name}"} ${valueOf(place)}\n`).join("")
  return (
    `# TYPE parley_process_up gauge\n${lines("parley_process_up", ({ isReady }) => (isReady ? 1 : 0))}` +
    `# TYPE parley_process_restarts_total counter\n${lines("parley_process_restarts_total", ({ restarts }) => restarts)}`
  )
}

/** Watches the processes in these slots. Requests metrics only from ready processes, because a starting process does not answer. */
export const watching = (places: ReadonlyArray<Place>): Supervision => ({
  metrics: Effect.gen(function* () {
    const states = yield* Effect.forEach(
      places,
      ({ channel, isReady, post }) =>
        Effect.map(channel !== null && isReady ? channel.metrics : Effect.succeedNone, (text) => ({
          name: post.name,
          text
        })),
      { concurrency: "unbounded" }
    )
    const texts = states.flatMap(({ name, text }) => (text._tag === "Some" ? [[name, text.value] as const] : []))
    return gauges(places) + mergedMetrics(new Map(texts))
  }),
  isReady: Effect.sync(() => isReady(places)),
  failing: Effect.sync(() => places.map(failureOf).find((reason) => reason !== null) ?? null)
})

interface Address {
  readonly host: string
  readonly port: number
}

const ok = HttpServerResponse.jsonUnsafe({ status: "ok" })

const readiness = ({ failing, isReady }: Supervision) =>
  Effect.gen(function* () {
    const failure = yield* failing
    if (yield* isReady) {
      return HttpServerResponse.jsonUnsafe({ status: "ok", background: failure === null ? "ok" : "failing" })
    }
    const reason = failure === null ? "No process of a role is ready." : `The background work fails: ${failure}`
    return HttpServerResponse.jsonUnsafe({ status: "unavailable", reason }, { status: 503 })
  })

const answering = (supervision: Supervision, token: Redacted.Redacted | null) => {
  const { ready, startup } = makeStartup(readiness(supervision), ok)
  return Effect.gen(function* () {
    const { method, url } = yield* HttpServerRequest.HttpServerRequest
    if (method === "GET" && url === "/metrics") return yield* answerMetrics(supervision.metrics, token)
    if (method === "GET" && url === "/healthz") return ok
    if (method === "GET" && url === "/readyz") return yield* ready
    if (method === "GET" && url === "/startupz") return yield* startup
    return HttpServerResponse.empty({ status: 404 })
  })
}

/** Serves the metrics and the readiness of all processes at a separate address. */
export const layerWatch = (address: Address, supervision: Supervision, token: Redacted.Redacted | null) =>
  HttpServer.serve(answering(supervision, token)).pipe(
    Layer.provide(NodeHttpServer.layer(makeOperatorListener, address))
  )

import type { Ports } from "@parley/domain/composition"
import { TestKit } from "@parley/testkit"
import { Context, Effect, Layer, Logger, Schema } from "effect"
import { HttpServer } from "effect/http"
import { TestClock } from "effect/testing"
import { request } from "node:http"
import { type ServerSettings, settings } from "../../src/server/ServerConfig.ts"
import { Server } from "../../src/server/index.ts"
import { roomySettings, start } from "./service.ts"

/** Bytes to send on a socket. */
export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

/** All that is seen of an answer but when it was given. */
export interface Seen {
  readonly status: number
  readonly headers: ReadonlyArray<string>
  readonly body: string
}

/** A service with compiled or plain answers. */
export interface Way {
  readonly ports: Context.Context<Ports>
  readonly send: (sent: Sent) => Effect.Effect<Seen>
  /** Log entries since the last read. */
  readonly logged: Effect.Effect<ReadonlyArray<string>>
}

const withoutDate = (raw: ReadonlyArray<string>) =>
  raw.flatMap((name, place) =>
    place % 2 === 1 || name.toLowerCase() === "date" ? [] : [`${name}: ${raw[place + 1] ?? ""}`]
  )

const send =
  (port: number) =>
  ({ body, headers, method, path }: Sent) =>
    Effect.callback<Seen>((resume) => {
      const sending = request({ host: "127.0.0.1", port, method, path, headers: { ...headers } }, (answer) => {
        const parts: Array<Buffer> = []
        answer.on("data", (part: Buffer) => parts.push(part))
        answer.on("end", () =>
          resume(
            Effect.succeed({
              status: answer.statusCode ?? 0,
              headers: withoutDate(answer.rawHeaders),
              body: Buffer.concat(parts).toString("latin1")
            })
          )
        )
      })
      sending.on("error", (error) => resume(Effect.die(error)))
      sending.end(body)
    })

/** Fibers are counted through in the whole process. */
const withoutFiber = (line: string) => JSON.stringify({ ...readLine(line), fiberId: undefined })
const readLine = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

const startWay = (differing: Partial<ServerSettings>) =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const layerLogger = Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(withoutFiber(line)))])
    const layer = Server.layer(
      settings({ ...roomySettings, port: 0, baseUrl: "http://parley.test", ...differing })
    ).pipe(Layer.provideMerge(TestKit.layerSeededBy("two ways")), Layer.provideMerge(layerLogger))
    const context = yield* Layer.buildWithMemoMap(layer, yield* Layer.makeMemoMap, yield* Effect.scope)
    const { address } = Context.get(context, HttpServer.HttpServer)
    if (!("port" in address)) return yield* Effect.die(new Error("It listens on no port."))
    return {
      ports: context,
      send: send(address.port),
      logged: Effect.sync(() => lines.splice(0))
    } satisfies Way
  })

/** Two services with the same start and the same generated ids: one answers normally, the other only through the framework. */
export class TwoWays extends Context.Service<TwoWays, { readonly compiled: Way; readonly plain: Way }>()(
  "@parley/http-adapter/test/TwoWays"
) {
  static readonly layer = (differing: Partial<ServerSettings> = {}) =>
    Layer.effect(
      TwoWays,
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        return TwoWays.of({
          compiled: yield* startWay({ ...differing, compiles: true }),
          plain: yield* startWay({ ...differing, compiles: false })
        })
      })
    )
}

/** Does the same in both. Returns both results. */
export const inBoth = <A, E>(act: (way: Way) => Effect.Effect<A, E, Ports>) =>
  Effect.gen(function* () {
    const { compiled, plain } = yield* TwoWays
    return [
      yield* Effect.provideContext(act(compiled), compiled.ports),
      yield* Effect.provideContext(act(plain), plain.ports)
    ] as const
  })

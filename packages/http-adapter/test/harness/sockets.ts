import { layerWorkers, type Ports } from "@parley/domain/composition"
import { Context, Deferred, Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { createConnection, type Socket } from "node:net"
import { type ServerSettings, settings } from "../../src/server/ServerConfig.ts"
import { Server } from "../../src/server/index.ts"
import { layerLogger, noteExchange } from "./Evidence.ts"
import { answerOf, type Call, requestOf } from "./Http.ts"
import { roomySettings } from "./service.ts"

/** Address of a service. */
export class Address extends Context.Service<Address, { readonly port: number }>()(
  "@parley/http-adapter/test/Address"
) {}

/** Whole service on a socket of this machine, in real time. Workers start on notifications only. */
export const layerListening = <E, Provides = never>(
  ports: Layer.Layer<Ports | Provides, E>,
  differing: Partial<ServerSettings> = {}
) =>
  Layer.effect(
    Address,
    Effect.flatMap(HttpServer.HttpServer, ({ address }) =>
      "port" in address ? Effect.succeed({ port: address.port }) : Effect.die(new Error("It listens on no port."))
    )
  ).pipe(
    Layer.provide(Server.layer(settings({ ...roomySettings, port: 0, ...differing }))),
    Layer.provide(layerWorkers({ lookMillis: 3_600_000 })),
    Layer.provideMerge(ports),
    Layer.provideMerge(layerLogger)
  )

/** Calls the server on the port of this machine. */
export const callPort = (port: number, method: string, path: string, call: Call = {}) =>
  Effect.promise(async () => {
    const answer = await answerOf(await fetch(requestOf(method, `http://127.0.0.1:${port}${path}`, call)))
    noteExchange(path, call.body, answer.status, answer.text, answer.body)
    return answer
  })

/** Opens a connection, writes to it, and returns all data until the other side closes it. */
export const converse = (speak: (socket: Socket) => void) =>
  Effect.flatMap(Address, ({ port }) =>
    Effect.callback<{ readonly text: string }>((resume) => {
      const parts: Array<Buffer> = []
      const socket = createConnection({ host: "127.0.0.1", port }, () => speak(socket))
      socket.on("data", (part) => parts.push(Buffer.from(part)))
      socket.on("error", () => socket.destroy())
      socket.on("close", () => resume(Effect.succeed({ text: Buffer.concat(parts).toString() })))
      return Effect.sync(() => socket.destroy())
    })
  )

/** A raw connection for several writes in sequence. */
export interface Connection {
  readonly write: (text: string) => void
  /** All that has come, as soon as it is enough. */
  readonly until: (isEnough: (text: string) => boolean) => Effect.Effect<string>
  /** All that came until the other side ended the connection. */
  readonly ended: Effect.Effect<string>
}

/** Opens a connection that lasts as long as the scope. */
export const openConnection = (port: number) =>
  Effect.acquireRelease(
    Effect.callback<Socket>((resume) => {
      const socket = createConnection({ host: "127.0.0.1", port }, () => resume(Effect.succeed(socket)))
    }),
    (socket) => Effect.sync(() => socket.destroy())
  ).pipe(
    Effect.map((socket): Connection => {
      let text = ""
      const end = Deferred.makeUnsafe<string>()
      const finish = () => Deferred.doneUnsafe(end, Effect.succeed(text))
      socket.on("data", (part) => {
        text += part.toString()
      })
      socket.on("error", finish)
      socket.on("end", finish)
      socket.on("close", finish)
      return {
        write: (what) => void socket.write(what),
        until: (isEnough) =>
          Effect.callback((resume) => {
            const look = () => {
              if (isEnough(text)) resume(Effect.succeed(text))
            }
            const give = () => resume(Effect.die(new Error(`The connection ended after: ${text}`)))
            socket.on("data", look)
            socket.on("end", give)
            look()
            return Effect.sync(() => socket.off("data", look).off("end", give))
          }),
        ended: Deferred.await(end)
      }
    })
  )

import { Effect } from "effect"
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"

/** A connection to a service that loses answers. The test cuts and restores it. */
export const shakyWayTo = (to: string) =>
  Effect.acquireRelease(
    Effect.callback<{
      readonly address: string
      /** Forwards the next POST to a path with this suffix, and loses its answer. */
      readonly loseAnswerTo: (ending: string) => void
      readonly cut: Effect.Effect<void>
      readonly mend: Effect.Effect<void>
      readonly close: () => void
    }>((resume) => {
      let lost: string | null = null
      const server = createServer((incoming, answer) => {
        const path = incoming.url ?? ""
        const isLost = incoming.method === "POST" && lost !== null && path.endsWith(lost)
        if (isLost) lost = null
        const call = request(
          `${to}${path}`,
          { method: incoming.method, headers: incoming.headers, agent: false },
          (response) => {
            if (isLost) return void response.resume().on("end", () => answer.destroy())
            answer.writeHead(response.statusCode ?? 0, response.headers)
            response.pipe(answer)
          }
        )
        call.on("error", () => answer.destroy())
        answer.on("close", () => call.destroy())
        incoming.pipe(call)
      })
      const close = () => {
        server.closeAllConnections()
        server.close()
      }
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        resume(
          Effect.succeed({
            address: `http://127.0.0.1:${port}`,
            loseAnswerTo: (ending: string) => {
              lost = ending
            },
            cut: Effect.callback<void>((done) => {
              server.close(() => done(Effect.void))
              server.closeAllConnections()
            }),
            mend: Effect.callback<void>((done) => {
              server.listen(port, "127.0.0.1", () => done(Effect.void))
            }),
            close
          })
        )
      })
    }),
    ({ close }) => Effect.sync(close)
  )

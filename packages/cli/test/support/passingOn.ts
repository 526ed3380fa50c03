import { Effect } from "effect"
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"

/** A forwarded call and its result. */
export interface Passed {
  readonly path: string
  readonly authorization: string | null
  status: number
}

/** A proxy in front of a service. It records calls and can hold calls to a path until a given number has arrived. */
export const passingOn = (to: string, hold: { readonly path: string; readonly count: number } | null = null) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly address: string; readonly passed: ReadonlyArray<Passed>; readonly close: () => void }>(
      (resume) => {
        const passed: Array<Passed> = []
        const held: Array<() => void> = []
        const server = createServer((incoming, answer) => {
          const seen: Passed = {
            path: incoming.url ?? "",
            authorization: incoming.headers.authorization ?? null,
            status: 0
          }
          passed.push(seen)
          const go = () => {
            const call = request(
              `${to}${seen.path}`,
              { method: incoming.method, headers: incoming.headers, agent: false },
              (response) => {
                seen.status = response.statusCode ?? 0
                answer.writeHead(seen.status, response.headers)
                response.pipe(answer)
              }
            )
            incoming.pipe(call)
          }
          if (hold === null || seen.path !== hold.path) return go()
          held.push(go)
          if (held.length >= hold.count) held.splice(0).forEach((pass) => pass())
        })
        server.listen(0, "127.0.0.1", () => {
          const { port } = server.address() as AddressInfo
          resume(
            Effect.succeed({
              address: `http://127.0.0.1:${port}`,
              passed,
              close: () => {
                server.closeAllConnections()
                server.close()
              }
            })
          )
        })
      }
    ),
    ({ close }) => Effect.sync(close)
  )

/** Answers every call with another address. */
export const sendingOn = (to: string) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly address: string; readonly close: () => void }>((resume) => {
      const server = createServer((incoming, answer) => {
        incoming.resume()
        answer.writeHead(307, { location: `${to}${incoming.url ?? ""}` }).end()
      })
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        resume(Effect.succeed({ address: `http://127.0.0.1:${port}`, close: () => server.close() }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

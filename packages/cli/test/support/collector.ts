import { Effect } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** An OpenTelemetry collector on this machine. It stores received data unchanged. */
export const collector = Effect.acquireRelease(
  Effect.callback<{ readonly url: string; readonly taken: (path: string) => string; readonly close: () => void }>(
    (resume) => {
      const bodies = new Map<string, string>()
      const server = createServer((request, response) => {
        let body = ""
        request.setEncoding("utf8").on("data", (piece: string) => {
          body += piece
        })
        request.on("end", () => {
          const path = request.url ?? ""
          bodies.set(path, (bodies.get(path) ?? "") + body)
          response.writeHead(200, { "content-type": "application/json" }).end("{}")
        })
      })
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        resume(
          Effect.succeed({
            url: `http://127.0.0.1:${port}`,
            taken: (path: string) => bodies.get(path) ?? "",
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

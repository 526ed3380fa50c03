import type { IncomingMessage, Server } from "node:http"
import type { Duplex } from "node:stream"
import { Api } from "../api/Api.ts"
import { reflectApi } from "../api/openapi/reflectApi.ts"
import { isFile } from "./RequestFaults.ts"

/** Where files are sent, which take their time. */
const paths: ReadonlySet<string> = new Set(
  reflectApi(Api)
    .filter(({ endpoint }) => isFile(endpoint))
    .map(({ endpoint }) => endpoint.path)
)

/** Whether a request brings a file. */
export const bringsFile = ({ method, url = "" }: IncomingMessage): boolean =>
  method === "POST" && paths.has(url.split(/[?#;]/, 1)[0] ?? "")

/**
 * Lets files take as long as they need to arrive, if only something arrives within that time. Says whether one arrives
 * on a socket.
 */
export const letFilesArrive = (listener: Server, idleMillis: number): ((socket: Duplex) => boolean) => {
  const arriving = new WeakSet<Duplex>()
  const watch = (request: IncomingMessage) => {
    if (!bringsFile(request)) return
    const { socket } = request
    arriving.add(socket)
    // Node drops a socket whose time is out.
    socket.setTimeout(idleMillis)
    request.once("end", () => {
      arriving.delete(socket)
      socket.setTimeout(0)
    })
  }
  listener.on("request", watch)
  listener.on("checkContinue", watch)
  return (socket) => arriving.has(socket)
}

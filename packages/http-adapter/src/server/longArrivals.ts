import type { IncomingMessage, Server } from "node:http"
import type { Duplex } from "node:stream"
import { Api } from "../api/Api.ts"
import { reflectApi } from "../api/openapi/reflectApi.ts"
import { isFile } from "./RequestFaults.ts"

/** Where files are sent, which take their time. */
const paths = new Set(
  reflectApi(Api)
    .filter(({ endpoint }) => isFile(endpoint))
    .map(({ endpoint }) => endpoint.path)
)

const bringsFile = ({ method, url = "" }: IncomingMessage) =>
  method === "POST" && paths.has(url.split(/[?#;]/, 1)[0] ?? "")

/** How long an answer may take to reach a caller who still sends. */
const partingMillis = 1_000

/**
 * Lets files take as long as they need to arrive, if only something arrives within that time. Says whether one arrives
 * on a socket.
 */
export const letFilesArrive = (listener: Server, idleMillis: number): ((socket: Duplex) => boolean) => {
  const arriving = new WeakSet<Duplex>()
  listener.on("request", (request, response) => {
    if (!bringsFile(request)) return
    const { socket } = request
    arriving.add(socket)
    // Node drops a socket whose time is out.
    socket.setTimeout(idleMillis)
    request.once("end", () => {
      arriving.delete(socket)
      socket.setTimeout(0)
    })
    response.once("finish", () => {
      // Whoever was refused need not send the rest.
      if (!request.complete) setTimeout(() => socket.destroy(), partingMillis).unref()
    })
  })
  return (socket) => arriving.has(socket)
}

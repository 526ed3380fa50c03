import { Effect } from "effect"
import { createHash } from "node:crypto"
import { createServer } from "node:net"
import { join } from "node:path"
import { type Cluster, database, user } from "./Cluster.ts"
import { EmbeddedFolderUnusable } from "./Errors.ts"
import { giveTo, lookAt, refusedFor, withFiles } from "./files.ts"

/** Address of a server: a socket folder, or a loopback address. */
export interface Address {
  readonly host: string
  readonly port: number
}

/** Port in the socket name of servers with a folder; no process listens on it. */
const usualPort = 5432

/** Longest socket path that every system accepts. */
const longestPath = 100

/** Folder for sockets whose own path is too long; each has a subfolder. */
const shortPlace = "/tmp"

const fits = (folder: string) =>
  Buffer.byteLength(`${folder}/.s.PGSQL.${usualPort}`) <= longestPath && !folder.includes("\n")

const shortFolder = Effect.fnUntraced(function* ({ account, data, directory }: Cluster) {
  const uid = account?.uid ?? process.geteuid?.() ?? 0
  const hash = createHash("sha256").update(data).digest("hex").slice(0, 16)
  const folder = join(shortPlace, `parley-${uid}-${hash}`)
  yield* Effect.catchIf(
    Effect.andThen(
      withFiles((fs) => fs.mkdir(folder, { mode: 0o700 })),
      account === null ? Effect.void : giveTo(folder, account)
    ),
    refusedFor("EEXIST"),
    () => Effect.void
  )
  // Any user can create a folder there. A server in a foreign folder could be impersonated by its owner.
  const found = yield* lookAt(folder)
  const isSafe = found !== null && found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0
  return isSafe
    ? folder
    : yield* new EmbeddedFolderUnusable({
        directory,
        reason: `another user owns ${folder}, the folder of its socket.`
      })
})

/** Folder of the sockets of the server. */
export const socketFolder = (cluster: Cluster) =>
  fits(cluster.data) ? Effect.succeed(cluster.data) : shortFolder(cluster)

/** Whether the server of this folder uses a file system socket, which no other user can open. */
export const hasSocket = ({ isThrowaway }: Pick<Cluster, "isThrowaway">) => process.platform !== "win32" && !isThrowaway

const freePort = Effect.callback<number>((resume) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const address = server.address()
    server.close(() => resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0)))
  })
})

/** Address for a new server. */
export const newAddress = Effect.fnUntraced(function* (cluster: Cluster) {
  return hasSocket(cluster)
    ? { host: yield* socketFolder(cluster), port: usualPort }
    : { host: "127.0.0.1", port: yield* freePort }
})

/** Removes the short socket folder of a server without its own. */
export const removeShortFolder = (cluster: Cluster) =>
  !hasSocket(cluster) || fits(cluster.data)
    ? Effect.void
    : Effect.ignore(Effect.flatMap(socketFolder(cluster), (folder) => withFiles((fs) => fs.rmdir(folder))))

/** URL of the database, with this suffix. */
export const urlOf = ({ host, port }: Address, password: string | null, query = "") => {
  const place = host.startsWith("/") ? encodeURIComponent(host) : `${host}:${port}`
  return `postgres://${user}${password === null ? "" : `:${password}`}@${place}/${database}${query}`
}

/** Settings that make the server listen only there. */
export const listening = ({ host, port }: Address) => {
  const isSocket = host.startsWith("/")
  return {
    listen_addresses: isSocket ? "" : host,
    port: String(port),
    unix_socket_directories: isSocket ? `"${host.replaceAll('"', '""')}"` : "",
    ...(process.platform === "win32" ? {} : { unix_socket_permissions: "0700" })
  }
}

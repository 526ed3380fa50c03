import { Effect } from "effect"
import { createHash } from "node:crypto"
import { createServer } from "node:net"
import { join } from "node:path"
import { type Cluster, database, user } from "./Cluster.ts"
import { EmbeddedFolderUnusable } from "./Errors.ts"
import { giveTo, lookAt, refusedFor, withFiles } from "./files.ts"

/** Where a server listens: in a folder, or on this machine's own address. */
export interface Address {
  readonly host: string
  readonly port: number
}

/** What servers in folders call their socket after; nothing listens on it. */
const usualPort = 5432

/** The longest path of a socket that every system takes. */
const longestPath = 100

/** Where sockets lie whose own folder has too long a name: each in a folder of its own. */
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
  // Anybody can make a folder there: a server that listened in theirs would be theirs to stand in for.
  const found = yield* lookAt(folder)
  const isSafe = found !== null && found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0
  return isSafe
    ? folder
    : yield* new EmbeddedFolderUnusable({
        directory,
        reason: `somebody else has made ${folder}, where its socket would lie.`
      })
})

/** The folder of the sockets, where the server listens on one. */
export const socketFolder = (cluster: Cluster) =>
  fits(cluster.data) ? Effect.succeed(cluster.data) : shortFolder(cluster)

/** Whether the server of this folder is reached by a socket in the file system, which nobody else can open. */
export const hasSocket = ({ isThrowaway }: Pick<Cluster, "isThrowaway">) => process.platform !== "win32" && !isThrowaway

const freePort = Effect.callback<number>((resume) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const address = server.address()
    server.close(() => resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0)))
  })
})

/** Where a server that is about to be started shall listen. */
export const newAddress = Effect.fnUntraced(function* (cluster: Cluster) {
  return hasSocket(cluster)
    ? { host: yield* socketFolder(cluster), port: usualPort }
    : { host: "127.0.0.1", port: yield* freePort }
})

/** Takes away the folder of a socket that had none of its own. */
export const removeShortFolder = (cluster: Cluster) =>
  !hasSocket(cluster) || fits(cluster.data)
    ? Effect.void
    : Effect.ignore(Effect.flatMap(socketFolder(cluster), (folder) => withFiles((fs) => fs.rmdir(folder))))

/** The URL of the database, with what comes after it. */
export const urlOf = ({ host, port }: Address, password: string | null, query = "") => {
  const place = host.startsWith("/") ? encodeURIComponent(host) : `${host}:${port}`
  return `postgres://${user}${password === null ? "" : `:${password}`}@${place}/${database}${query}`
}

/** Settings that make the server listen there, and nowhere else. */
export const listening = ({ host, port }: Address) => {
  const isSocket = host.startsWith("/")
  return {
    listen_addresses: isSocket ? "" : host,
    port: String(port),
    unix_socket_directories: isSocket ? `"${host.replaceAll('"', '""')}"` : "",
    ...(process.platform === "win32" ? {} : { unix_socket_permissions: "0700" })
  }
}

import type { Settings } from "@parley/service/configuration"
import { Effect } from "effect"
import * as Fs from "node:fs/promises"
import * as Net from "node:net"
import { failed, type Finding, ok, skipped, warning } from "./Finding.ts"

const oldestNode = [24, 7] as const

/** Whether this Node can run the service. */
export const checkNode = Effect.sync((): Finding => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  return major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])
    ? ok("node", `Node ${process.versions.node}`)
    : failed("node", `Node ${process.versions.node} is too old`, `install Node ${oldestNode.join(".")} or later`)
})

const megabyte = 1024 * 1024

/** Whether the disk of the data folder has room. */
export const checkDisk = (settings: Settings) => {
  if (settings.databaseUrl.value !== null) return Effect.succeed(skipped("disk", "the data is on a database server"))
  const folder = settings.dataDir.value
  return Effect.promise(() =>
    Fs.statfs(`${folder}/database`)
      .catch(() => Fs.statfs(folder))
      .then(
        ({ bavail, bsize }) => Math.floor((bavail * bsize) / megabyte),
        () => null
      )
  ).pipe(
    Effect.map((free): Finding => {
      if (free === null) return skipped("disk", `there is no folder ${folder} yet: the first start makes it`)
      const found = `${free} MB free at ${folder}`
      if (free < 100) return failed("disk", found, "make room: PostgreSQL stops when its disk is full")
      return free < 1024 ? warning("disk", found, "make room soon") : ok("disk", found)
    })
  )
}

const listen = (host: string, port: number) =>
  Effect.callback<string | null>((resume) => {
    const server = Net.createServer()
    server.once("error", (error: NodeJS.ErrnoException) => resume(Effect.succeed(error.code ?? "unknown")))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resume(Effect.succeed(null))))
  })

/** Whether a server could listen. */
export const checkPort = (settings: Settings) => {
  const host = settings.host.value
  const port = settings.port.value
  return Effect.map(listen(host, port), (code): Finding => {
    if (code === null) return ok("port", `${host}:${port} is free`)
    if (code === "EADDRINUSE") {
      return warning("port", `${host}:${port} is taken`, "fine if that is your server; else take another: PARLEY_PORT")
    }
    return failed("port", `cannot listen on ${host}:${port} (${code})`, "correct PARLEY_HOST and PARLEY_PORT")
  })
}

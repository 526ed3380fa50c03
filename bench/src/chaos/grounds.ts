import { generateMasterKey } from "@parley/provider-adapters/security"
import { Database } from "@parley/postgres-adapter"
import { Effect, FileSystem, Layer, Path, Redacted } from "effect"
import { createServer } from "node:net"
import { fileURLToPath } from "node:url"
import * as BenchDatabase from "../database/BenchDatabase.ts"
import type { Grounds } from "../servers/contenders.ts"
import { layerPorts } from "../tenants/ports.ts"

/** A free port, for a server that restarts on it. */
export const freePort = Effect.callback<number>((resume) => {
  const probe = createServer().listen(0, "127.0.0.1", () => {
    const address = probe.address()
    probe.close(() =>
      resume(typeof address === "object" && address !== null ? Effect.succeed(address.port) : Effect.die(address))
    )
  })
})

/** All that the server runs on, with the database at this address. */
export const groundsOn = (databaseUrl: Redacted.Redacted) =>
  Effect.map(
    generateMasterKey("chaos"),
    (masterKeys) => ({ databaseUrl, masterKeys, poolSize: 10, isUnlimited: true }) satisfies Grounds
  )

/** Dependencies of the server, with the database on our own servers: `host:port`, one or several. */
export const groundsOnCluster = (hosts: string, query = "") =>
  groundsOn(Redacted.make(`postgres://postgres@${hosts}/postgres${query}`))

/** A new database with everything that the server needs. */
export const makeGrounds = Effect.fnUntraced(function* (
  server: Redacted.Redacted,
  outside: Pick<Grounds, "chat" | "shops">
) {
  return { ...(yield* groundsOn(yield* BenchDatabase.make(server))), ...outside } satisfies Grounds
})

const cheapHash = { cost: { memory: 8, passes: 1, parallelism: 1 } }

/** Every port, to prepare the initial state of a run. */
export const layerPreparing = (grounds: Grounds) => layerPorts({ ...grounds, poolSize: 4, hashing: cheapHash })

/** The database for observers, under another user than the server's, which keeps observers connected. */
export const layerWatching = (grounds: Grounds) =>
  Database.layer({
    url: grounds.databaseUrl,
    maxConnections: 2,
    applicationName: "parley-chaos",
    statementTimeout: "10 minutes"
  }).pipe(Layer.orDie)

const results = fileURLToPath(new URL("../../results/", import.meta.url))

/** The file that the log of the server goes to. */
export const logFile = Effect.fnUntraced(function* (name: string, seed: number) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  yield* fs.makeDirectory(results, { recursive: true })
  const file = path.join(results, `chaos-${name}-${seed}.log`)
  yield* fs.writeFileString(file, "")
  return file
})

import { Effect, Option, Redacted, Schema } from "effect"
import { Flag } from "effect/cli"
import { fileURLToPath, pathToFileURL } from "node:url"
import type { ShopGrounds } from "../stores/shops.ts"
import type { ChatGrounds } from "../tenants/ports.ts"
import { launch } from "./launch.ts"
import { type PortToShare, sharingPort } from "./sharingPort.ts"

/** Dependencies of every server under test. */
export interface Grounds {
  readonly databaseUrl: Redacted.Redacted
  readonly masterKeys: Redacted.Redacted
  readonly poolSize: number
  /** Disables rate limits, for benches with few callers. */
  readonly isUnlimited?: boolean
  /** Whether Parley also does the background work in the same process. On by default. */
  readonly hasWorkers?: boolean
  /** Number of processes of each server. Default: one. */
  readonly processes?: number
  readonly chat?: ChatGrounds
  readonly shops?: ShopGrounds
}

const entryOf = (name: string, root: string) => fileURLToPath(new URL(`src/servers/${name}.ts`, root))

const here = new URL("../../", import.meta.url).href

/** The flags of the command line, for one process and for a process per core. */
const heapFlags = (processes = 1) => [
  "--heap-growing-percent=60",
  "--no-allocation-site-pretenuring",
  ...(processes > 1 ? ["--v8-pool-size=1"] : [])
]

const unlimited = String(1_000_000_000)

const common = ({ databaseUrl, hasWorkers = true, isUnlimited = false, poolSize }: Grounds) => ({
  BENCH_DATABASE_URL: databaseUrl,
  BENCH_POOL_SIZE: String(poolSize),
  BENCH_WORKERS: String(hasWorkers),
  ...(isUnlimited && { BENCH_TOKEN_PER_MINUTE: unlimited, BENCH_ORGANIZATION_PER_MINUTE: unlimited })
})

const listening = ({ port, sharesPort }: PortToShare) => ({
  BENCH_PORT: String(port),
  BENCH_SHARES_PORT: String(sharesPort)
})

/** Differences between a Parley contestant and this checkout. */
export interface ParleyOptions {
  readonly name?: string
  /** The `bench` folder of another checkout. */
  readonly root?: string
  readonly trustedProxyHops?: number
  readonly nodeFlags?: ReadonlyArray<string>
  /** The port; a free port by default. */
  readonly port?: number
  /** The file that its log is written to, rather than to the standard error stream. */
  readonly log?: string
}

/** Parley as it is: its packages, with their defaults. */
export const parley = (
  grounds: Grounds,
  { log, name = "parley", nodeFlags = [], port = 0, root = here, trustedProxyHops = 0 }: ParleyOptions = {}
) =>
  sharingPort(
    grounds.processes ?? 1,
    (place) =>
      launch({
        name,
        entry: entryOf("parley", root),
        nodeFlags: [...heapFlags(grounds.processes), ...nodeFlags],
        ...(log !== undefined && { log }),
        env: {
          ...common(grounds),
          ...listening(place),
          BENCH_MASTER_KEYS: grounds.masterKeys,
          ...(grounds.chat !== undefined && { BENCH_CHAT: Redacted.make(JSON.stringify(grounds.chat)) }),
          ...(grounds.shops !== undefined && { BENCH_SHOPS: Redacted.make(JSON.stringify(grounds.shops)) }),
          BENCH_TRUSTED_PROXY_HOPS: String(trustedProxyHops)
        }
      }),
    port
  )

/** Flag of a bench that measures answers without the follow-up work. */
export const noWorkersFlag = {
  noWorkers: Flag.Boolean("no-workers").pipe(
    Flag.withDescription("No background tasks, like Fastify"),
    Flag.withDefault(false)
  )
}

/** The flag of a bench that measures servers of several processes. */
export const processesFlag = {
  processes: Flag.Int("processes").pipe(
    Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 16 }))),
    Flag.withDescription("How many processes each server has, all on one port, each with a pool to itself"),
    Flag.withDefault(1)
  )
}

/** Flag of a bench that also measures another checkout of Parley. */
export const otherFlag = {
  other: Flag.Directory("other", { mustExist: true }).pipe(
    Flag.withDescription("Another checkout of Parley to compare with"),
    Flag.optional
  )
}

/** The name of the Parley of another checkout. */
export const other = "parley (other)"

/** The `bench` folder of another checkout. */
export const rootOf = (checkout: string) => pathToFileURL(`${checkout}/bench/`).href

/** The Parley of another checkout, if given. */
export const otherParley = (grounds: Grounds, checkout: Option.Option<string>) =>
  Effect.forEach(Option.toArray(checkout), (path) =>
    Effect.map(parley(grounds, { name: other, root: rootOf(path) }), (server) => ({
      name: other,
      server
    }))
  )

/** Fastify and pg, with a cache between requests. */
export const fastify = (grounds: Grounds, remembers: "nothing" | "tokens" | "standing") =>
  sharingPort(grounds.processes ?? 1, (place) =>
    launch({
      name: `fastify (${remembers})`,
      entry: entryOf("fastify", here),
      env: { ...common(grounds), ...listening(place), BENCH_REMEMBERS: remembers }
    })
  )

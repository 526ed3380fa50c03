import { Context, Effect, Layer, type Redacted } from "effect"
import type { UploadSettings } from "./uploadRate.ts"

/** How the server is set up. */
export interface ServerSettings {
  readonly host: string
  readonly port: number
  /** Where callers reach the service, without a slash at the end. */
  readonly baseUrl: string
  /** The documentation site that a hand-off leads to. */
  readonly docsUrl: string
  /** Web pages of these origins may call the API; of none when empty. */
  readonly corsOrigins: ReadonlyArray<string>
  /** How many proxies of ours stand in front and add to `X-Forwarded-For`. */
  readonly trustedProxyHops: number
  readonly rateLimits: {
    readonly tokenPerMinute: number
    readonly organizationPerMinute: number
    readonly addressPerMinute: number
  }
  readonly maxBodyBytes: number
  /** The largest delivery of a provider to a webhook, which it writes by limits of its own. */
  readonly maxWebhookBytes: number
  /** The largest file of an import. */
  readonly maxImportBytes: number
  /** How long a request may take to arrive; 10 seconds if not said. */
  readonly arrivalMillis?: number
  /** Minimum upload rate and number of slow uploads per address. Default: 64 kB/s over any minute, 8 slow uploads. */
  readonly uploads?: Partial<UploadSettings>
  /** How long a reader of a stream may leave what it was given unread; 30 seconds if not said. */
  readonly patienceMillis?: number
  /** How long a request waits for the database, all in all; 5 seconds if not said. */
  readonly databaseMillis?: number
  /** How long the server goes on serving after it was told to stop, while `/readyz` sends new calls elsewhere; not at all if not said. */
  readonly drainMillis?: number
  /** Whether every request is logged, or failures only. */
  readonly accessLog: boolean
  /** Token of the metrics endpoint. Default: none. */
  readonly metricsToken?: Redacted.Redacted | null
  /** Address of the metrics. Default: the API port. `elsewhere`: not on this server. */
  readonly metricsAt?: { readonly host: string; readonly port: number } | "elsewhere" | null
  /** The metrics that are served; those of this process if not said. */
  readonly metrics?: Effect.Effect<string>
  /** Whether endpoints are answered by what was put together for each of them, as they are if not said, or by the framework alone. */
  readonly compiles?: boolean
  /** Whether other processes listen on the same port. */
  readonly sharesPort?: boolean
}

/** The settings, for whatever of the server needs them. */
export class ServerConfig extends Context.Service<ServerConfig, ServerSettings>()(
  "@parley/http-adapter/ServerConfig"
) {}

/** Settings for a server on this machine; say what differs. */
export const settings = (differing: Partial<ServerSettings> = {}): ServerSettings => {
  const host = differing.host ?? "127.0.0.1"
  const port = differing.port ?? 8787
  const baseUrl = differing.baseUrl ?? `http://${host}:${port}`
  return {
    host,
    port,
    baseUrl,
    docsUrl: `${baseUrl}/docs`,
    corsOrigins: [],
    trustedProxyHops: 0,
    rateLimits: { tokenPerMinute: 6_000, organizationPerMinute: 30_000, addressPerMinute: 600 },
    maxBodyBytes: 1024 * 1024,
    maxWebhookBytes: 3 * 1024 * 1024,
    maxImportBytes: 1024 * 1024 * 1024,
    accessLog: true,
    ...differing
  }
}

/** Whether the server is about to stop: it still serves, and asks callers to go elsewhere. */
export const Drain = Context.Reference<{ isDraining: boolean }>("@parley/http-adapter/Drain", {
  defaultValue: () => ({ isDraining: false })
})

/** Before anything else is stopped, those in front of the server have time to notice that it is about to go. */
export const layerBeforeEnd = Layer.effectDiscard(
  Effect.gen(function* () {
    const { drainMillis = 0 } = yield* ServerConfig
    const drain = yield* Drain
    yield* Effect.addFinalizer(() =>
      Effect.suspend(() => {
        drain.isDraining = true
        return drainMillis === 0 ? Effect.void : Effect.sleep(drainMillis)
      })
    )
  })
)

/** A path is spelled in one way only, so that whatever stands in front of the service reads it as the service does. */
export const routing = {
  caseSensitive: true,
  ignoreDuplicateSlashes: false,
  // As long as a path can be: what is too long for an id is told so, like whatever else no id can be.
  maxParamLength: 65_536
} as const

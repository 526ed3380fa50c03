import { Context, Effect, Layer, type Redacted } from "effect"
import type { UploadSettings } from "./uploadRate.ts"

export interface ServerSettings {
  readonly host: string
  readonly port: number
  /** Public URL of the service, without a trailing slash. */
  readonly baseUrl: string
  /** URL of the documentation site that a hand-off redirects to. */
  readonly docsUrl: string
  /** Origins of web pages that can call the API. Empty: none. */
  readonly corsOrigins: ReadonlyArray<string>
  /** Number of trusted proxies in front of the service that append to `X-Forwarded-For`. */
  readonly trustedProxyHops: number
  readonly rateLimits: {
    readonly tokenPerMinute: number
    readonly organizationPerMinute: number
    readonly addressPerMinute: number
    /** Maximum requests per minute of an operator token. Default: 600. */
    readonly operatorPerMinute?: number
  }
  readonly maxBodyBytes: number
  /** Maximum size of a webhook delivery. The provider chooses the size, so this limit is separate. */
  readonly maxWebhookBytes: number
  /** Maximum size of an import file. */
  readonly maxImportBytes: number
  /** Maximum time for a request to arrive. Default: 10 seconds. */
  readonly arrivalMillis?: number
  /** Minimum upload rate and number of slow uploads per address. Default: 64 kB/s over any minute, 8 slow uploads. */
  readonly uploads?: Partial<UploadSettings>
  /** Maximum time that a stream reader can leave data unread. Default: 30 seconds. */
  readonly patienceMillis?: number
  /** Maximum total time that a request waits for the database. Default: 5 seconds. */
  readonly databaseMillis?: number
  /** Time that the server continues to serve after the stop signal, while `/readyz` redirects new calls. Default: none. */
  readonly drainMillis?: number
  /** Whether the server logs every request. Otherwise it logs only failures. */
  readonly accessLog: boolean
  /** Token of the metrics endpoint. Default: none. */
  readonly metricsToken?: Redacted.Redacted | null
  /** Address of the metrics. Default: the API port. `elsewhere`: not on this server. */
  readonly metricsAt?: { readonly host: string; readonly port: number } | "elsewhere" | null
  /** Metrics to serve. Default: the metrics of this process. */
  readonly metrics?: Effect.Effect<string>
  /**
   * Whether this server answers operator tokens. `off`: their paths do not exist. `only`: all other paths do not exist. Default: `off`.
   */
  readonly operatorApi?: "off" | "public" | "only"
  /** Separate address for operator tokens. Default: none. */
  readonly operatorAt?: { readonly host: string; readonly port: number } | null
  /** Whether compiled endpoints answer requests. Otherwise the framework answers all. Default: true. */
  readonly compiles?: boolean
  /** Whether other processes listen on the same port. */
  readonly sharesPort?: boolean
}

export class ServerConfig extends Context.Service<ServerConfig, ServerSettings>()(
  "@parley/http-adapter/ServerConfig"
) {}

/** Settings for a local server, with overrides. */
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

/** Whether the server will stop soon. It still serves, and sends callers elsewhere. */
export const Drain = Context.Reference<{ isDraining: boolean }>("@parley/http-adapter/Drain", {
  defaultValue: () => ({ isDraining: false })
})

/** Delays the shutdown, so load balancers notice that the server will stop. */
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

/** Accepts one spelling per path, so proxies and the service read a path in the same way. */
export const routing = {
  caseSensitive: true,
  ignoreDuplicateSlashes: false,
  // Maximum length of a path. A longer id gets the same error as any invalid id.
  maxParamLength: 65_536
} as const

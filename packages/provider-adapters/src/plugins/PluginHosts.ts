import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { isLoopbackUrl } from "@parley/domain/kernel"
import { PluginHosts, PluginUnreadable } from "@parley/domain/integrations"
import { Duration, Effect, Layer } from "effect"
import { HttpClient } from "effect/http"
import { answerText } from "../outbound/answers.ts"
import { type Lookup, makePublicClient } from "../outbound/publicClient.ts"

export interface PluginHostsOptions {
  /** Whether plugins can be on this machine, also over plain HTTP. For plugin development. */
  readonly loopback: boolean
  readonly lookup: Lookup
}

const mostBytes = 64 * 1024
const connectTimeout = Duration.seconds(3)
const longest = Duration.seconds(10)

const unreadable = (reason: string) => new PluginUnreadable({ reason })

const make = ({ lookup, loopback }: PluginHostsOptions) =>
  Effect.gen(function* () {
    const anywhere = yield* HttpClient.HttpClient
    const publicOnly = yield* makePublicClient(lookup, connectTimeout)
    return PluginHosts.of({
      read: (url) =>
        Effect.gen(function* () {
          const client = loopback && isLoopbackUrl(url) ? anywhere : publicOnly
          const response = yield* Effect.mapError(client.get(url), () => unreadable("the host was not reached"))
          if (response.status !== 200) return yield* unreadable(`the answer has the status ${response.status}`)
          return yield* Effect.mapError(answerText(response, mostBytes), () =>
            unreadable("the answer did not come whole, or is longer than 64 KiB")
          )
        }).pipe(
          Effect.scoped,
          Effect.provideService(HttpClient.TracerPropagationEnabled, false),
          Effect.timeoutOrElse({ duration: longest, orElse: () => Effect.fail(unreadable("it took too long")) })
        )
    })
  })

/** Reads manifests over HTTPS from public addresses. */
export const layer = (options: PluginHostsOptions) =>
  Layer.effect(PluginHosts, make(options)).pipe(Layer.provide(NodeHttpClient.layerUndici))

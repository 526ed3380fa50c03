import { DateTime, Effect, Redacted, Schema } from "effect"
import { CurrentOrganization, type PluginId } from "../../../kernel/index.ts"
import { secretsOfHeld, WebhookSender } from "../../webhooks/index.ts"
import { subscriptionOf } from "../Ids.ts"
import type { LifecycleCall } from "../LifecycleCalls.ts"
import { addressIn } from "../manifests/PluginManifest.ts"
import { type KeptPlugin, Plugins } from "../Plugins.ts"
import { openSettings } from "../settings.ts"
import { signToken } from "../tokens.ts"
import { farewells } from "./farewells.ts"
import { Farewell } from "./supply.ts"

/** What a call says, and where it goes. */
interface Composed {
  readonly url: string
  readonly secrets: ReadonlyArray<Redacted.Redacted>
  readonly said: Readonly<Record<string, unknown>>
}

const ofPlugin = Effect.fnUntraced(function* (plugin: KeptPlugin, path: string, { hasSecret, tokenId }: LifecycleCall) {
  const secrets = yield* secretsOfHeld(subscriptionOf(plugin.id))
  const token = tokenId === null ? null : yield* (yield* Plugins).token(tokenId)
  const [secret] = secrets
  return {
    url: addressIn(plugin.manifest, path),
    secrets,
    said: {
      version: plugin.manifest.version,
      ...(token !== null && { token: Redacted.value(yield* signToken(token)), tokenExpiresAt: token.expiresAt }),
      ...(hasSecret && secret !== undefined && { secret: Redacted.value(secret) }),
      settings: yield* openSettings(plugin)
    }
  } satisfies Composed
})

const ofFarewell = Effect.fnUntraced(function* (id: PluginId, sealed: string) {
  const opened = yield* farewells.open(id, sealed)
  const { secrets, url, version } = yield* Effect.orDie(Schema.decodeEffect(Farewell)(Redacted.value(opened)))
  return { url, secrets: secrets.map((secret) => Redacted.make(secret)), said: { version, settings: {} } }
})

/** Makes one try of a call; `null` where there is nobody to be told any more. */
export const callPlugin = Effect.fnUntraced(function* (plugin: KeptPlugin | null, call: LifecycleCall) {
  const path = plugin?.manifest.lifecycle
  const composed: Composed | null =
    call.farewell !== null
      ? yield* ofFarewell(call.pluginId, call.farewell)
      : plugin !== null && path !== undefined
        ? yield* ofPlugin(plugin, path, call)
        : null
  if (composed === null) return null
  const at = yield* DateTime.now
  const { id: organizationId } = yield* CurrentOrganization
  const { said, secrets, url } = composed
  const body = JSON.stringify({ type: call.type, timestamp: at, organizationId, pluginId: call.pluginId, ...said })
  return yield* (yield* WebhookSender).post({
    url,
    secrets,
    id: call.id,
    at,
    attempt: call.tries + 1,
    headers: {},
    body
  })
})

import { Effect, Schema } from "effect"
import { faultsOfIssue, invalid, pointerTo, useCase, ValidationFailed } from "../../../kernel/index.ts"
import { readJson } from "../../../kernel/json/index.ts"
import { faultOfUrl, hostOfUrl, WebhookSettings } from "../../webhooks/index.ts"
import { checkHost, checkManifest } from "../checks.ts"
import { PluginManifest } from "../manifests/PluginManifest.ts"
import { type CatalogueEntry, PluginCatalogue } from "../PluginCatalogue.ts"
import { PluginHosts } from "../PluginHosts.ts"

const decode = Schema.decodeUnknownEffect(PluginManifest, { errors: "all", onExcessProperty: "error" })

/** Nobody reads more. */
const mostFaults = 50

const manifestIn = Effect.fnUntraced(function* (text: string) {
  const reading = readJson(text)
  if (!("value" in reading)) {
    const errors = reading.faults.map(({ message, path }) => ({ pointer: pointerTo(path), message }))
    return yield* new ValidationFailed({ errors: errors.slice(0, mostFaults) })
  }
  return yield* decode(reading.value).pipe(
    Effect.mapError(
      ({ issue }) => new ValidationFailed({ errors: faultsOfIssue(issue, reading.value).slice(0, mostFaults) })
    )
  )
})

/** Reads the manifest of a plugin at an address, and offers it to all organizations, in the place of its former version. */
export const offerPlugin = useCase(
  "plugins.offer",
  { access: "operator" },
  Effect.fnUntraced(function* (url: string) {
    const { loopback, publicUrl } = yield* WebhookSettings
    const fault = faultOfUrl(url, { loopback, ownHost: hostOfUrl(publicUrl) })
    if (fault !== null) return yield* invalid("/url", fault)
    const manifest = yield* manifestIn(yield* (yield* PluginHosts).read(url))
    yield* checkManifest(manifest, "")
    yield* checkHost(manifest, "")
    const entry: CatalogueEntry = { manifest, url }
    yield* (yield* PluginCatalogue).put(entry)
    return entry
  })
)

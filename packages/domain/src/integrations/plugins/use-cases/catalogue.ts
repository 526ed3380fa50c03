import { Effect, Schema } from "effect"
import {
  toValidationIssues,
  hostOfUrl,
  invalid,
  NotFound,
  toJsonPointer,
  readJson,
  urlIssue,
  useCase,
  ValidationFailed
} from "../../../kernel/index.ts"
import { WebhookSettings } from "../../webhooks/index.ts"
import { type CatalogueEntry, PluginCatalogue, PluginHosts } from "../PluginCatalogue.ts"
import { PluginManifest } from "../PluginManifest.ts"
import { checkHost, checkManifest } from "../manifestChecks.ts"

const decode = Schema.decodeUnknownEffect(PluginManifest, { errors: "all", onExcessProperty: "error" })

/** Maximum number of reported errors. More are not useful. */
const maxIssues = 50

const parseManifest = Effect.fnUntraced(function* (text: string) {
  const reading = readJson(text)
  if (!("value" in reading)) {
    const errors = reading.faults.map(({ message, path }) => ({ pointer: toJsonPointer(path), message }))
    return yield* new ValidationFailed({ errors: errors.slice(0, maxIssues) })
  }
  return yield* decode(reading.value).pipe(
    Effect.mapError(
      ({ issue }) => new ValidationFailed({ errors: toValidationIssues(issue, reading.value).slice(0, maxIssues) })
    )
  )
})

/** Reads a plugin's manifest from a URL, and offers it to all organizations. It replaces the former version. */
export const offerPlugin = useCase(
  { name: "plugins.offer", access: "operator" },
  Effect.fnUntraced(function* ({ url }: { readonly url: string }) {
    const { loopback, publicUrl } = yield* WebhookSettings
    const fault = urlIssue(url, { loopback, ownHost: hostOfUrl(publicUrl) })
    if (fault !== null) return yield* invalid("/url", fault)
    const manifest = yield* parseManifest(yield* (yield* PluginHosts).read(url))
    yield* checkManifest(manifest, "")
    yield* checkHost(manifest, "")
    const entry: CatalogueEntry = { manifest, url }
    yield* (yield* PluginCatalogue).put(entry)
    return entry
  })
)

/** Withdraws a plugin from the catalogue. Installed plugins stay. */
export const withdrawPlugin = useCase(
  { name: "plugins.withdraw", access: "operator" },
  Effect.fnUntraced(function* ({ key }: { readonly key: string }) {
    if (!(yield* (yield* PluginCatalogue).remove(key))) return yield* new NotFound({ resource: "plugin" })
  })
)

const pageSize = 100

/** Lists the offered plugins with the URLs of their manifests. */
export const listOfferedPlugins = useCase(
  { name: "plugins.listOffered", access: "operator" },
  Effect.fnUntraced(function* () {
    const catalogue = yield* PluginCatalogue
    const all: Array<CatalogueEntry> = []
    for (;;) {
      const last = all.at(-1)
      const page = yield* catalogue.list({ limit: pageSize, after: last === undefined ? null : [last.manifest.key] })
      all.push(...page)
      if (page.length < pageSize) return all
    }
  })
)

import { PluginCatalogue } from "@parley/domain/integrations"
import { aManifest, putPlugin } from "@parley/testkit"
import { Effect } from "effect"
import { nothing, type Recipe } from "../../Recipe.ts"
import { freshText } from "../../tenants.ts"

const onPlugin =
  (body?: unknown): Recipe =>
  ({ tenant }) =>
    Effect.map(putPlugin(tenant.organization), ({ id }) => ({ id, body }))

const onUpgrade: Recipe = ({ tenant }) =>
  Effect.gen(function* () {
    const { id, manifest } = yield* putPlugin(tenant.organization)
    const entry = { manifest: { ...manifest, version: "2.0.0" }, url: "https://acme.example/plugin.json" }
    yield* (yield* PluginCatalogue).put(entry)
    return { id, body: { version: "2.0.0" } }
  })

/** A valid request for each endpoint of this area, with creation of the data that the request needs. */
export const recipes: Readonly<Record<string, Recipe>> = {
  "plugins.list": nothing,
  "plugins.install": () =>
    Effect.map(freshText("app"), (key) => ({
      body: { manifest: { ...aManifest, key }, grants: ["contacts.read"], settings: { points: 3 } }
    })),
  "plugins.get": onPlugin(),
  "plugins.update": onPlugin({ settings: { points: 5 } }),
  "plugins.uninstall": onPlugin(),
  "plugins.upgrade": onUpgrade,
  "plugins.enable": onPlugin(),
  "plugins.disable": onPlugin(),
  "plugins.rotateSecret": onPlugin({ overlapSeconds: 60 }),
  "plugins.listDeliveries": onPlugin()
}

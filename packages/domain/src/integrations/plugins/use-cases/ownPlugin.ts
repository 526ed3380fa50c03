import { Effect } from "effect"
import { CurrentActor, NotFound, PermissionDenied, useCase } from "../../../kernel/index.ts"
import { Organizations } from "../../../platform/identity/index.ts"
import { OwnPlugin } from "../Plugin.ts"
import { Plugins } from "../Plugins.ts"
import { toPluginView } from "../pluginSettings.ts"

/** Reads the installation of the plugin that calls. */
export const getOwnPlugin = useCase(
  { name: "plugins.getOwn", access: "plugin" },
  Effect.fnUntraced(function* () {
    const actor = yield* CurrentActor
    if (actor.kind !== "plugin") return yield* new PermissionDenied({ permission: "plugin" })
    const kept = yield* (yield* Plugins).find(actor.pluginId)
    if (kept === null) return yield* new NotFound({ resource: "plugin" })
    const { id, key, lastError, manifest, name, permissions, settings, status } = yield* toPluginView(kept)
    const organization = yield* (yield* Organizations).current()
    return new OwnPlugin({
      id,
      key,
      name,
      version: manifest.version,
      status,
      organization: { id: organization.id, name: organization.name },
      permissions,
      settings,
      events: manifest.events?.types ?? [],
      actions: (manifest.actions ?? []).map((action) => ({ key: action.key, path: action.path })),
      lastError
    })
  })
)

import { Effect } from "effect"
import {
  CurrentActor,
  invalid,
  NotFound,
  paged,
  type PageRequest,
  type PluginId,
  requireReach,
  requireVersion,
  transact,
  useCase
} from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import { utf8Bytes } from "../../../platform/files/index.ts"
import { pageOfDeliveries, type WebhookDeliveryRequest } from "../../webhooks/index.ts"
import { CataloguedPlugin, type Plugin, type PluginPatch, type PluginSettings } from "../Plugin.ts"
import { PluginCatalogue } from "../PluginCatalogue.ts"
import { maxPluginBytes } from "../PluginManifest.ts"
import { Plugins } from "../Plugins.ts"
import { PluginCall, type PluginCallCompletion, type PluginCallId } from "../calls/PluginCall.ts"
import { pageOfCalls, type PluginCallFilter, PluginCalls, type StoredPluginCall } from "../calls/PluginCalls.ts"
import { settleCall } from "../calls/callLifecycle.ts"
import { failedPluginResponse, outputIssue, type PluginResponse } from "../calls/pluginResponses.ts"
import { PluginCallEnded } from "../errors.ts"
import { appendEvent } from "../events.ts"
import { subscriptionOf } from "../lifecycle/LifecycleCalls.ts"
import { pluginAuditTarget } from "../lifecycle/pluginLifecycle.ts"
import { queueLifecycleCall } from "../lifecycle/pluginCredentials.ts"
import {
  mergeSettings,
  checkSettings,
  toStoredSettings,
  openSettings,
  toPluginView,
  toPluginViews
} from "../pluginSettings.ts"

export const getPlugin = useCase(
  { name: "plugins.get", access: { permission: "plugins.read" } },
  Effect.fnUntraced(function* ({ id }: { readonly id: PluginId }) {
    const kept = yield* (yield* Plugins).find(id)
    return kept === null ? yield* new NotFound({ resource: "plugin" }) : yield* toPluginView(kept)
  })
)

const listInstalled = Effect.fnUntraced(function* (page: PageRequest) {
  const plugins = yield* Plugins
  const { data, nextCursor } = yield* paged("plugins", page, plugins.list, ({ id }) => [id])
  return { data: yield* toPluginViews(data), nextCursor }
})

const listOffered = Effect.fnUntraced(function* (page: PageRequest) {
  const catalogue = yield* PluginCatalogue
  const { data, nextCursor } = yield* paged("plugin_catalogue", page, catalogue.list, ({ manifest }) => [manifest.key])
  const ours = yield* (yield* Plugins).byKeys(data.map(({ manifest }) => manifest.key))
  const shown = data.map(({ manifest }) => {
    const plugin = ours.find((each) => each.manifest.key === manifest.key)
    return new CataloguedPlugin({
      key: manifest.key,
      name: manifest.name,
      manifest,
      installedId: plugin?.id ?? null
    })
  })
  return { data: shown, nextCursor }
})

/** Lists installed plugins, newest first, or available plugins by key. */
export const listPlugins = useCase(
  { name: "plugins.list", access: { permission: "plugins.read" } },
  Effect.fnUntraced(function* ({
    view = "installed",
    page
  }: {
    readonly view?: "installed" | "catalogue"
    readonly page: PageRequest
  }) {
    const read: {
      readonly data: ReadonlyArray<Plugin | CataloguedPlugin>
      readonly nextCursor: string | null
    } = view === "installed" ? yield* listInstalled(page) : yield* listOffered(page)
    return read
  })
)

const changedSettingNames = (before: PluginSettings, after: PluginSettings): ReadonlyArray<string> =>
  Array.from(new Set([...Object.keys(before), ...Object.keys(after)])).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name])
  )

/** Changes settings of a plugin, and notifies the plugin. */
export const updatePlugin = useCase(
  {
    name: "plugins.update",
    access: { permission: "plugins.manage" },
    feature: "plugins",
    actsThrough: "plugin",
    audit: "plugin.updated",
    emits: ["plugin.updated"]
  },
  Effect.fnUntraced(function* ({
    id,
    settings: input,
    ifVersion
  }: { readonly id: PluginId; readonly ifVersion: number | null } & PluginPatch) {
    const plugins = yield* Plugins
    const before = yield* plugins.lock(id)
    yield* requireVersion(before, ifVersion)
    yield* requireReach(before.manifest.permissions)
    const values = yield* openSettings(before)
    const changed = mergeSettings(before.manifest, values, input)
    yield* checkSettings(before.manifest, changed)
    const names = changedSettingNames(values, changed)
    if (names.length === 0) return yield* toPluginView(before)
    const saved = yield* plugins.save(
      { ...before, ...(yield* toStoredSettings(id, before.manifest, changed)) },
      ifVersion
    )
    if (saved.status === "enabled" || saved.status === "installing")
      yield* queueLifecycleCall(saved, "plugin.settings_changed")
    yield* recordAudit("plugin.updated", pluginAuditTarget(id), { after: { settings: names } })
    yield* appendEvent({ type: "plugin.updated", pluginId: id, fields: names.map((name) => `settings.${name}`) })
    return yield* toPluginView(saved)
  }, transact)
)

/** Lists deliveries to a plugin, pending or from the last thirty days, latest first. */
export const listPluginDeliveries = useCase(
  { name: "plugins.listDeliveries", access: { permission: "plugins.read" } },
  Effect.fnUntraced(function* ({
    id,
    page,
    ...filter
  }: { readonly id: PluginId; readonly page: PageRequest } & WebhookDeliveryRequest) {
    if ((yield* (yield* Plugins).find(id)) === null) return yield* new NotFound({ resource: "plugin" })
    return yield* pageOfDeliveries(subscriptionOf(id), filter, page)
  })
)

/** Lists calls to actions of a plugin in the last thirty days, latest first, with their requests of the last seven days. */
export const listPluginCalls = useCase(
  { name: "plugins.listCalls", access: { permission: "plugins.read" } },
  Effect.fnUntraced(function* ({
    id,
    page,
    ...filter
  }: { readonly id: PluginId; readonly page: PageRequest } & Partial<PluginCallFilter>) {
    if ((yield* (yield* Plugins).find(id)) === null) return yield* new NotFound({ resource: "plugin" })
    return yield* pageOfCalls(id, filter, page)
  })
)

const toPluginResponse = Effect.fnUntraced(function* (call: StoredPluginCall, { error, output }: PluginCallCompletion) {
  if ((output === undefined) === (error === undefined))
    return yield* invalid("", "Expected exactly one of: output, error")
  if (error !== undefined) return failedPluginResponse("plugin_refused", error.message, error.code)
  if (output === undefined) return yield* invalid("/output", "Expected an output")
  if (utf8Bytes(JSON.stringify(output)).length > maxPluginBytes) {
    return yield* invalid("/output", "Expected an output of at most 64 KiB")
  }
  const plugin = yield* (yield* Plugins).find(call.pluginId)
  const action = plugin?.manifest.actions?.find(({ key }) => key === call.action)
  const fault = action === undefined ? null : outputIssue(action, output)
  if (fault !== null) return yield* invalid(fault.pointer, fault.message)
  return { kind: "done", output } satisfies PluginResponse
})

/** Stores the late result of an action. A plugin can complete its own calls, a member all calls. */
export const completePluginCall = useCase(
  {
    name: "plugins.completeCall",
    access: { permission: "plugins.manage", alsoPlugins: true },
    feature: "plugins",
    actsThrough: "nothing",
    audit: "plugin_call.completed"
  },
  Effect.fnUntraced(function* ({ id, ...completion }: { readonly id: PluginCallId } & PluginCallCompletion) {
    const actor = yield* CurrentActor
    const call = yield* (yield* PluginCalls).lock(id)
    if (actor.kind === "plugin" && actor.pluginId !== call.pluginId) {
      return yield* new NotFound({ resource: "plugin call" })
    }
    if (call.state !== "awaiting_completion") return yield* new PluginCallEnded({ state: call.state })
    const settled = yield* settleCall(call, yield* toPluginResponse(call, completion))
    yield* recordAudit("plugin_call.completed", { kind: "plugin_call", id }, { after: { state: settled.state } })
    return new PluginCall({ id, action: settled.action, state: settled.state, error: settled.error })
  }, transact)
)

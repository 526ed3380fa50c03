import { Page, PluginId, Timestamp, Uuid } from "@parley/domain/kernel"
import {
  CataloguedPlugin,
  NewPlugin,
  OwnPlugin,
  Plugin,
  PluginActionKey,
  PluginCall,
  PluginCallCompletion,
  PluginCallId,
  PluginCallLog,
  PluginCallState,
  PluginPatch,
  PluginWithCredentials,
  PluginUpgrade,
  RotatedPluginSecret,
  SecretRotation,
  WebhookDelivery,
  WebhookDeliveryState,
  WebhookDeliveryType
} from "@parley/domain/integrations"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { area, asksProvider, describe } from "./describe.ts"
import { Idempotent, InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf, IfMatch, PageQuery, Position, several } from "./shapes.ts"

const params = idOf(PluginId, "plugin")

const read = [Problems.PermissionDenied, Problems.NotFound] as const
const gated = [Problems.PermissionDenied, Problems.FeatureNotInPlan] as const
const changed = [...gated, Problems.NotFound, Problems.VersionConflict] as const

const time = (description: string) => Schema.optionalKey(Timestamp).annotateKey({ description })

/** Plugins: outside apps that the organization has installed. Reads are open on every plan, writes are gated by it. */
export class PluginsApi extends HttpApiGroup.make("plugins")
  .add(
    HttpApiEndpoint.get("list", "/plugins", {
      query: {
        ...PageQuery,
        view: Schema.optionalKey(Schema.Literals(["installed", "catalogue"])).annotateKey({
          description:
            "`installed`: plugins of the organization. `catalogue`: plugins that it can install by key. Default: `installed`."
        })
      },
      success: Page(Schema.Union([Plugin, CataloguedPlugin])),
      error: [Problems.PermissionDenied, Problems.CursorInvalid]
    }).annotateMerge(
      describe("listPlugins", "List plugins", "Installed plugins newest first, plugins of the catalogue by key.")
    ),
    HttpApiEndpoint.post("install", "/plugins", {
      payload: NewPlugin,
      success: PluginWithCredentials.pipe(HttpApiSchema.status(201)),
      error: [...gated, Problems.PlanLimitReached, Problems.PluginExists]
    })
      .annotateMerge(
        describe(
          "installPlugin",
          "Install a plugin",
          "By its `key` in the catalogue, or by its `manifest`. `grants` must equal the permissions that it requests, and you must have each of them. A plugin with a `lifecycle` is `installing` until it confirms; a plugin without one gets its `token` and `secret` in this answer only."
        )
      )
      .annotateMerge(asksProvider)
      .middleware(Idempotent),
    HttpApiEndpoint.get("me", "/plugins/me", { success: OwnPlugin, error: read }).annotateMerge(
      describe(
        "getOwnPlugin",
        "Get the installation of the calling plugin",
        "Needs the token of the plugin. Values of secret settings are not in the answer."
      )
    ),
    HttpApiEndpoint.get("get", "/plugins/:id", { params, success: Plugin, error: read }).annotateMerge(
      describe("getPlugin", "Get a plugin", "Values of secret settings are not in the answer.")
    ),
    HttpApiEndpoint.patch("update", "/plugins/:id", {
      params,
      headers: IfMatch,
      payload: PluginPatch,
      success: Plugin,
      error: changed
    }).annotateMerge(describe("updatePlugin", "Update the settings of a plugin", "The plugin is notified.")),
    HttpApiEndpoint.delete("uninstall", "/plugins/:id", {
      params,
      headers: IfMatch,
      query: {
        force: Schema.optionalKey(Schema.Literals(["true", "false"])).annotateKey({
          description: "`true` uninstalls the plugin even if it is in use."
        })
      },
      success: HttpApiSchema.NoContent,
      error: [...changed, Problems.PluginInUse]
    }).annotateMerge(
      describe(
        "uninstallPlugin",
        "Uninstall a plugin",
        "Its tokens and secrets are deleted, on every node within one second."
      )
    ),
    HttpApiEndpoint.post("upgrade", "/plugins/:id/upgrade", {
      params,
      headers: IfMatch,
      payload: PluginUpgrade,
      success: PluginWithCredentials,
      error: [...changed, Problems.PluginVersionUnavailable]
    })
      .annotateMerge(
        describe(
          "upgradePlugin",
          "Upgrade a plugin",
          "To the version of the catalogue; `update` contains the differences. A plugin outside the catalogue takes a `manifest` instead. A version with more permissions or another host needs `grants`: all permissions that it requests. Another host gets a new secret and a new token, and the previous ones end. A plugin without a `lifecycle` gets them in this answer only."
        )
      )
      .annotateMerge(asksProvider)
      .middleware(Idempotent),
    HttpApiEndpoint.post("enable", "/plugins/:id/enable", {
      params,
      headers: IfMatch,
      success: PluginWithCredentials,
      error: changed
    })
      .annotateMerge(
        describe(
          "enablePlugin",
          "Enable a plugin",
          "The plugin gets a new token, and events from the next event on. A plugin whose installation failed is installed again."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.post("disable", "/plugins/:id/disable", {
      params,
      headers: IfMatch,
      success: Plugin,
      error: changed
    })
      .annotateMerge(
        describe(
          "disablePlugin",
          "Disable a plugin",
          "Its tokens end and deliveries stop, on every node within one second."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.post("rotateSecret", "/plugins/:id/rotate_secret", {
      params,
      payload: [SecretRotation, Schema.Null],
      success: RotatedPluginSecret,
      error: [...gated, Problems.NotFound]
    })
      .annotateMerge(
        describe(
          "rotatePluginSecret",
          "Rotate the secret and token of a plugin",
          "The plugin receives both; a plugin without a `lifecycle` gets them in this answer only. The previous ones are valid until `previousSecretExpiresAt`."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.get("listDeliveries", "/plugins/:id/deliveries", {
      params,
      query: {
        ...PageQuery,
        state: Schema.optionalKey(several(WebhookDeliveryState, "states")).annotateKey({
          description: "Only deliveries in this state; can be repeated."
        }),
        position: Schema.optionalKey(Position).annotateKey({
          description: "Only the delivery of the event at this position of the event feed."
        }),
        type: Schema.optionalKey(WebhookDeliveryType).annotateKey({
          description: "Only deliveries of events of this type."
        }),
        from: time("Only deliveries created at this time or later."),
        to: time("Only deliveries created before this time.")
      },
      success: Page(WebhookDelivery),
      error: [...read, Problems.CursorInvalid]
    }).annotateMerge(
      describe(
        "listPluginDeliveries",
        "List the deliveries to a plugin",
        "Newest first. Deliveries are stored for 30 days."
      )
    ),
    HttpApiEndpoint.get("listCalls", "/plugins/:id/calls", {
      params,
      query: {
        ...PageQuery,
        state: Schema.optionalKey(several(PluginCallState, "states")).annotateKey({
          description: "Only calls in this state; can be repeated."
        }),
        action: Schema.optionalKey(PluginActionKey).annotateKey({
          description: "Only calls of the action with this key."
        }),
        runId: Schema.optionalKey(Uuid).annotateKey({
          description: "Only calls of the automation run or workflow run with this id."
        }),
        from: time("Only calls created at this time or later."),
        to: time("Only calls created before this time.")
      },
      success: Page(PluginCallLog),
      error: [...read, Problems.CursorInvalid]
    }).annotateMerge(
      describe(
        "listPluginCalls",
        "List the calls to actions of a plugin",
        "Newest first, with their requests and answers. Calls are stored for 30 days, requests and answers for 7 days."
      )
    )
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(
    area("Plugins", "Third-party apps that the organization has installed. A feature of the plan scale.")
  ) {}

/** Plugin calls, which plugins can complete later. */
export class PluginCallsApi extends HttpApiGroup.make("pluginCalls")
  .add(
    HttpApiEndpoint.post("complete", "/plugin_calls/:id/complete", {
      params: idOf(PluginCallId, "plugin call"),
      payload: PluginCallCompletion,
      success: PluginCall,
      error: [Problems.PermissionDenied, Problems.FeatureNotInPlan, Problems.NotFound, Problems.PluginCallEnded]
    })
      .annotateMerge(
        describe(
          "completePluginCall",
          "Complete a plugin call",
          "For an action that the plugin answered with 202: its `output`, or its `error`. A plugin completes its own calls with its token, within 24 hours. Callers who manage plugins can complete any call."
        )
      )
      .middleware(Idempotent)
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Plugin calls", "Action calls that plugins answer later.")) {}

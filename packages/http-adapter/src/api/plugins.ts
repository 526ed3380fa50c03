import {
  CataloguedPlugin,
  NewPlugin,
  Page,
  Plugin,
  PluginCall,
  PluginCallCompletion,
  PluginCallId,
  PluginId,
  PluginPatch,
  PluginWithCredentials,
  PluginUpgrade,
  RotatedPluginSecret,
  SecretRotation,
  Timestamp,
  WebhookDelivery,
  WebhookDeliveryState,
  WebhookDeliveryType
} from "@parley/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { area, asksProvider, describe } from "./describe.ts"
import { Idempotent, InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf, IfMatch, PageQuery } from "./shapes.ts"

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
            "`installed`, if not said: what the organization has. `catalogue`: what it can install by its key."
        })
      },
      success: Page(Schema.Union([Plugin, CataloguedPlugin])),
      error: [Problems.PermissionDenied, Problems.CursorInvalid]
    }).annotateMerge(
      describe("listPlugins", "List plugins", "The installed ones newest first, those of the catalogue by their keys.")
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
          "By its `key` in the catalogue, or by its `manifest`. `grants` are exactly what it asks for, and you hold each of them. A plugin with a `lifecycle` is `installing` until it has answered to it; only one without gets its `token` and `secret` by this answer."
        )
      )
      .annotateMerge(asksProvider)
      .middleware(Idempotent),
    HttpApiEndpoint.get("get", "/plugins/:id", { params, success: Plugin, error: read }).annotateMerge(
      describe("getPlugin", "Read a plugin", "Of its secret settings, it says only that they are set.")
    ),
    HttpApiEndpoint.patch("update", "/plugins/:id", {
      params,
      headers: IfMatch,
      payload: PluginPatch,
      success: Plugin,
      error: changed
    }).annotateMerge(describe("updatePlugin", "Change settings of a plugin", "The plugin is told.")),
    HttpApiEndpoint.delete("uninstall", "/plugins/:id", {
      params,
      headers: IfMatch,
      query: {
        force: Schema.optionalKey(Schema.Literals(["true", "false"])).annotateKey({
          description: "`true` uninstalls it also where something uses it."
        })
      },
      success: HttpApiSchema.NoContent,
      error: [...changed, Problems.PluginInUse]
    }).annotateMerge(
      describe(
        "uninstallPlugin",
        "Uninstall a plugin",
        "Its tokens and secrets are destroyed, on every node within a second."
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
          "To the version of the catalogue, which `update` compares with the installed one. One that asks for more or is on another host needs `grants`: all that it asks for. Another host gets another secret and token, and those of before end; a plugin without a `lifecycle` gets them by this answer only."
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
          "Have a plugin work again",
          "With a new token, from the next event on. One that has failed to be installed is installed once more."
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
          "Have a plugin do nothing",
          "Its tokens end and nothing is delivered to it any more, on every node within a second."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.post("rotateSecret", "/plugins/:id/rotate_secret", {
      params,
      payload: SecretRotation,
      success: RotatedPluginSecret,
      error: [...gated, Problems.NotFound]
    })
      .annotateMerge(
        describe(
          "rotatePluginSecret",
          "Make a new secret and a new token",
          "The plugin is told both; one without a `lifecycle` gets them by this answer only. The former ones are good until `previousSecretExpiresAt`."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.get("listDeliveries", "/plugins/:id/deliveries", {
      params,
      query: {
        ...PageQuery,
        state: Schema.optionalKey(WebhookDeliveryState).annotateKey({ description: "Only deliveries in this state." }),
        type: Schema.optionalKey(WebhookDeliveryType).annotateKey({
          description: "Only deliveries of events of this type."
        }),
        from: time("Only deliveries made at this time or later."),
        to: time("Only deliveries made before this time.")
      },
      success: Page(WebhookDelivery),
      error: [...read, Problems.CursorInvalid]
    }).annotateMerge(
      describe("listPluginDeliveries", "List deliveries to a plugin", "The latest first. They are kept for 30 days.")
    )
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Plugins", "Outside apps that the organization has installed. A feature of the plan scale.")) {}

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
          "Say what came of an action",
          "For an action that the plugin has answered with 202: its `output`, or its `error`. A plugin does it with its token for its own calls, within 24 hours; who manages plugins can do it for any."
        )
      )
      .middleware(Idempotent)
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Plugin calls", "What plugins are asked to do, where they answer later.")) {}

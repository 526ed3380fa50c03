import { Schema } from "effect"
import { describeDependents, PluginId, Dependent } from "../../kernel/index.ts"
import { PluginCallState } from "./calls/PluginCall.ts"

export class PluginExists extends Schema.TaggedError<PluginExists>()("PluginExists", { pluginId: PluginId }) {
  override get message() {
    return "The plugin is already installed. Upgrade it, or change its settings."
  }
}

/** An automation or a workflow calls the plugin, and would fail without it. */
export class PluginInUse extends Schema.TaggedError<PluginInUse>()("PluginInUse", {
  usedBy: Schema.Array(Dependent)
}) {
  override get message() {
    return `The plugin is used by: ${describeDependents(this.usedBy)}. Change them first, or uninstall it by force.`
  }
}

/** The catalogue has no such version that is newer than the installed one. */
export class PluginVersionUnavailable extends Schema.TaggedError<PluginVersionUnavailable>()(
  "PluginVersionUnavailable",
  { available: Schema.NullOr(Schema.String) }
) {
  override get message() {
    return this.available === null
      ? "There is no newer version of the plugin in the catalogue."
      : `The catalogue does not have this version of the plugin. It has ${this.available}.`
  }
}

export class PluginCallRefused extends Schema.TaggedError<PluginCallRefused>()("PluginCallRefused", {
  reason: Schema.Literals(["plugin_disabled", "plugin_action_unknown"])
}) {
  override get message() {
    return this.reason === "plugin_disabled" ? "The plugin is disabled." : "The plugin does not have this action."
  }
}

/** The call does not wait for an answer of the plugin: not yet, or not any more. */
export class PluginCallEnded extends Schema.TaggedError<PluginCallEnded>()("PluginCallEnded", {
  state: PluginCallState
}) {
  override get message() {
    return this.state === "pending" ? "The plugin has not answered the request yet." : "The call has already ended."
  }
}

export class PluginUnreadable extends Schema.TaggedError<PluginUnreadable>()("PluginUnreadable", {
  reason: Schema.String
}) {
  override get message() {
    return `The manifest could not be read: ${this.reason}.`
  }
}

import { AutomationSettings } from "@parley/domain"
import { Effect } from "effect"
import { Command } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { printCard, type View } from "../console/print.ts"
import { inTenant } from "../tenant/inTenant.ts"

const view: Pick<View<AutomationSettings>, "columns" | "schema"> = {
  schema: AutomationSettings,
  columns: [
    { heading: "PAUSED", of: ({ paused }) => (paused ? "yes" : "no") },
    { heading: "VERSION", of: ({ version }) => String(version) }
  ]
}

const flags = { org: Flags.org, json: Flags.json }

/** Shows what holds for all automations and workflows. */
export const settingsCommand = Command.make(
  "settings",
  flags,
  Effect.fn(function* ({ json, org }) {
    yield* inTenant(org, ({ automations }) =>
      Effect.flatMap(automations.settings(), (settings) => printCard(view, json, settings))
    )
  })
).pipe(Command.withDescription("Show whether automations and workflows are paused"))

/** Pauses all automations and workflows. */
export const pauseCommand = Command.make(
  "pause",
  flags,
  Effect.fn(function* ({ json, org }) {
    yield* inTenant(org, ({ automations }) =>
      Effect.flatMap(automations.updateSettings({ headers: {}, payload: { paused: true } }), (settings) =>
        printCard(view, json, settings)
      )
    )
  })
).pipe(Command.withDescription("Pause all automations and workflows: within a second no action starts"))

/** Lets all automations and workflows go on. */
export const resumeCommand = Command.make(
  "resume",
  flags,
  Effect.fn(function* ({ json, org }) {
    yield* inTenant(org, ({ automations }) =>
      Effect.flatMap(automations.updateSettings({ headers: {}, payload: { paused: false } }), (settings) =>
        printCard(view, json, settings)
      )
    )
  })
).pipe(Command.withDescription("Let automations and workflows go on where they were"))

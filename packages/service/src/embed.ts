import * as NodeServices from "@effect/platform-node/NodeServices"
import { layerWorkers, type Ports } from "@parley/domain"
import { Effect, Layer, Option, Record } from "effect"
import type { NoDatabase } from "./database.ts"
import type { WrongUsage } from "./Failure.ts"
import { layerPorts } from "./ports.ts"
import { type GivenFlags, readSettings, type SettingName } from "./settings.ts"

/** Settings as they are written in variables: what is not given here comes from there. */
export type EmbeddedSettings = { readonly [Name in SettingName]?: string }

const asGiven = (given: Readonly<Record<string, string | undefined>>): GivenFlags =>
  Record.map(given, Option.fromUndefinedOr)

/** How Parley is embedded. */
export interface EmbedOptions {
  /** Whether this process does what is to be done in the background; it does if not said. */
  readonly works?: boolean
  /** Whether the database is brought up to date first; it is if not said. */
  readonly migrates?: boolean
}

/** Everything that use cases need, on PostgreSQL and the real providers, for a service of your own. */
export const embed = (
  given: EmbeddedSettings = {},
  { migrates = true, works = true }: EmbedOptions = {}
): Layer.Layer<Ports, NoDatabase | WrongUsage> =>
  Layer.unwrap(
    Effect.map(readSettings(asGiven(given)), (settings) =>
      Layer.provideMerge(works ? layerWorkers() : Layer.empty, layerPorts(settings, { migrates }))
    )
  ).pipe(Layer.provide(NodeServices.layer))

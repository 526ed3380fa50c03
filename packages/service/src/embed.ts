import * as NodeServices from "@effect/platform-node/NodeServices"
import type { Ports } from "@parley/domain"
import { Effect, Layer, Option, Record } from "effect"
import type { NoDatabase } from "./database.ts"
import type { WrongUsage } from "./Failure.ts"
import { layerPorts } from "./ports.ts"
import { type GivenFlags, readSettings, type SettingName } from "./settings.ts"

/** Settings as they are written in variables: what is not given here comes from there. */
export type EmbeddedSettings = { readonly [Name in SettingName]?: string }

const asGiven = (given: Readonly<Record<string, string | undefined>>): GivenFlags =>
  Record.map(given, Option.fromUndefinedOr)

/**
 * Ports of all use cases, as configured, for use in another service. Creates the embedded database by default, and migrates the database first unless
 * `migrates` is false.
 */
export const embed = (
  given: EmbeddedSettings = {},
  { migrates = true }: { readonly migrates?: boolean } = {}
): Layer.Layer<Ports, NoDatabase | WrongUsage> =>
  Layer.unwrap(
    Effect.map(readSettings(asGiven(given)), (settings) => layerPorts(settings, { creates: true, migrates }))
  ).pipe(Layer.provide(NodeServices.layer))

import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { p1 } from "./p1/p1.ts"
import { profile } from "./profile/profile.ts"

Command.make("bench").pipe(
  Command.withDescription("Measures the service: one command per bar"),
  Command.withSubcommands([p1, profile]),
  Command.run({ version: "0.1.0" }),
  Effect.provide([NodeServices.layer, NodeHttpClient.layerUndici]),
  NodeRuntime.runMain
)

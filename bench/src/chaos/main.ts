import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { automations } from "./automations/automations.ts"
import { broadcasts } from "./broadcasts/broadcasts.ts"
import { failover } from "./failover/failover.ts"
import { fuzz } from "./fuzz/fuzz.ts"
import { leases } from "./leases/leases.ts"
import { outage } from "./outage/outage.ts"
import { sends } from "./sends/sends.ts"
import { stores } from "./stores/stores.ts"
import { subscriptions } from "./subscriptions/subscriptions.ts"
import { webhooks } from "./webhooks/webhooks.ts"
import { workflows } from "./workflows/workflows.ts"

Command.make("chaos").pipe(
  Command.withDescription(
    "Breaks what can break round the service, and looks whether everything comes right in the end"
  ),
  Command.withSubcommands([
    webhooks,
    subscriptions,
    automations,
    workflows,
    sends,
    broadcasts,
    stores,
    leases,
    outage,
    failover,
    fuzz
  ]),
  Command.run({ version: "0.1.0" }),
  Effect.provide([NodeServices.layer, NodeHttpClient.layerUndici]),
  NodeRuntime.runMain
)

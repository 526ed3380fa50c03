import { transact } from "@parley/domain/kernel"
import type { ContactId } from "@parley/domain/crm"
import { runDueLanes } from "@parley/domain/platform"
import { pluginCallLaneWorker, startPluginCall } from "@parley/domain/integrations"
import { aManifest, asOperatorOf, givenOrganization, MemoryReceivers, putPlugin, ReceiverScript } from "@parley/testkit"
import { Effect, type Schema } from "effect"

const { accepted, refused } = MemoryReceivers

export const ask = runDueLanes(pluginCallLaneWorker)

export const started = Effect.gen(function* () {
  const organization = yield* givenOrganization({ plan: "scale" })
  const baseUrl = `https://p${organization.id}.example`
  const plugin = yield* putPlugin(organization, {
    manifest: { ...aManifest, baseUrl },
    settings: { points: 7 },
    secretNames: ["apiKey"]
  })
  return { organization, plugin, url: `${baseUrl}/actions/add_points` }
})

export type Started = Effect.Success<typeof started>

export const answers = (url: string, answer: MemoryReceivers.ScriptedAnswer) =>
  Effect.map(ReceiverScript, (script) => script.answer(url, () => Effect.succeed(answer)))

export const saying = (status: number, input: Schema.Json): MemoryReceivers.ScriptedAnswer => ({
  ...(status < 300 ? accepted : refused),
  status,
  text: JSON.stringify(input)
})

export const begun = (
  { organization, plugin }: Started,
  caller: "automation" | "workflow" = "workflow",
  overrides: {
    readonly input?: Schema.Json
    readonly action?: string
    readonly key?: string
    readonly contactId?: ContactId
  } = {}
) =>
  startPluginCall({
    pluginId: plugin.id,
    action: "add_points",
    input: { points: 3 },
    caller,
    runId: "run",
    key: "run:step:1",
    contactId: null,
    conversationId: null,
    ...overrides
  }).pipe(transact, asOperatorOf(organization))

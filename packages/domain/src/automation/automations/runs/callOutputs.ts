import { Effect, Schema } from "effect"
import { PluginCallId, PluginCalls } from "../../../integrations/plugins/index.ts"
import type { ActionEffect } from "../actions/ActionResult.ts"
import { HttpCallId, HttpCalls } from "../requests/HttpCall.ts"

const isPluginCallId = Schema.is(PluginCallId)
const isHttpCallId = Schema.is(HttpCallId)

const idsOf = (effects: ReadonlyArray<ActionEffect | null>, kind: ActionEffect["kind"]) =>
  effects.flatMap((effect) => (effect?.kind === kind ? [effect.id] : []))

/** Loads the answers of these calls, by id. Calls without an answer are absent. */
export const loadCallOutputs = Effect.fnUntraced(function* (effects: ReadonlyArray<ActionEffect | null>) {
  const outputs = new Map<string, Schema.Json>()
  const httpIds = idsOf(effects, "http_call").filter(isHttpCallId)
  if (httpIds.length > 0) {
    for (const { id, output } of yield* (yield* HttpCalls).find(httpIds)) if (output !== null) outputs.set(id, output)
  }
  for (const id of idsOf(effects, "plugin_call").filter(isPluginCallId)) {
    const output = (yield* (yield* PluginCalls).find(id))?.output ?? null
    if (output !== null) outputs.set(id, output)
  }
  const found: ReadonlyMap<string, Schema.Json> = outputs
  return found
})

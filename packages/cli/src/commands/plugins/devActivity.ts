import type { PluginCallLog, WebhookDelivery } from "@parley/domain/integrations"
import type { PluginId } from "@parley/domain/kernel"
import { Console, DateTime, Duration, Effect, Stream } from "effect"
import type { Followed, Tenant } from "../../tenant/Tenant.ts"
import { attemptResult } from "./plugin.ts"

const isAbout = (id: PluginId, { actor, event }: Followed): boolean =>
  (actor.kind === "plugin" && actor.id === id) || ("pluginId" in event && event.pluginId === id)

const callLine = ({ actor, at, event, position }: Followed, id: PluginId) => {
  const { type, ...data } = event
  const from = actor.kind === "plugin" && actor.id === id ? "call " : "state"
  return `${DateTime.formatIso(at)}  ${from}  ${position}  ${type}  ${JSON.stringify(data)}`
}

/** Prints the events that calls of the plugin cause, and the changes of its installation. */
const followCalls = ({ events }: Tenant, id: PluginId) =>
  events.follow({}).pipe(
    Stream.filter((row) => isAbout(id, row)),
    Stream.runForEach((row) => Console.log(callLine(row, id)))
  )

/** Deliveries and calls have no stream, so they are read at this interval. */
const readInterval = Duration.seconds(1)

const maxRead = 50

const keyOf = ({ attempts, state }: WebhookDelivery) => `${state} ${attempts}`

const deliveryLine = (at: DateTime.Utc, { attempts, id, position, state, type }: WebhookDelivery) =>
  `${DateTime.formatIso(at)}  event  ${position ?? ""}  ${type}  ${state}, ${attempts} attempts  ${id}`

/** Prints each change of a delivery to the plugin. Earlier deliveries are not printed. */
const followDeliveries = Effect.fnUntraced(function* ({ plugins }: Tenant, id: PluginId, since: DateTime.Utc) {
  const seen = new Map<string, string>()
  const read = Effect.gen(function* () {
    const { data } = yield* plugins.listDeliveries({ params: { id }, query: { from: since, limit: maxRead } })
    const at = yield* DateTime.now
    for (const delivery of data.toReversed()) {
      const key = keyOf(delivery)
      if (seen.get(delivery.id) !== key && delivery.attempts > 0) yield* Console.log(deliveryLine(at, delivery))
      seen.set(delivery.id, key)
    }
  })
  return yield* Effect.andThen(read, Effect.sleep(readInterval)).pipe(Effect.forever)
})

const requestLines = ({ action, caller, error, id, log, runId, state }: PluginCallLog, printed: number) =>
  log
    .filter(({ number }) => number > printed)
    .toReversed()
    .map((attempt) => {
      const refusal = error === null ? "" : `  ${error.code}: ${error.message}`
      const result = `${attemptResult(attempt)}, attempt ${attempt.number}, ${state}`
      return `${DateTime.formatIso(attempt.at)}  action ${action}  ${result}  ${caller} run ${runId}  ${id}${refusal}`
    })

/** Prints each request to an action of the plugin. Earlier calls are not printed. */
const followRequests = Effect.fnUntraced(function* ({ plugins }: Tenant, id: PluginId, since: DateTime.Utc) {
  const printed = new Map<string, number>()
  const read = Effect.gen(function* () {
    const { data } = yield* plugins.listCalls({ params: { id }, query: { from: since, limit: maxRead } })
    for (const call of data.toReversed()) {
      for (const line of requestLines(call, printed.get(call.id) ?? 0)) yield* Console.log(line)
      printed.set(call.id, call.log[0]?.number ?? 0)
    }
  })
  return yield* Effect.andThen(read, Effect.sleep(readInterval)).pipe(Effect.forever)
})

/** Prints the activity of a plugin until the interruption. */
export const followActivity = Effect.fnUntraced(function* (tenant: Tenant, id: PluginId) {
  const since = yield* DateTime.now
  yield* Effect.all([followCalls(tenant, id), followDeliveries(tenant, id, since), followRequests(tenant, id, since)], {
    concurrency: "unbounded",
    discard: true
  })
})

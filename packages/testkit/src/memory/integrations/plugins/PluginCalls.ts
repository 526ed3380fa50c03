import { NotFound } from "@parley/domain/kernel"
import { type PluginCallFilter, PluginCallLog, type StoredPluginCall, PluginCalls } from "@parley/domain/integrations"
import { DateTime, Effect, HashMap, Layer, Order } from "effect"
import { newestFirst } from "../../store/slice.ts"
import { rowAt } from "../../store/State.ts"
import { refuse, Store } from "../../store/Store.ts"

type Due = StoredPluginCall & { readonly dueAt: DateTime.Utc }

const isDue = (call: StoredPluginCall): call is Due => call.dueAt !== null

const byDue: Order.Order<Due> = Order.combine(
  Order.mapInput(DateTime.Order, ({ dueAt }) => dueAt),
  Order.mapInput(Order.String, ({ id }) => id)
)

const dueOf = (
  calls: HashMap.HashMap<StoredPluginCall["id"], StoredPluginCall>,
  pluginId: string
): ReadonlyArray<Due> =>
  Array.from(HashMap.values(calls))
    .filter((call) => call.pluginId === pluginId)
    .filter(isDue)
    .toSorted(byDue)

const blanked = (call: StoredPluginCall): StoredPluginCall => ({
  ...call,
  contactId: null,
  conversationId: null,
  input: null,
  output: null,
  error: call.error === null ? null : { code: call.error.code, pluginCode: null, message: "" },
  state: call.dueAt === null ? call.state : "failed",
  dueAt: null,
  log: []
})

const isMeant = (call: StoredPluginCall, { action, from, runId, state, to }: PluginCallFilter) =>
  (state === null || state.includes(call.state)) &&
  (action ?? call.action) === call.action &&
  (runId ?? call.runId) === call.runId &&
  (from === null || !DateTime.isLessThan(call.at, from)) &&
  (to === null || DateTime.isLessThan(call.at, to))

const isLoggedBefore = ({ log }: StoredPluginCall, before: DateTime.Utc) => {
  const last = log.at(-1)
  return last !== undefined && DateTime.isLessThan(last.at, before)
}

export const layer = Layer.effect(
  PluginCalls,
  Effect.map(Store, (store) =>
    PluginCalls.of({
      find: (id) => store.readTenant(({ pluginCalls }) => rowAt(pluginCalls, id)),
      lock: (id) =>
        store.writeTenant(({ pluginCalls }) => {
          const call = rowAt(pluginCalls, id)
          return call === null ? refuse(new NotFound({ resource: "plugin call" })) : [call, {}]
        }),
      add: (call) =>
        store.writeTenant(({ pluginCalls }) =>
          HashMap.has(pluginCalls, call.id)
            ? [false, {}]
            : [true, { pluginCalls: HashMap.set(pluginCalls, call.id, call) }]
        ),
      save: ({ dueAt, error, id, log, output, state, tries }) =>
        store.writeTenant(({ pluginCalls }) => [
          undefined,
          {
            pluginCalls: HashMap.modify(pluginCalls, id, (call) => ({
              ...call,
              dueAt,
              error,
              log,
              output,
              state,
              tries
            }))
          }
        ]),
      due: (pluginId, now, limit) =>
        store.readTenant(({ pluginCalls }) =>
          dueOf(pluginCalls, pluginId)
            .filter(({ dueAt }) => DateTime.isLessThanOrEqualTo(dueAt, now))
            .slice(0, limit)
        ),
      nextDue: (pluginId) => store.readTenant(({ pluginCalls }) => dueOf(pluginCalls, pluginId)[0]?.dueAt ?? null),
      list: (pluginId, filter, slice) =>
        store.readTenant(({ pluginCalls }) => {
          const calls = Array.from(HashMap.values(pluginCalls)).filter((call) => call.pluginId === pluginId)
          return newestFirst(
            calls.filter((call) => isMeant(call, filter)),
            slice
          ).map((call) => new PluginCallLog({ ...call, log: call.log.toReversed() }))
        }),
      sweepLogs: (before, limit) =>
        store.writeTenant(({ pluginCalls }) => {
          const old = Array.from(HashMap.values(pluginCalls))
            .filter((call) => isLoggedBefore(call, before))
            .slice(0, limit)
          return [
            old.length,
            { pluginCalls: old.reduce((all, call) => HashMap.set(all, call.id, { ...call, log: [] }), pluginCalls) }
          ]
        }),
      sweep: (before, limit) =>
        store.writeTenant(({ pluginCalls }) => {
          const old = Array.from(HashMap.values(pluginCalls))
            .filter(({ at, dueAt }) => dueAt === null && DateTime.isLessThan(at, before))
            .slice(0, limit)
          return [
            old.length,
            {
              pluginCalls: HashMap.removeMany(
                pluginCalls,
                old.map(({ id }) => id)
              )
            }
          ]
        }),
      blank: (contactIds) =>
        store.writeTenant(({ pluginCalls }) => [
          undefined,
          {
            pluginCalls: HashMap.map(pluginCalls, (call) =>
              call.contactId !== null && contactIds.includes(call.contactId) ? blanked(call) : call
            )
          }
        ])
    })
  )
)

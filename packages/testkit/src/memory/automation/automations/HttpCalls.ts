import { type HttpCallId, HttpCalls, type StoredHttpCall } from "@parley/domain/automation"
import { NotFound } from "@parley/domain/kernel"
import { DateTime, Effect, HashMap, Layer, Order } from "effect"
import { rowAt } from "../../store/State.ts"
import { refuse, Store } from "../../store/Store.ts"

type Due = StoredHttpCall & { readonly dueAt: DateTime.Utc }

const isDue = (call: StoredHttpCall): call is Due => call.dueAt !== null

const byDue: Order.Order<Due> = Order.combine(
  Order.mapInput(DateTime.Order, ({ dueAt }) => dueAt),
  Order.mapInput(Order.String, ({ id }) => id)
)

const dueOf = (calls: HashMap.HashMap<HttpCallId, StoredHttpCall>, origin: string): ReadonlyArray<Due> =>
  Array.from(HashMap.values(calls))
    .filter((call) => call.origin === origin)
    .filter(isDue)
    .toSorted(byDue)

const blanked = (call: StoredHttpCall): StoredHttpCall => ({
  ...call,
  contactId: null,
  request: null,
  output: null,
  state: call.dueAt === null ? call.state : "failed",
  dueAt: null
})

export const layer = Layer.effect(
  HttpCalls,
  Effect.map(Store, (store) =>
    HttpCalls.of({
      find: (ids) => store.readTenant(({ httpCalls }) => ids.flatMap((id) => rowAt(httpCalls, id) ?? [])),
      lock: (id) =>
        store.writeTenant(({ httpCalls }) => {
          const call = rowAt(httpCalls, id)
          return call === null ? refuse(new NotFound({ resource: "http call" })) : [call, {}]
        }),
      add: (call) =>
        store.writeTenant(({ httpCalls }) =>
          HashMap.has(httpCalls, call.id) ? [false, {}] : [true, { httpCalls: HashMap.set(httpCalls, call.id, call) }]
        ),
      save: ({ dueAt, error, id, output, state, tries }) =>
        store.writeTenant(({ httpCalls }) => [
          undefined,
          { httpCalls: HashMap.modify(httpCalls, id, (call) => ({ ...call, dueAt, error, output, state, tries })) }
        ]),
      due: (origin, now, limit) =>
        store.readTenant(({ httpCalls }) =>
          dueOf(httpCalls, origin)
            .filter(({ dueAt }) => DateTime.isLessThanOrEqualTo(dueAt, now))
            .slice(0, limit)
        ),
      nextDue: (origin) => store.readTenant(({ httpCalls }) => dueOf(httpCalls, origin)[0]?.dueAt ?? null),
      sweep: (before, limit) =>
        store.writeTenant(({ httpCalls }) => {
          const old = Array.from(HashMap.values(httpCalls))
            .filter(({ at, dueAt }) => dueAt === null && DateTime.isLessThan(at, before))
            .slice(0, limit)
          return [
            old.length,
            {
              httpCalls: HashMap.removeMany(
                httpCalls,
                old.map(({ id }) => id)
              )
            }
          ]
        }),
      blank: (contactIds) =>
        store.writeTenant(({ httpCalls }) => [
          undefined,
          {
            httpCalls: HashMap.map(httpCalls, (call) =>
              call.contactId !== null && contactIds.includes(call.contactId) ? blanked(call) : call
            )
          }
        ])
    })
  )
)

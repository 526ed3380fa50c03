import { assert } from "@effect/vitest"
import { PluginId, type Slice, transact } from "@parley/domain/kernel"
import {
  allAutomations,
  Automation,
  automationCursorKey,
  AutomationId,
  type AutomationQuery,
  Automations,
  definitionOf,
  emptyDefinition,
  ScheduleId
} from "@parley/domain/automation"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { freshId, givenOrganization, inside, plain } from "../../given.ts"
import { promiseVersionedRows } from "../../versionedRows.ts"

const newAutomation = (fields: Partial<Automation> = {}) =>
  new Automation({
    id: freshId(AutomationId),
    name: "Welcome “new” people \\ 100 % _ 🎉",
    enabled: false,
    disabledReason: null,
    position: 1,
    ...emptyDefinition,
    createdAt: DateTime.makeUnsafe("2026-01-02T03:04:05.678Z"),
    updatedAt: DateTime.makeUnsafe("2026-01-02T03:04:05.679Z"),
    version: 1,
    ...fields
  })

const refund = {
  when: { event: "order.refunded" },
  if: {
    all: [
      { field: "order.total", op: "gte", value: { amountMinor: 5000, currency: "EUR" } },
      { not: { field: "message.text", op: "contains", value: "“\\ 100 %” 🎉" } }
    ]
  },
  then: [
    { type: "set_priority", priority: "high", onError: "stop" },
    { type: "add_note", text: "{{ order.name }}\nrefunded" }
  ]
} as const

const insert = Effect.fnUntraced(function* (automation: Automation) {
  yield* transact((yield* Automations).insert(automation))
  return automation
})

const idsOf = (rows: ReadonlyArray<Pick<Automation, "id">>) => rows.map(({ id }) => id)

export const automations: StorageContract = {
  port: "Automations",
  promises: (it) => {
    promiseVersionedRows(it, {
      port: Effect.map(Automations, (port) => ({
        ...port,
        list: (slice: Slice) => port.list(allAutomations, slice)
      })),
      kind: AutomationId,
      make: () => newAutomation(),
      changed: (row) =>
        new Automation({
          ...row,
          name: "Farewell",
          enabled: true,
          disabledReason: "failing",
          ...refund,
          updatedAt: DateTime.makeUnsafe("2026-02-03T04:05:06.007Z")
        }),
      plain: plain.automation
    })

    it.effect("keep what each version says, until it is removed", () =>
      Effect.gen(function* () {
        const port = yield* Automations
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        yield* Effect.gen(function* () {
          const first = yield* insert(newAutomation(refund))
          const second = yield* transact(port.save(new Automation({ ...first, ...emptyDefinition }), 1))
          assert.deepStrictEqual(yield* port.definition(first.id, 1), definitionOf(first))
          assert.deepStrictEqual(yield* port.definition(first.id, 2), definitionOf(second))
          yield* transact(port.save(new Automation({ ...second, name: "Another name" }), null))
          assert.deepStrictEqual(yield* port.definition(first.id, 3), definitionOf(second))
          assert.isNull(yield* port.definition(first.id, 0))
          assert.isNull(yield* port.definition(first.id, 1).pipe(inside(other)))
          yield* transact(port.remove(first.id, null))
          assert.isNull(yield* port.definition(first.id, 1))
        }).pipe(inside(one))
      })
    )

    it.effect("find the enabled ones on an event in the order of their places", () =>
      Effect.gen(function* () {
        const port = yield* Automations
        yield* Effect.gen(function* () {
          const on = (position: number, enabled = true) => insert(newAutomation({ ...refund, enabled, position }))
          const [third, first, second] = [yield* on(3), yield* on(1), yield* on(2)]
          yield* on(4, false)
          yield* insert(newAutomation({ when: { event: "order.paid" }, enabled: true }))
          yield* insert(newAutomation({ enabled: true }))
          const enabled = yield* port.enabledOn("order.refunded")
          assert.deepStrictEqual(idsOf(enabled), idsOf([first, second, third]))
          assert.deepStrictEqual(enabled[0], {
            id: first.id,
            position: 1,
            version: first.version,
            enabledAfter: first.enabledAfter,
            when: refund.when,
            actions: refund.then.map(({ type }) => type)
          })
          assert.isEmpty(yield* port.enabledOn("contact.created"))
          yield* transact(port.save(new Automation({ ...first, enabled: false }), null))
          assert.deepStrictEqual(idsOf(yield* port.enabledOn("order.refunded")), idsOf([second, third]))
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("move to another place, and those in between make room without a new version", () =>
      Effect.gen(function* () {
        const port = yield* Automations
        yield* Effect.gen(function* () {
          const made = yield* Effect.forEach([1, 2, 3, 4, 5], (position) => insert(newAutomation({ position })))
          const places = Effect.forEach(made, ({ id }) => port.get(id)).pipe(
            Effect.map((rows) => rows.map(({ position, version }) => [position, version]))
          )
          yield* transact(port.move(2, 4))
          assert.deepStrictEqual(
            yield* places,
            [1, 4, 2, 3, 5].map((place) => [place, 1])
          )
          yield* transact(port.move(5, 1))
          assert.deepStrictEqual(
            yield* places,
            [2, 5, 3, 4, 1].map((place) => [place, 1])
          )
          yield* transact(port.move(3, 3))
          assert.deepStrictEqual(
            yield* places,
            [2, 5, 3, 4, 1].map((place) => [place, 1])
          )
          assert.strictEqual(yield* port.count(), 5)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("lists automations by name, status and event, in the requested order, page after page", () =>
      Effect.gen(function* () {
        const port = yield* Automations
        yield* Effect.gen(function* () {
          const updated = (minute: number) => DateTime.makeUnsafe(`2026-01-02T03:0${minute}:05.678Z`)
          const [b, a, c] = [
            yield* insert(
              newAutomation({ name: "Ébène", enabled: true, position: 3, updatedAt: updated(1), ...refund })
            ),
            yield* insert(newAutomation({ name: "amber 100 %", position: 1, updatedAt: updated(3) })),
            yield* insert(newAutomation({ name: "Coral", enabled: true, position: 2, updatedAt: updated(2) }))
          ]
          const list = Effect.fnUntraced(function* (request: Partial<AutomationQuery>) {
            const query = { ...allAutomations, ...request }
            const ids: Array<AutomationId> = []
            let after: ReadonlyArray<string> | null = null
            do {
              const [row]: ReadonlyArray<Automation> = yield* port.list(query, { limit: 1, after })
              if (row !== undefined) ids.push(row.id)
              after = row === undefined ? null : automationCursorKey(query.sort, row)
            } while (after !== null)
            return ids
          })
          assert.deepStrictEqual(yield* list({}), idsOf([c, a, b]))
          assert.deepStrictEqual(yield* list({ sort: "createdAt" }), idsOf([b, a, c]))
          assert.deepStrictEqual(yield* list({ sort: "name" }), idsOf([a, c, b]))
          assert.deepStrictEqual(yield* list({ sort: "-name" }), idsOf([b, c, a]))
          assert.deepStrictEqual(yield* list({ sort: "position" }), idsOf([a, c, b]))
          assert.deepStrictEqual(yield* list({ sort: "-position" }), idsOf([b, c, a]))
          assert.deepStrictEqual(yield* list({ sort: "updatedAt" }), idsOf([b, c, a]))
          assert.deepStrictEqual(yield* list({ sort: "-updatedAt" }), idsOf([a, c, b]))
          assert.deepStrictEqual(yield* list({ q: "ebEN" }), idsOf([b]))
          assert.deepStrictEqual(yield* list({ q: "0 %" }), idsOf([a]))
          assert.deepStrictEqual(yield* list({ q: "_" }), [])
          assert.deepStrictEqual(yield* list({ status: "enabled", sort: "name" }), idsOf([c, b]))
          assert.deepStrictEqual(yield* list({ status: "disabled" }), idsOf([a]))
          assert.deepStrictEqual(yield* list({ event: "order.refunded" }), idsOf([b]))
          yield* transact(port.save(new Automation({ ...b, name: "Azure", ...emptyDefinition }), null))
          assert.deepStrictEqual(yield* list({ event: "order.refunded" }), [])
          assert.deepStrictEqual(yield* list({ q: "azure" }), idsOf([b]))
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("are found by what their conditions and actions name", () =>
      Effect.gen(function* () {
        const port = yield* Automations
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const [pluginId, scheduleId] = [freshId(PluginId), freshId(ScheduleId)]
        const fields = {
          if: { not: { field: "schedule", key: scheduleId, op: "is", value: "open" } },
          then: [{ type: "plugin_action", pluginId, action: "book", input: {} }]
        } as const
        yield* Effect.gen(function* () {
          yield* insert(newAutomation(refund))
          const { id } = yield* insert(newAutomation(fields))
          assert.deepStrictEqual(yield* port.naming("pluginId", pluginId), [id])
          assert.deepStrictEqual(yield* port.naming("scheduleId", scheduleId), [id])
          assert.isEmpty(yield* port.naming("workflowId", pluginId))
          assert.isEmpty(yield* port.naming("pluginId", pluginId).pipe(inside(other)))
          yield* transact(port.save(newAutomation({ id }), null))
          assert.isEmpty(yield* port.naming("pluginId", pluginId))
        }).pipe(inside(one))
      })
    )
  }
}

export const automationsContract = runContract(automations)

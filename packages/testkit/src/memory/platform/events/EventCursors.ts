import { CurrentOrganization, NotFound } from "@parley/domain/kernel"
import { ParkedEvent, type EventConsumerName, EventCursor, EventCursors } from "@parley/domain/platform"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { rowAt, type Tenant } from "../../store/State.ts"
import type { EventCursorRow } from "../state.ts"
import { refuse, Store } from "../../store/Store.ts"

const at = (position: number): EventCursorRow => ({ position, attempts: 0, reason: null, retryAt: null, rests: false })

const cursorOf = (tenant: Tenant, consumer: EventConsumerName, types: ReadonlyArray<string> | "all") => {
  const row = rowAt(tenant.eventCursors, consumer)
  const next =
    row?.rests === false &&
    tenant.events.slice(row.position).find(({ event }) => types === "all" || types.includes(event.type))
  const parked = tenant.parkedEvents.filter((each) => each.consumer === consumer)
  return new EventCursor({
    consumer,
    position: row?.position ?? null,
    head: tenant.events.length,
    next: next ? { position: next.position, type: next.event.type, at: next.at } : null,
    attempts: row?.attempts ?? 0,
    reason: row?.reason ?? null,
    retryAt: row?.retryAt ?? null,
    parked: parked.length,
    replay: parked.find(({ isReplayed }) => isReplayed)?.position ?? null
  })
}

const byPlace = (one: ParkedEvent, other: ParkedEvent) =>
  one.consumer === other.consumer ? one.position - other.position : one.consumer < other.consumer ? -1 : 1

const isAfter = (parked: ParkedEvent, [consumer = "", position = "0"]: ReadonlyArray<string>) =>
  parked.consumer > consumer || (parked.consumer === consumer && parked.position > Number(position))

export const layer = Layer.effect(
  EventCursors,
  Effect.map(Store, (store) => {
    const set = (tenant: Tenant, name: EventConsumerName, row: EventCursorRow) => ({
      eventCursors: HashMap.set(tenant.eventCursors, name, row)
    })
    const others = ({ parkedEvents }: Tenant, name: EventConsumerName, isGone: (position: number) => boolean) =>
      parkedEvents.filter(({ position, consumer }) => consumer !== name || !isGone(position))
    const notFound = (resource: "event consumer" | "parked event") => refuse(new NotFound({ resource }))
    const wake = Effect.flatMap(CurrentOrganization, ({ id }) => store.atEnd(() => store.tell(id)))

    return EventCursors.of({
      list: (consumers) =>
        store.readTenant((tenant) => consumers.map(({ name, types }) => cursorOf(tenant, name, types))),
      begin: (name, since) =>
        store.writeTenant((tenant) => {
          if (HashMap.has(tenant.eventCursors, name)) return [undefined, {}]
          const before = since === null ? [] : tenant.events.filter((event) => DateTime.isLessThan(event.at, since))
          return [undefined, set(tenant, name, at(before.at(-1)?.position ?? 0))]
        }),
      lock: (name) => store.writeTenant((tenant) => [rowAt(tenant.eventCursors, name), {}]),
      advance: (name, position) =>
        store.writeTenant((tenant) => {
          const rests = rowAt(tenant.eventCursors, name)?.rests ?? false
          return [undefined, set(tenant, name, { ...at(position), rests })]
        }),
      passBy: (idle) =>
        store.writeTenant((tenant) => {
          const passing = idle.filter(({ position, consumer }) => {
            const row = rowAt(tenant.eventCursors, consumer)
            return row?.position === position && row.attempts === 0 && !row.rests
          })
          const eventCursors = passing.reduce(
            (rows, { head, consumer }) => HashMap.set(rows, consumer, at(head)),
            tenant.eventCursors
          )
          return [new Set(passing.map(({ consumer }) => consumer)), { eventCursors }]
        }),
      rest: (name) =>
        store.writeTenant((tenant) => {
          const row = rowAt(tenant.eventCursors, name)
          return [undefined, row === null ? {} : set(tenant, name, { ...row, rests: true })]
        }),
      wake: (name) =>
        store.writeTenant((tenant) => {
          const row = rowAt(tenant.eventCursors, name) ?? at(tenant.events.length)
          return [undefined, set(tenant, name, { ...row, rests: false })]
        }),
      retry: (name, { after, attempts, reason }, retryAt) =>
        store.writeTenant((tenant) => {
          const row = rowAt(tenant.eventCursors, name)
          return row?.position === after && row.attempts === attempts - 1
            ? [undefined, set(tenant, name, { ...row, attempts, reason, retryAt })]
            : [undefined, {}]
        }),
      park: (name, { after, attempts, position, reason }, now) =>
        store.writeTenant((tenant) => {
          const event = tenant.events[position - 1]
          if (rowAt(tenant.eventCursors, name)?.position !== after || event === undefined) return [undefined, {}]
          const { type } = event.event
          const parked = new ParkedEvent({
            consumer: name,
            position,
            type,
            attempts,
            reason,
            parkedAt: now,
            isReplayed: false
          })
          const parkedEvents = [...others(tenant, name, (each) => each === position), parked].toSorted(byPlace)
          return [undefined, { ...set(tenant, name, at(position)), parkedEvents }]
        }),
      listParked: (name, { after, limit }) =>
        store.readTenant(({ parkedEvents }) =>
          parkedEvents
            .filter((each) => (name === null || each.consumer === name) && (after === null || isAfter(each, after)))
            .slice(0, limit)
        ),
      replayParked: Effect.fnUntraced(function* (name, position) {
        yield* wake
        return yield* store.writeTenant(({ parkedEvents }) => {
          const isMeant = (each: ParkedEvent) =>
            each.consumer === name && (position === null || each.position === position)
          const count = parkedEvents.filter(isMeant).length
          if (position !== null && count === 0) return notFound("parked event")
          return [
            count,
            {
              parkedEvents: parkedEvents.map((each) =>
                isMeant(each) ? new ParkedEvent({ ...each, isReplayed: true }) : each
              )
            }
          ]
        })
      }),
      lockReplay: (name, position) =>
        store.writeTenant(({ parkedEvents }) => [
          parkedEvents.some((each) => each.consumer === name && each.position === position && each.isReplayed),
          {}
        ]),
      replayFailed: (name, position, reason) =>
        store.writeTenant(({ parkedEvents }) => [
          undefined,
          {
            parkedEvents: parkedEvents.map((each) =>
              each.consumer === name && each.position === position
                ? new ParkedEvent({ ...each, reason, attempts: each.attempts + 1, isReplayed: false })
                : each
            )
          }
        ]),
      unpark: (name, position) =>
        store.writeTenant((tenant) => {
          const parkedEvents = others(tenant, name, (each) => each === position)
          return parkedEvents.length === tenant.parkedEvents.length
            ? notFound("parked event")
            : [undefined, { parkedEvents }]
        }),
      rewind: Effect.fnUntraced(function* (name, position) {
        yield* wake
        yield* store.writeTenant((tenant) =>
          HashMap.has(tenant.eventCursors, name)
            ? [
                undefined,
                {
                  ...set(tenant, name, at(Math.min(position, tenant.events.length))),
                  parkedEvents: others(tenant, name, (each) => each > position)
                }
              ]
            : notFound("event consumer")
        )
      }),
      remove: (name) =>
        store.writeTenant((tenant) => [
          undefined,
          {
            eventCursors: HashMap.remove(tenant.eventCursors, name),
            parkedEvents: others(tenant, name, () => true)
          }
        ])
    })
  })
)

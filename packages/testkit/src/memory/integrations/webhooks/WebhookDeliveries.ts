import { NotFound } from "@parley/domain/kernel"
import {
  type DeliveryOutcome,
  type NewDelivery,
  WebhookAttempt,
  WebhookDeliveries,
  WebhookDelivery,
  type WebhookDeliveryId,
  type WebhookSubscriptionId
} from "@parley/domain/integrations"
import { DateTime, Effect, HashMap, Layer, Order } from "effect"
import { byKeys } from "../../store/byCodePoints.ts"
import { rowAt, type Tenant } from "../../store/State.ts"
import type { WebhookDeliveryRow } from "../state.ts"
import { refuse, Store } from "../../store/Store.ts"

const notFound = () => new NotFound({ resource: "webhook delivery" })

const placeOf = ({ delivery }: WebhookDeliveryRow) => delivery.position ?? 0

const byPlace = Order.combine(
  Order.mapInput(Order.Number, placeOf),
  Order.mapInput(Order.String, ({ delivery }: WebhookDeliveryRow) => delivery.id)
)

const byAge = Order.combine(
  Order.mapInput(DateTime.Order, ({ at }: WebhookDeliveryRow) => at),
  byPlace
)

const padded = (place: number) => String(place).padStart(16, "0")

const keyOf = ({ at, delivery }: WebhookDeliveryRow): ReadonlyArray<string> => [
  DateTime.formatIso(at),
  padded(delivery.position ?? 0),
  delivery.id
]

const isBefore = (row: WebhookDeliveryRow, [at = "", place = "0", id = ""]: ReadonlyArray<string>) =>
  byKeys(keyOf(row), [at, padded(Number(place)), id]) < 0

const rowsOf = ({ webhookDeliveries }: Tenant, subscriptionId: WebhookSubscriptionId) =>
  HashMap.toValues(webhookDeliveries).filter((row) => row.subscriptionId === subscriptionId)

const pendingOf = (tenant: Tenant, subscriptionId: WebhookSubscriptionId) =>
  rowsOf(tenant, subscriptionId)
    .filter(({ delivery }) => delivery.state === "pending")
    .toSorted(byPlace)

const firstOfSubjects = (rows: ReadonlyArray<WebhookDeliveryRow>) => {
  const seen = new Set<string>()
  return rows.filter(({ subject }) => {
    const isFirst = !seen.has(subject)
    seen.add(subject)
    return isFirst
  })
}

const made = ({ at, call, id, position, subject, subscriptionId, type }: NewDelivery): WebhookDeliveryRow => ({
  delivery: new WebhookDelivery({
    id,
    type,
    position,
    state: "pending",
    attempts: 0,
    nextAttemptAt: at,
    deliveredAt: null
  }),
  subscriptionId,
  subject,
  at,
  call: call ?? null,
  spent: 0,
  wanted: false,
  log: []
})

const changed = (row: WebhookDeliveryRow, change: Partial<WebhookDelivery>): WebhookDeliveryRow => ({
  ...row,
  delivery: new WebhookDelivery({ ...row.delivery, ...change })
})

const kept = (row: WebhookDeliveryRow, { attempt, nextAttemptAt, spent, state }: DeliveryOutcome) => {
  const isPending = row.delivery.state === "pending"
  const isDelivered = state === "delivered"
  const next = changed(row, {
    state: isDelivered || isPending ? state : row.delivery.state,
    attempts: attempt.number,
    nextAttemptAt: !isDelivered && isPending ? nextAttemptAt : null,
    deliveredAt: isDelivered ? attempt.at : row.delivery.deliveredAt
  })
  return {
    ...next,
    spent: isPending ? spent : row.spent,
    wanted: row.wanted && attempt.trigger !== "redeliver",
    log: row.log.some(({ number }) => number === attempt.number) ? row.log : [...row.log, attempt]
  }
}

const withoutDetails = (attempt: WebhookAttempt) => new WebhookAttempt({ ...attempt, request: null, response: null })

export const layer = Layer.effect(
  WebhookDeliveries,
  Effect.map(Store, (store) => {
    const change = (
      rows: Tenant["webhookDeliveries"],
      id: WebhookDeliveryId,
      how: (row: WebhookDeliveryRow) => WebhookDeliveryRow
    ) => HashMap.modify(rows, id, how)

    const rowOf = (tenant: Tenant, subscriptionId: WebhookSubscriptionId, id: WebhookDeliveryId) => {
      const row = rowAt(tenant.webhookDeliveries, id)
      return row?.subscriptionId === subscriptionId ? row : null
    }

    return WebhookDeliveries.of({
      get: (subscriptionId, id) =>
        Effect.flatMap(
          store.readTenant((tenant) => rowOf(tenant, subscriptionId, id)),
          (row) => (row === null ? Effect.fail(notFound()) : Effect.succeed(row.delivery))
        ),
      list: (subscriptionId, { from, id, state, to, type }, { after, limit }) =>
        store.readTenant((tenant) =>
          rowsOf(tenant, subscriptionId)
            .filter(({ at, delivery }) => {
              const isIn =
                (from === null || !DateTime.isLessThan(at, from)) && (to === null || DateTime.isLessThan(at, to))
              const isMeant = (state === null || state.includes(delivery.state)) && (id ?? delivery.id) === delivery.id
              return isIn && isMeant && (type ?? delivery.type) === delivery.type
            })
            .filter((row) => after === null || isBefore(row, after))
            .toSorted(Order.flip(byAge))
            .slice(0, limit)
        ),
      attempts: (id, limit) =>
        store.readTenant(({ webhookDeliveries }) =>
          (rowAt(webhookDeliveries, id)?.log ?? []).toSorted((one, other) => other.number - one.number).slice(0, limit)
        ),
      make: (deliveries) =>
        store.writeTenant(({ webhookDeliveries }) => [
          undefined,
          {
            webhookDeliveries: deliveries.reduce(
              (all, each) => (HashMap.has(all, each.id) ? all : HashMap.set(all, each.id, made(each))),
              webhookDeliveries
            )
          }
        ]),
      remake: (deliveries, only) =>
        store.writeTenant(({ webhookDeliveries }) => {
          const anew = deliveries.filter(({ id }) => {
            const state = rowAt(webhookDeliveries, id)?.delivery.state
            return state !== "pending" && (only === "all" || state !== "delivered")
          })
          const remade = (each: NewDelivery): WebhookDeliveryRow => {
            const before = rowAt(webhookDeliveries, each.id)
            if (before === null) return made(each)
            const { delivery, ...rest } = made(each)
            return { ...before, ...rest, wanted: before.wanted, log: before.log, ...changedTo(before, delivery) }
          }
          const changedTo = (before: WebhookDeliveryRow, delivery: WebhookDelivery) => ({
            delivery: new WebhookDelivery({ ...delivery, attempts: before.delivery.attempts })
          })
          return [
            anew.length,
            {
              webhookDeliveries: anew.reduce((all, each) => HashMap.set(all, each.id, remade(each)), webhookDeliveries)
            }
          ]
        }),
      due: (subscriptionId, { except, limit, now, ordering }) =>
        store.readTenant((tenant) => {
          const pending = pendingOf(tenant, subscriptionId)
          return (ordering === "none" ? pending : firstOfSubjects(pending))
            .filter(({ delivery: { id, nextAttemptAt } }) => {
              return nextAttemptAt !== null && !DateTime.isGreaterThan(nextAttemptAt, now) && !except.includes(id)
            })
            .slice(0, limit)
        }),
      call: (id) =>
        store.readTenant((tenant) => {
          const row = rowAt(tenant.webhookDeliveries, id)
          return row !== null && (row.delivery.state === "pending" || row.wanted) ? row.call : null
        }),
      nextDue: (subscriptionId, ordering) =>
        store.readTenant((tenant) => {
          const pending = pendingOf(tenant, subscriptionId)
          const [first = null, ...others] = (ordering === "none" ? pending : firstOfSubjects(pending)).flatMap(
            ({ delivery: { nextAttemptAt } }) => (nextAttemptAt === null ? [] : [nextAttemptAt])
          )
          return first === null ? null : others.reduce((one, other) => DateTime.min(one, other), first)
        }),
      oldest: (subscriptionId) =>
        store.readTenant((tenant) => {
          const pending = pendingOf(tenant, subscriptionId)
          const [first = null, ...others] = pending.map(({ at }) => at)
          return {
            at: first === null ? null : others.reduce((one, other) => DateTime.min(one, other), first),
            position: pending.find(({ delivery }) => delivery.position !== null)?.delivery.position ?? null
          }
        }),
      want: (subscriptionId, id) =>
        store.writeTenant((tenant) => {
          const row = rowOf(tenant, subscriptionId, id)
          if (row === null) return refuse(notFound())
          return [
            row.delivery,
            { webhookDeliveries: change(tenant.webhookDeliveries, id, (before) => ({ ...before, wanted: true })) }
          ]
        }),
      wanted: (subscriptionId, limit) =>
        store.readTenant((tenant) =>
          rowsOf(tenant, subscriptionId)
            .filter(({ wanted }) => wanted)
            .toSorted(
              Order.combine(
                Order.mapInput(DateTime.Order, ({ at }: WebhookDeliveryRow) => at),
                Order.mapInput(Order.String, ({ delivery }: WebhookDeliveryRow) => delivery.id)
              )
            )
            .slice(0, limit)
        ),
      keep: (outcomes) =>
        store.writeTenant(({ webhookDeliveries }) => [
          undefined,
          {
            webhookDeliveries: outcomes.reduce(
              (all, outcome) => change(all, outcome.id, (row) => kept(row, outcome)),
              webhookDeliveries
            )
          }
        ]),
      end: (subscriptionId, state, before, limit) =>
        store.writeTenant((tenant) => {
          const ended = pendingOf(tenant, subscriptionId)
            .filter(({ at }) => before === null || DateTime.isLessThan(at, before))
            .slice(0, limit)
          return [
            ended.length,
            {
              webhookDeliveries: ended.reduce(
                (all, { delivery: { id } }) => change(all, id, (row) => changed(row, { state, nextAttemptAt: null })),
                tenant.webhookDeliveries
              )
            }
          ]
        }),
      discard: (ids) =>
        store.writeTenant(({ webhookDeliveries }) => [
          undefined,
          {
            webhookDeliveries: ids.reduce(
              (all, id) =>
                change(all, id, (row) => ({
                  ...(row.delivery.state === "pending"
                    ? changed(row, { state: "discarded", nextAttemptAt: null })
                    : row),
                  wanted: false
                })),
              webhookDeliveries
            )
          }
        ]),
      blank: (contactIds) =>
        store.writeTenant(({ webhookDeliveries }) => [
          undefined,
          {
            webhookDeliveries: HashMap.map(webhookDeliveries, (row) => {
              const { call } = row
              const about = call?.contactId ?? /^contactId:([0-9a-f-]{36})$/u.exec(row.subject)?.[1] ?? null
              const isMeant = about === null || contactIds.includes(about)
              const log = isMeant ? row.log.map(withoutDetails) : row.log
              if (call === null || call.contactId === null || !contactIds.includes(call.contactId))
                return { ...row, log }
              const { delivery } = row
              const state = delivery.state === "pending" ? "discarded" : delivery.state
              return {
                ...changed(row, { state, nextAttemptAt: null }),
                call: { ...call, contactId: null, conversationId: null, body: null },
                log,
                subject: "erased",
                wanted: false
              }
            })
          }
        ]),
      sweep: (before, limit) =>
        store.writeTenant(({ webhookDeliveries }) => {
          const old = HashMap.toValues(webhookDeliveries)
            .filter(({ at }) => DateTime.isLessThan(at, before))
            .slice(0, limit)
          return [
            old.length,
            {
              webhookDeliveries: old.reduce((all, { delivery: { id } }) => HashMap.remove(all, id), webhookDeliveries)
            }
          ]
        }),
      sweepDetails: (before, limit) =>
        store.writeTenant(({ webhookDeliveries }) => {
          const old = HashMap.toValues(webhookDeliveries)
            .flatMap(({ delivery, log }) =>
              log
                .filter(({ at, request }) => request !== null && DateTime.isLessThan(at, before))
                .map(({ number }) => ({ id: delivery.id, number }))
            )
            .slice(0, limit)
          return [
            old.length,
            {
              webhookDeliveries: old.reduce(
                (all, { id, number }) =>
                  change(all, id, (row) => ({
                    ...row,
                    log: row.log.map((attempt) => (attempt.number === number ? withoutDetails(attempt) : attempt))
                  })),
                webhookDeliveries
              )
            }
          ]
        })
    })
  })
)

import { DateTime, Effect } from "effect"
import { transact } from "../../kernel/index.ts"
import {
  type InboundDeliveryId,
  defineDeliverySource,
  type WaitingInboundDelivery
} from "../../platform/deliveries/index.ts"
import type { StoreConnectionId } from "../Ids.ts"
import { noSubject } from "../PrivacyRequest.ts"
import type { StoreSignal } from "../Shop.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import { scheduleStoreLane } from "../StoreConnections.ts"
import { markStale } from "../StaleRecords.ts"
import { StorePlatforms } from "../StorePlatform.ts"
import { applyScopeChange, applyShopChange, applyUninstall } from "../connectionChanges.ts"
import { type ReceivedPrivacyRequest, receivePrivacyRequest } from "../privacy/receivedRequests.ts"
import { recordSkipped } from "../syncing/skippedRetries.ts"
import { deleteRecords, mergeCustomers } from "./deleteRecords.ts"
import { decodeEnvelope, storeSource } from "./deliveryEnvelopes.ts"
import { completeOrderedCarts, deleteCart, receiveCarts } from "./receiveCarts.ts"

/** No reader of a platform has this version. The lane therefore requests the data that a delivery did not contain. */
const unknownReader = ""

type Kind = StoreSignal["kind"]

type SignalOf<Told extends Kind> = Extract<StoreSignal, { readonly kind: Told }>

const isSignal =
  <Told extends Kind>(kind: Told) =>
  (signal: StoreSignal): signal is SignalOf<Told> =>
    signal.kind === kind

/** Signals of one kind that come one after the other, as they came. */
const groupRuns = (signals: ReadonlyArray<StoreSignal>): ReadonlyArray<ReadonlyArray<StoreSignal>> => {
  const runs: Array<Array<StoreSignal>> = []
  for (const signal of signals) {
    const last = runs.at(-1)
    if (last?.[0]?.kind === signal.kind) last.push(signal)
    else runs.push([signal])
  }
  return runs
}

const receiveSignal = Effect.fnUntraced(function* (connection: Pick<StoreConnection, "id">, signal: StoreSignal) {
  switch (signal.kind) {
    case "deleted":
      yield* recordSkipped(connection.id, unknownReader, {
        kind: signal.record,
        settled: [signal.externalId],
        unreadable: []
      })
      return yield* deleteRecords(connection, signal.record, [signal.externalId])
    case "customers_merged":
      return yield* mergeCustomers(connection, signal.keptId, signal.mergedId)
    case "cart_deleted":
      yield* recordSkipped(connection.id, unknownReader, {
        kind: "carts",
        settled: [signal.externalId],
        unreadable: []
      })
      return yield* deleteCart(connection, signal.externalId)
    case "unreadable": {
      const { externalId, reason, record } = signal
      yield* recordSkipped(connection.id, unknownReader, {
        kind: record,
        settled: [],
        unreadable: [{ externalId, reason }]
      })
      // The lane requests the record from the shop.
      return yield* scheduleStoreLane(connection.id, yield* DateTime.now)
    }
    default:
      return undefined
  }
})

/**
 * Takes what deliveries tell of the records of a shop: what has changed at once, since it is only marked, and else what comes together of one kind. What
 * they tell of the shop itself, or of privacy, is for others.
 */
export const receiveSignals = Effect.fnUntraced(function* (
  connection: Pick<StoreConnection, "id">,
  signals: ReadonlyArray<StoreSignal>
) {
  const changed = signals.filter(isSignal("changed"))
  yield* markStale(
    connection.id,
    changed.map(({ externalId, record }) => ({ kind: record, externalId }))
  )
  for (const run of groupRuns(signals.filter(({ kind }) => kind !== "changed"))) {
    const [carts, completed] = [run.filter(isSignal("cart")), run.filter(isSignal("cart_completed"))]
    if (carts.length > 0) {
      yield* receiveCarts(
        connection,
        carts.map(({ cart }) => cart)
      )
      const settled = carts.map(({ cart }) => cart.externalId)
      yield* recordSkipped(connection.id, unknownReader, { kind: "carts", settled, unreadable: [] })
    } else if (completed.length > 0) {
      yield* completeOrderedCarts(
        connection,
        completed.map(({ token }) => token)
      )
    } else {
      yield* Effect.forEach(run, (signal) => receiveSignal(connection, signal), { discard: true })
    }
  }
}, transact)

/** What a delivery of a store tells, and when it came. */
export interface StoreReport {
  readonly storeConnectionId: StoreConnectionId
  readonly deliveryId: InboundDeliveryId
  readonly at: DateTime.Utc
  readonly signal: StoreSignal
}

/** What becomes of the shop itself. */
const applyConnectionEvent = Effect.fnUntraced(function* ({ at, signal, storeConnectionId }: StoreReport) {
  switch (signal.kind) {
    case "uninstalled":
      return yield* applyUninstall(storeConnectionId, signal.at ?? at)
    case "scopes_changed":
      return yield* applyScopeChange(storeConnectionId, signal.scopes)
    case "shop_changed":
      return yield* signal.shop === null ? Effect.void : applyShopChange(storeConnectionId, signal.shop)
    default:
      return undefined
  }
})

/** What is asked about personal data. */
const toReceivedRequest = ({
  at,
  deliveryId,
  signal,
  storeConnectionId
}: StoreReport): ReceivedPrivacyRequest | null => {
  const request = { storeConnectionId, deliveryId, at }
  switch (signal.kind) {
    case "data_request":
    case "redact_customer": {
      const { email, externalCustomerId, kind, phone } = signal
      const externalOrderIds = signal.kind === "redact_customer" ? signal.externalOrderIds : []
      return { ...request, kind, asked: { externalCustomerId, phone, email, externalOrderIds } }
    }
    case "redact_shop":
      return { ...request, kind: signal.kind, asked: noSubject }
    default:
      return null
  }
}

/** Does what deliveries of stores tell, in this unit of work. The lock of stores comes before any of their records. */
const applyStoreReports = Effect.fnUntraced(function* (told: ReadonlyArray<StoreReport>) {
  for (const each of told) yield* applyConnectionEvent(each)
  for (const storeConnectionId of new Set(told.map((each) => each.storeConnectionId))) {
    const signals = told.filter((each) => each.storeConnectionId === storeConnectionId).map(({ signal }) => signal)
    yield* receiveSignals({ id: storeConnectionId }, signals)
  }
  for (const each of told) {
    const asked = toReceivedRequest(each)
    if (asked !== null) yield* receivePrivacyRequest(asked)
  }
})

/** What a delivery tells, in its order; `null` if it is none of this provider. */
const readDelivery = Effect.fnUntraced(function* (provider: string, { body, id, receivedAt }: WaitingInboundDelivery) {
  const platform = (yield* StorePlatforms).get(provider)
  // Without the app nobody knows its words; once it is there again, the delivery is worked through.
  if (platform === undefined) return yield* Effect.die(new Error(`There is no app for stores of ${provider}.`))
  const opened = decodeEnvelope(body)
  const delivery = opened === null ? null : platform.decode(opened.topic, opened.request)
  if (opened === null || delivery === null) return null
  const { storeConnectionId } = opened
  return delivery.signals.map((signal): StoreReport => ({ storeConnectionId, deliveryId: id, at: receivedAt, signal }))
})

/** What stores deliver: what has changed in them, and what becomes of them. */
export const storeDeliveries = defineDeliverySource({
  name: storeSource,
  read: readDelivery,
  isUnknown: ({ signal }) => signal.kind === "unknown",
  apply: (_provider, told) => applyStoreReports(told)
})

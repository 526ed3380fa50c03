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
import { wakeSync } from "../syncing/syncSchedule.ts"
import { deleteRecords, mergeCustomers } from "./deleteRecords.ts"
import { decodeEnvelope, storeSource } from "./deliveryEnvelopes.ts"
import { completeOrderedCarts, deleteCart, receiveCarts } from "./receiveCarts.ts"

/** No reader of a platform has this version. The lane therefore requests the data that a delivery did not contain. */
const unknownReader = ""

type Kind = StoreSignal["kind"]

type SignalOf<Chosen extends Kind> = Extract<StoreSignal, { readonly kind: Chosen }>

const isSignal =
  <Chosen extends Kind>(kind: Chosen) =>
  (signal: StoreSignal): signal is SignalOf<Chosen> =>
    signal.kind === kind

/** Groups consecutive signals of the same kind, and keeps their order. */
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
    case "export_finished":
      return yield* wakeSync(connection.id)
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
 * Applies the record signals of a shop. Changes only mark stale records and are applied immediately. Other consecutive signals of one kind are
 * applied together. Signals about the shop or privacy are handled elsewhere.
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

/** The signals of a store delivery, and its time of receipt. */
export interface StoreReport {
  readonly storeConnectionId: StoreConnectionId
  readonly deliveryId: InboundDeliveryId
  readonly at: DateTime.Utc
  readonly signal: StoreSignal
}

/** Applies a signal about the shop. */
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

/** Converts a privacy signal to a request. */
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
      const { email, externalCustomerId, externalOrderIds, kind, phone } = signal
      return { ...request, kind, asked: { externalCustomerId, phone, email, externalOrderIds } }
    }
    case "redact_shop":
      return { ...request, kind: signal.kind, asked: noSubject }
    default:
      return null
  }
}

/** Applies store deliveries in this unit of work. Stores are locked before their records. */
const applyStoreReports = Effect.fnUntraced(function* (reports: ReadonlyArray<StoreReport>) {
  for (const each of reports) yield* applyConnectionEvent(each)
  for (const storeConnectionId of new Set(reports.map((each) => each.storeConnectionId))) {
    const signals = reports.filter((each) => each.storeConnectionId === storeConnectionId).map(({ signal }) => signal)
    yield* receiveSignals({ id: storeConnectionId }, signals)
  }
  for (const each of reports) {
    const asked = toReceivedRequest(each)
    if (asked !== null) yield* receivePrivacyRequest(asked)
  }
})

/** Decodes the signals of a delivery in their order; `null` if the delivery is not of this provider. */
const readDelivery = Effect.fnUntraced(function* (provider: string, { body, id, receivedAt }: WaitingInboundDelivery) {
  const platform = (yield* StorePlatforms).get(provider)
  // Without the app, the signals cannot be decoded. The delivery is processed after the app is configured again.
  if (platform === undefined) return yield* Effect.die(new Error(`This service has no ${provider} app configured.`))
  const opened = decodeEnvelope(body)
  const delivery = opened === null ? null : platform.decode(opened.topic, opened.request)
  if (opened === null || delivery === null) return null
  const { storeConnectionId } = opened
  return delivery.signals.map((signal): StoreReport => ({ storeConnectionId, deliveryId: id, at: receivedAt, signal }))
})

/** Processes store deliveries: changed records, and changes of the connections. */
export const storeDeliveries = defineDeliverySource({
  name: storeSource,
  read: readDelivery,
  isUnknown: ({ signal }) => signal.kind === "unknown",
  apply: (_provider, reported) => applyStoreReports(reported)
})

import { type DateTime, Effect } from "effect"
import type { DeliveryId } from "../../platform/deliveries/index.ts"
import type { StoreConnectionId } from "../Ids.ts"
import { scopesChanged } from "../life/scopesChanged.ts"
import { shopChanged } from "../life/shopChanged.ts"
import { uninstalled } from "../life/uninstalled.ts"
import type { StoreSignal } from "../StoreSignal.ts"
import { type AskedByShop, receivePrivacyRequest } from "../privacy/receivePrivacyRequest.ts"
import { askedNobody } from "../PrivacyRequest.ts"
import { receiveSignals } from "./receiveSignals.ts"

/** What a delivery of a store tells, and when it came. */
export interface ToldByStore {
  readonly storeConnectionId: StoreConnectionId
  readonly deliveryId: DeliveryId
  readonly at: DateTime.Utc
  readonly signal: StoreSignal
}

/** What becomes of the shop itself. */
const applyLife = Effect.fnUntraced(function* ({ at, signal, storeConnectionId }: ToldByStore) {
  switch (signal.kind) {
    case "uninstalled":
      return yield* uninstalled(storeConnectionId, signal.at ?? at)
    case "scopes_changed":
      return yield* scopesChanged(storeConnectionId, signal.scopes)
    case "shop_changed":
      return yield* signal.shop === null ? Effect.void : shopChanged(storeConnectionId, signal.shop)
    default:
      return undefined
  }
})

/** What is asked about personal data. */
const askedBy = ({ at, deliveryId, signal, storeConnectionId }: ToldByStore): AskedByShop | null => {
  const request = { storeConnectionId, deliveryId, at }
  switch (signal.kind) {
    case "data_request":
    case "redact_customer": {
      const { email, externalCustomerId, kind, phone } = signal
      const externalOrderIds = signal.kind === "redact_customer" ? signal.externalOrderIds : []
      return { ...request, kind, asked: { externalCustomerId, phone, email, externalOrderIds } }
    }
    case "redact_shop":
      return { ...request, kind: signal.kind, asked: askedNobody }
    default:
      return null
  }
}

/** Does what deliveries of stores tell, in this unit of work. The lock of stores comes before any of their records. */
export const applyTold = Effect.fnUntraced(function* (told: ReadonlyArray<ToldByStore>) {
  for (const each of told) yield* applyLife(each)
  for (const storeConnectionId of new Set(told.map((each) => each.storeConnectionId))) {
    const signals = told.filter((each) => each.storeConnectionId === storeConnectionId).map(({ signal }) => signal)
    yield* receiveSignals({ id: storeConnectionId }, signals)
  }
  for (const each of told) {
    const asked = askedBy(each)
    if (asked !== null) yield* receivePrivacyRequest(asked)
  }
})

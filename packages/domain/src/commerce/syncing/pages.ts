import { type DateTime, Effect } from "effect"
import type { StoreConnection } from "../StoreConnection.ts"
import type { ExportedPage, RecordKind, StoreRecords } from "../StorePlatform.ts"
import { receiveCarts } from "../receiving/receiveCarts.ts"
import { receiveCustomers } from "../receiving/receiveCustomers.ts"
import { receiveOrders } from "../receiving/receiveOrders.ts"
import { receiveProducts } from "../receiving/receiveProducts.ts"
import type { OpenShop } from "../shopAccess.ts"
import { recordSkipped } from "./skippedRetries.ts"

/** The kinds of records in the order in which they are read: whoever bought comes before what was bought. */
export const recordKinds = ["products", "customers", "orders", "carts"] as const satisfies ReadonlyArray<RecordKind>

/** What has come of records: whether some were no contacts for want of room in the plan. */
export interface ReceivedRecords {
  readonly isFull: boolean
}

const notFull: ReceivedRecords = { isFull: false }

/** How each kind of records is taken. */
const receivers = {
  products: (connection: PageConnection, records: ReadonlyArray<StoreRecords["products"]>) =>
    Effect.as(receiveProducts(connection, records), notFull),
  customers: (connection: PageConnection, records: ReadonlyArray<StoreRecords["customers"]>) =>
    Effect.map(receiveCustomers(connection, records, connection.fullAsOf === null), (received) => received ?? notFull),
  orders: (connection: PageConnection, records: ReadonlyArray<StoreRecords["orders"]>) =>
    Effect.as(receiveOrders(connection, records), notFull),
  carts: (connection: PageConnection, records: ReadonlyArray<StoreRecords["carts"]>) =>
    Effect.as(receiveCarts(connection, records), notFull)
}

type PageConnection = Pick<StoreConnection, "id" | "fullAsOf">

/** What is needed to take records of a shop. */
type ReceiverServices =
  | Effect.Services<ReturnType<(typeof receivers)[RecordKind]>>
  | Effect.Services<ReturnType<typeof recordSkipped>>

/** A part of what a shop has of a kind, as it was read. */
export interface ReadPage {
  /** By the shop's ids. */
  readonly externalIds: ReadonlyArray<string>
  readonly checkpoint: string | null
  readonly total: number | null
  /** Takes what was read. */
  readonly receive: Effect.Effect<ReceivedRecords, never, ReceiverServices>
}

const toReadPage = <Kind extends RecordKind>(
  { connection: { id }, platform: { readerVersion } }: OpenShop,
  kind: Kind,
  { checkpoint, records, total, unreadable }: ExportedPage<Kind>,
  receive: Effect.Effect<ReceivedRecords, never, ReceiverServices>
): ReadPage => {
  const settled = records.map(({ externalId }) => externalId)
  const unread = unreadable.map(({ externalId }) => externalId)
  return {
    // An unreadable record exists in the shop, so a full sync must not treat it as deleted.
    externalIds: [...settled, ...unread],
    checkpoint,
    total,
    receive: Effect.gen(function* () {
      const received = records.length === 0 ? notFull : yield* receive
      yield* recordSkipped(id, readerVersion, { kind, settled, unreadable })
      return received
    })
  }
}

const read = <Kind extends RecordKind>(
  { access, connection: { ordersSince }, platform }: OpenShop,
  kind: Kind,
  since: DateTime.Utc | null,
  checkpoint: string | null
) =>
  since === null
    ? platform.export(access, kind, checkpoint, ordersSince)
    : platform.changedSince(access, kind, since, checkpoint)

/** Reads the next part of a kind: of everything, or of what has changed since then. */
export const readPage = (
  shop: OpenShop,
  kind: RecordKind,
  since: DateTime.Utc | null,
  checkpoint: string | null
): Effect.Effect<ReadPage, Effect.Error<ReturnType<typeof read>>> => {
  const { connection } = shop
  switch (kind) {
    case "products":
      return Effect.map(read(shop, kind, since, checkpoint), (page) =>
        toReadPage(shop, kind, page, receivers.products(connection, page.records))
      )
    case "customers":
      return Effect.map(read(shop, kind, since, checkpoint), (page) =>
        toReadPage(shop, kind, page, receivers.customers(connection, page.records))
      )
    case "orders":
      return Effect.map(read(shop, kind, since, checkpoint), (page) =>
        toReadPage(shop, kind, page, receivers.orders(connection, page.records))
      )
    case "carts":
      return Effect.map(read(shop, kind, since, checkpoint), (page) =>
        toReadPage(shop, kind, page, receivers.carts(connection, page.records))
      )
  }
}

import { type DateTime, Effect } from "effect"
import type { StoreConnection } from "../StoreConnection.ts"
import type { ExportedPage, RecordKind, StoreRecords } from "../StorePlatform.ts"
import { receiveCarts } from "../receiving/receiveCarts.ts"
import { receiveCustomers } from "../receiving/receiveCustomers.ts"
import { receiveOrders } from "../receiving/receiveOrders.ts"
import { receiveProducts } from "../receiving/receiveProducts.ts"
import type { OpenShop } from "../shopAccess.ts"
import { recordSkipped } from "./skippedRetries.ts"

/** Kinds of records in the order of reading: products and customers before the orders that refer to them. */
export const recordKinds = ["products", "customers", "orders", "carts"] as const satisfies ReadonlyArray<RecordKind>

/** Result of receiving records: whether the plan had no capacity for some new contacts. */
export interface ReceivedRecords {
  readonly isFull: boolean
}

const notFull: ReceivedRecords = { isFull: false }

/** Receiver of each kind of records. */
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

type ReceiverServices =
  | Effect.Services<ReturnType<(typeof receivers)[RecordKind]>>
  | Effect.Services<ReturnType<typeof recordSkipped>>

/** A page of the records of one kind. */
export interface ReadPage {
  /** Ids of the shop. */
  readonly externalIds: ReadonlyArray<string>
  readonly checkpoint: string | null
  readonly total: number | null
  /** Stores the records of the page. */
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

/** Reads the next page of a kind: all records, or the changes since then. */
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

import type { Deliveries, DeliveryInbox } from "./Deliveries.ts"

/** What a storage adapter provides of this area. */
export type DeliveriesStorage = Deliveries | DeliveryInbox

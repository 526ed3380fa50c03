import { Deliveries, DeliveryInbox } from "./Deliveries.ts"

/** The ports that a storage adapter provides of this area. */
export const deliveriesStorage = [Deliveries, DeliveryInbox] as const

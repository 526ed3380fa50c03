import type { StoreConnection } from "../StoreConnection.ts"
import { completeCarts } from "./completeCarts.ts"
import { underStore } from "./underStore.ts"

/** Takes that something was ordered from the cart with this token. Which order that is, is known once the order is read. */
export const completeCart = ({ id }: Pick<StoreConnection, "id">, token: string) =>
  underStore(id, (_connection, now) => completeCarts(id, [{ token, orderId: null, at: now }], now))

import type { StoreConnection } from "../StoreConnection.ts"
import { completeCarts } from "./completeCarts.ts"
import { underStore } from "./underStore.ts"

/** Takes that something was ordered from the carts with these tokens. Which orders that are, is known once they are read. */
export const completeCartsOf = ({ id }: Pick<StoreConnection, "id">, tokens: ReadonlyArray<string>) =>
  underStore(id, (_connection, now) =>
    completeCarts(
      id,
      tokens.map((token) => ({ token, orderId: null, at: now })),
      now
    )
  )

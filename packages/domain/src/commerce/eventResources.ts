import { eventResource, byId } from "../kernel/index.ts"
import { Cart } from "./Cart.ts"
import { CartId, OrderId, PrivacyRequestId, StoreConnectionId, StoreCustomerId } from "./Ids.ts"
import { Order } from "./Order.ts"
import { PrivacyRequest } from "./PrivacyRequest.ts"
import { StoreConnectionView } from "./StoreConnection.ts"
import { StoreCustomer } from "./StoreCustomer.ts"
import { getCart } from "./use-cases/getCart.ts"
import { getOrder } from "./use-cases/getOrder.ts"
import { getPrivacyRequest } from "./use-cases/getPrivacyRequest.ts"
import { getStoreConnection } from "./use-cases/getStoreConnection.ts"
import { getStoreCustomer } from "./use-cases/getStoreCustomer.ts"

/** The resources of the events of this area, as GET answers them. */
export const storeResources = [
  eventResource("cart", getCart, Cart, byId("cartId", CartId)),
  eventResource("customer", getStoreCustomer, StoreCustomer, byId("storeCustomerId", StoreCustomerId)),
  eventResource("order", getOrder, Order, byId("orderId", OrderId)),
  eventResource("privacy_request", getPrivacyRequest, PrivacyRequest, byId("privacyRequestId", PrivacyRequestId)),
  eventResource(
    "store_connection",
    getStoreConnection,
    StoreConnectionView,
    byId("storeConnectionId", StoreConnectionId)
  )
] as const

import type { Promised } from "../Promised.ts"

/** What is promised of the endpoints of this area. */
export const promised: Promised = {
  answers: `
endpoint                   | needs                    | nobody | token | viewer | agent | admin | owner
storeConnections.list      | store_connections.read   | 401    | no    | 200    | 200   | 200   | 200
storeConnections.create    | store_connections.manage | 401    | no    | no     | no    | 201   | 201
storeConnections.get       | store_connections.read   | 401    | no    | 200    | 200   | 200   | 200
storeConnections.update    | store_connections.manage | 401    | no    | no     | no    | 200   | 200
storeConnections.sync      | store_connections.manage | 401    | no    | no     | no    | 202   | 202
storeConnections.authorize | store_connections.manage | 401    | no    | no     | no    | 200   | 200
commerce.listOrders        | commerce.read            | 401    | no    | 200    | 200   | 200   | 200
commerce.getOrder          | commerce.read            | 401    | no    | 200    | 200   | 200   | 200
commerce.listCarts         | commerce.read            | 401    | no    | 200    | 200   | 200   | 200
commerce.getCart           | commerce.read            | 401    | no    | 200    | 200   | 200   | 200
commerce.listCustomers     | commerce.read            | 401    | no    | 200    | 200   | 200   | 200
commerce.getCustomer       | commerce.read            | 401    | no    | 200    | 200   | 200   | 200
commerce.linkCustomer | contacts.manage | 401 | no | no | 200 | 200 | 200
commerce.listProducts      | commerce.read            | 401    | no    | 200    | 200   | 200   | 200
commerce.getProduct        | commerce.read            | 401    | no    | 200    | 200   | 200   | 200
commerce.ofContact         | commerce.read            | 401    | no    | 200    | 200   | 200   | 200
commerce.ofConversation    | commerce.read            | 401    | no    | 200    | 200   | 200   | 200
storeConnections.listSkipped | store_connections.read | 401 | no | 200 | 200 | 200 | 200
storeConnections.complete  | store_connections.manage | 401    | no    | no     | no    | 200   | 200
storeCallbacks.receive     |                          | 200    | 200   | 200    | 200   | 200   | 200
storeConnections.delete | store_connections.manage | 401 | no | no | no | 204 | 204
privacyRequests.list | store_connections.manage | 401 | no | no | no | 200 | 200
privacyRequests.get | store_connections.manage | 401 | no | no | no | 200 | 200
privacyRequests.export | store_connections.manage | 401 | no | no | no | 200 | 200
privacyRequests.complete | store_connections.manage | 401 | no | no | no | 200 | 200
storeWebhooks.receive | | 200 | 200 | 200 | 200 | 200 | 200
storeWebhooks.receiveAnywhere | | 200 | 200 | 200 | 200 | 200 | 200
storeWebhooks.receiveUnderPrefix | | 200 | 200 | 200 | 200 | 200 | 200
storeWebhooks.receiveAnywhereUnderPrefix | | 200 | 200 | 200 | 200 | 200 | 200
`,
  trails: {
    "storeConnections.delete": "store_connection.removed",
    "privacyRequests.complete": "privacy_request.completed",
    "storeWebhooks.receive": null,
    "storeWebhooks.receiveAnywhere": null,
    "storeWebhooks.receiveUnderPrefix": null,
    "storeWebhooks.receiveAnywhereUnderPrefix": null,
    "commerce.linkCustomer": "store_customer.linked",
    "storeConnections.complete": "store_connection.connected",
    "storeConnections.create": "store_connection.created",
    "storeConnections.sync": "store_connection.sync_started",
    "storeConnections.update": "store_connection.updated"
  }
}

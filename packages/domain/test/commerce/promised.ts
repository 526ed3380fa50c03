import type { Promised } from "../promises.ts"

/** What is promised of the use cases of this area. */
export const promised: Promised = {
  policy: `
use case                   | who may                  | plan gate
carts.get                  | commerce.read            | -
carts.list                 | commerce.read            | -
commerce.getOfContact      | commerce.read            | -
commerce.getOfConversation | commerce.read            | -
orders.get                 | commerce.read            | -
orders.list                | commerce.read            | -
products.get               | commerce.read            | -
products.list              | commerce.read            | -
privacyRequests.complete | store_connections.manage | -
privacyRequests.export | store_connections.manage | -
privacyRequests.get | store_connections.manage | -
privacyRequests.list | store_connections.manage | -
storeConnections.remove | store_connections.manage | -
storeConnections.reseal | operator | -
storeConnections.authorize | store_connections.manage | -
storeConnections.complete  | store_connections.manage | -
storeConnections.receiveCallback | public | -
storeConnections.connect   | store_connections.manage | -
storeConnections.get       | store_connections.read   | -
storeConnections.list      | store_connections.read   | -
storeConnections.listSkipped | store_connections.read | -
storeConnections.sync      | store_connections.manage | -
storeConnections.update    | store_connections.manage | -
storeCustomers.get         | commerce.read            | -
storeCustomers.link        | contacts.manage          | -
storeWebhooks.receive | public | -
storeCustomers.list        | commerce.read            | -
`,
  access: `
use case                   | stranger | viewer | agent | admin | owner | token | operator
carts.get                  | -        | yes    | yes   | yes   | yes   | yes   | yes
carts.list                 | -        | yes    | yes   | yes   | yes   | yes   | yes
commerce.getOfContact      | -        | yes    | yes   | yes   | yes   | yes   | yes
commerce.getOfConversation | -        | yes    | yes   | yes   | yes   | yes   | yes
orders.get                 | -        | yes    | yes   | yes   | yes   | yes   | yes
orders.list                | -        | yes    | yes   | yes   | yes   | yes   | yes
products.get               | -        | yes    | yes   | yes   | yes   | yes   | yes
products.list              | -        | yes    | yes   | yes   | yes   | yes   | yes
privacyRequests.complete | - | - | - | yes | yes | yes | yes
privacyRequests.export | - | - | - | yes | yes | yes | yes
privacyRequests.get | - | - | - | yes | yes | yes | yes
privacyRequests.list | - | - | - | yes | yes | yes | yes
storeConnections.remove | - | - | - | yes | yes | yes | yes
storeConnections.reseal | - | - | - | - | - | - | yes
storeConnections.authorize | -        | -      | -     | yes   | yes   | yes   | yes
storeConnections.complete  | -        | -      | -     | yes   | yes   | yes   | yes
storeConnections.receiveCallback | yes | yes | yes | yes | yes | yes | yes
storeConnections.connect   | -        | -      | -     | yes   | yes   | yes   | yes
storeConnections.get       | -        | yes    | yes   | yes   | yes   | yes   | yes
storeConnections.list      | -        | yes    | yes   | yes   | yes   | yes   | yes
storeConnections.listSkipped | - | yes | yes | yes | yes | yes | yes
storeConnections.sync      | -        | -      | -     | yes   | yes   | yes   | yes
storeConnections.update    | -        | -      | -     | yes   | yes   | yes   | yes
storeCustomers.get         | -        | yes    | yes   | yes   | yes   | yes   | yes
storeWebhooks.receive | yes | yes | yes | yes | yes | yes | yes
storeCustomers.link | - | - | yes | yes | yes | yes | yes
storeCustomers.list        | -        | yes    | yes   | yes   | yes   | yes   | yes
`,
  trails: `
use case                   | audit event                          | event
storeConnections.authorize | store_connection.authorization_begun | -
privacyRequests.complete | privacy_request.completed | privacy_request.done
storeConnections.remove | store_connection.removed | store_connection.removed
storeConnections.reseal | store_connection.resealed | -
storeConnections.complete  | store_connection.connected           | store_connection.connected
storeConnections.connect   | store_connection.created             | -
storeCustomers.link | store_customer.linked | customer.linked
storeConnections.sync      | store_connection.sync_started        | job.started
storeConnections.update    | store_connection.updated             | store_connection.updated
`,
  withSecrets: ["storeConnections.complete", "storeConnections.receiveCallback"],
  traceless: [
    "carts.get",
    "carts.list",
    "commerce.getOfContact",
    "commerce.getOfConversation",
    "orders.get",
    "orders.list",
    "products.get",
    "products.list",
    "privacyRequests.export",
    "privacyRequests.get",
    "privacyRequests.list",
    "storeConnections.get",
    "storeConnections.list",
    "storeConnections.listSkipped",
    "storeCustomers.get",
    "storeCustomers.list",
    "storeConnections.receiveCallback",
    "storeWebhooks.receive"
  ],
  hiddenEvents: {
    viewer: ["privacy_request.done", "privacy_request.due", "privacy_request.received"],
    agent: ["privacy_request.done", "privacy_request.due", "privacy_request.received"]
  }
}

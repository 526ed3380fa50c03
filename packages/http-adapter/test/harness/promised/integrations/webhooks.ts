import type { Promised } from "../../Promised.ts"

/** What is promised of the endpoints of this area. */
export const promised: Promised = {
  answers: `
endpoint                            | needs                        | nobody | token | viewer | agent | admin | owner
webhookSubscriptions.create         | webhook_subscriptions.manage | 401    | no    | no     | no    | 201   | 201
webhookSubscriptions.delete         | webhook_subscriptions.manage | 401    | no    | no     | no    | 204   | 204
webhookSubscriptions.disable        | webhook_subscriptions.manage | 401    | no    | no     | no    | 200   | 200
webhookSubscriptions.enable         | webhook_subscriptions.manage | 401    | no    | no     | no    | 200   | 200
webhookSubscriptions.get            | webhook_subscriptions.read   | 401    | no    | no     | no    | 200   | 200
webhookSubscriptions.getDelivery    | webhook_subscriptions.read   | 401    | no    | no     | no    | 200   | 200
webhookSubscriptions.list           | webhook_subscriptions.read   | 401    | no    | no     | no    | 200   | 200
webhookSubscriptions.listDeliveries | webhook_subscriptions.read   | 401    | no    | no     | no    | 200   | 200
webhookSubscriptions.redeliver      | webhook_subscriptions.manage | 401    | no    | no     | no    | 202   | 202
webhookSubscriptions.replay         | webhook_subscriptions.manage | 401    | no    | no     | no    | 202   | 202
webhookSubscriptions.rotateSecret   | webhook_subscriptions.manage | 401    | no    | no     | no    | 200   | 200
webhookSubscriptions.test           | webhook_subscriptions.manage | 401    | no    | no     | no    | 200   | 200
webhookSubscriptions.update         | webhook_subscriptions.manage | 401    | no    | no     | no    | 200   | 200
`,
  trails: {
    "webhookSubscriptions.create": "webhook_subscription.created",
    "webhookSubscriptions.delete": "webhook_subscription.deleted",
    "webhookSubscriptions.disable": "webhook_subscription.disabled",
    "webhookSubscriptions.enable": null,
    "webhookSubscriptions.redeliver": "webhook_subscription.redelivered",
    "webhookSubscriptions.replay": "webhook_subscription.replayed",
    "webhookSubscriptions.rotateSecret": "webhook_subscription.secret_rotated",
    "webhookSubscriptions.test": "webhook_subscription.tested",
    "webhookSubscriptions.update": "webhook_subscription.updated"
  }
}

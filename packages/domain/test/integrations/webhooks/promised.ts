import type { Promised } from "../../promises.ts"

const told = ["created", "deleted", "disabled", "enabled", "failing", "secret_rotated", "updated"].map(
  (type) => `webhook_subscription.${type}`
)

/** What is promised of the use cases of this area. */
export const promised: Promised = {
  policy: `
use case                            | who may                      | plan gate
eventTypes.list                     | events.read                  | -
webhookSubscriptions.create         | webhook_subscriptions.manage | -
webhookSubscriptions.delete         | webhook_subscriptions.manage | -
webhookSubscriptions.disable        | webhook_subscriptions.manage | -
webhookSubscriptions.enable         | webhook_subscriptions.manage | -
webhookSubscriptions.get            | webhook_subscriptions.read   | -
webhookSubscriptions.getDelivery    | webhook_subscriptions.read   | -
webhookSubscriptions.list           | webhook_subscriptions.read   | -
webhookSubscriptions.listDeliveries | webhook_subscriptions.read   | -
webhookSubscriptions.redeliver      | webhook_subscriptions.manage | -
webhookSubscriptions.replay         | webhook_subscriptions.manage | -
webhookSubscriptions.reseal         | operator                     | -
webhookSubscriptions.rotateSecret   | webhook_subscriptions.manage | -
webhookSubscriptions.test           | webhook_subscriptions.manage | -
webhookSubscriptions.update         | webhook_subscriptions.manage | -
`,
  access: `
use case                            | stranger | viewer | agent | admin | owner | token | operator
eventTypes.list                     | -        | yes    | yes   | yes   | yes   | yes   | yes
webhookSubscriptions.create         | -        | -      | -     | yes   | yes   | yes   | yes
webhookSubscriptions.delete         | -        | -      | -     | yes   | yes   | yes   | yes
webhookSubscriptions.disable        | -        | -      | -     | yes   | yes   | yes   | yes
webhookSubscriptions.enable         | -        | -      | -     | yes   | yes   | yes   | yes
webhookSubscriptions.get            | -        | -      | -     | yes   | yes   | yes   | yes
webhookSubscriptions.getDelivery    | -        | -      | -     | yes   | yes   | yes   | yes
webhookSubscriptions.list           | -        | -      | -     | yes   | yes   | yes   | yes
webhookSubscriptions.listDeliveries | -        | -      | -     | yes   | yes   | yes   | yes
webhookSubscriptions.redeliver      | -        | -      | -     | yes   | yes   | yes   | yes
webhookSubscriptions.replay         | -        | -      | -     | yes   | yes   | yes   | yes
webhookSubscriptions.reseal         | -        | -      | -     | -     | -     | -     | yes
webhookSubscriptions.rotateSecret   | -        | -      | -     | yes   | yes   | yes   | yes
webhookSubscriptions.test           | -        | -      | -     | yes   | yes   | yes   | yes
webhookSubscriptions.update         | -        | -      | -     | yes   | yes   | yes   | yes
`,
  trails: `
use case                          | audit event                         | event
webhookSubscriptions.create       | webhook_subscription.created        | webhook_subscription.created
webhookSubscriptions.delete       | webhook_subscription.deleted        | webhook_subscription.deleted
webhookSubscriptions.disable      | webhook_subscription.disabled       | webhook_subscription.disabled
webhookSubscriptions.enable       | webhook_subscription.enabled        | webhook_subscription.enabled
webhookSubscriptions.redeliver    | webhook_subscription.redelivered    | -
webhookSubscriptions.replay       | webhook_subscription.replayed       | job.started
webhookSubscriptions.reseal       | webhook_subscription.resealed       | -
webhookSubscriptions.rotateSecret | webhook_subscription.secret_rotated | webhook_subscription.secret_rotated
webhookSubscriptions.test         | webhook_subscription.tested         | -
webhookSubscriptions.update       | webhook_subscription.updated        | webhook_subscription.updated
`,
  traceless: [
    "eventTypes.list",
    "webhookSubscriptions.get",
    "webhookSubscriptions.getDelivery",
    "webhookSubscriptions.list",
    "webhookSubscriptions.listDeliveries"
  ],
  withSecrets: ["webhookSubscriptions.create", "webhookSubscriptions.rotateSecret"],
  hiddenEvents: { viewer: told, agent: told }
}

import type { Promised } from "../../promises.ts"

/** What is promised of the use cases of this area. */
export const promised: Promised = {
  policy: `
use case                       | who may  | plan gate
chatWebhooks.receive           | public   | -
chatWebhooks.receiveForAccount | public   | -
chatWebhooks.verify            | public   | -
deliveries.list                | operator | -
deliveries.park                | operator | -
deliveries.replay              | operator | -
deliveries.show                | operator | -
`,
  access: `
use case                       | stranger | viewer | agent | admin | owner | token | operator
chatWebhooks.receive           | yes      | yes    | yes   | yes   | yes   | yes   | yes
chatWebhooks.receiveForAccount | yes      | yes    | yes   | yes   | yes   | yes   | yes
chatWebhooks.verify            | yes      | yes    | yes   | yes   | yes   | yes   | yes
deliveries.list                | -        | -      | -     | -     | -     | -     | yes
deliveries.park                | -        | -      | -     | -     | -     | -     | yes
deliveries.replay              | -        | -      | -     | -     | -     | -     | yes
deliveries.show                | -        | -      | -     | -     | -     | -     | yes
`,
  trails: `
use case          | audit event       | event
deliveries.park   | delivery.parked   | -
deliveries.replay | delivery.replayed | -
`,
  traceless: [
    "chatWebhooks.receive",
    "chatWebhooks.receiveForAccount",
    "chatWebhooks.verify",
    "deliveries.list",
    "deliveries.show"
  ],
  withSecrets: ["chatWebhooks.receive", "chatWebhooks.receiveForAccount", "chatWebhooks.verify"]
}

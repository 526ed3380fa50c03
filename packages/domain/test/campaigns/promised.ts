import type { Promised } from "../promises.ts"

/** What is promised of the use cases of this area. */
export const promised: Promised = {
  policy: `
use case                 | who may           | plan gate
broadcasts.cancel        | broadcasts.send   | -
broadcasts.create        | broadcasts.manage | -
broadcasts.delete        | broadcasts.manage | -
broadcasts.duplicate     | broadcasts.manage | -
broadcasts.retry         | broadcasts.manage | -
broadcasts.get           | broadcasts.read   | -
broadcasts.recipients    | broadcasts.read   | -
broadcasts.exportRecipients | contacts.export | -
broadcasts.report        | broadcasts.read   | -
broadcasts.list          | broadcasts.read   | -
broadcasts.schedule      | broadcasts.send   | -
broadcasts.unschedule    | broadcasts.send   | -
broadcasts.pause         | broadcasts.send   | -
broadcasts.preview       | broadcasts.manage | -
broadcasts.resume        | broadcasts.send   | -
broadcasts.send          | broadcasts.send   | -
broadcasts.simulate      | broadcasts.manage | -
broadcasts.test          | broadcasts.send   | -
broadcasts.update        | broadcasts.manage | -
broadcastSettings.get    | broadcasts.read   | -
broadcastSettings.update | broadcasts.send   | -
`,
  access: `
use case                 | stranger | viewer | agent | admin | owner | token | operator
broadcasts.cancel        | -        | -      | -     | yes   | yes   | yes   | yes
broadcasts.create        | -        | -      | yes   | yes   | yes   | yes   | yes
broadcasts.delete        | -        | -      | yes   | yes   | yes   | yes   | yes
broadcasts.duplicate     | -        | -      | yes   | yes   | yes   | yes   | yes
broadcasts.retry         | -        | -      | yes   | yes   | yes   | yes   | yes
broadcasts.preview       | -        | -      | yes   | yes   | yes   | yes   | yes
broadcasts.simulate      | -        | -      | yes   | yes   | yes   | yes   | yes
broadcasts.get           | -        | yes    | yes   | yes   | yes   | yes   | yes
broadcasts.recipients    | -        | yes    | yes   | yes   | yes   | yes   | yes
broadcasts.exportRecipients | -     | -      | -     | yes   | yes   | yes   | yes
broadcasts.report        | -        | yes    | yes   | yes   | yes   | yes   | yes
broadcasts.list          | -        | yes    | yes   | yes   | yes   | yes   | yes
broadcasts.schedule      | -        | -      | -     | yes   | yes   | yes   | yes
broadcasts.unschedule    | -        | -      | -     | yes   | yes   | yes   | yes
broadcasts.pause         | -        | -      | -     | yes   | yes   | yes   | yes
broadcasts.resume        | -        | -      | -     | yes   | yes   | yes   | yes
broadcasts.send          | -        | -      | -     | yes   | yes   | yes   | yes
broadcasts.test          | -        | -      | -     | yes   | yes   | yes   | yes
broadcasts.update        | -        | -      | yes   | yes   | yes   | yes   | yes
broadcastSettings.get    | -        | yes    | yes   | yes   | yes   | yes   | yes
broadcastSettings.update | -        | -      | -     | yes   | yes   | yes   | yes
`,
  trails: `
use case                 | audit event                | event
broadcasts.cancel        | broadcast.cancelled        | broadcast.status_changed
broadcasts.create        | broadcast.created          | broadcast.created
broadcasts.delete        | broadcast.deleted          | broadcast.deleted
broadcasts.duplicate     | broadcast.created          | broadcast.created
broadcasts.retry         | broadcast.created          | broadcast.created
broadcasts.exportRecipients | broadcast.exported      | -
broadcasts.schedule      | broadcast.scheduled        | broadcast.status_changed
broadcasts.unschedule    | broadcast.unscheduled      | broadcast.status_changed
broadcasts.pause         | broadcast.paused           | broadcast.status_changed
broadcasts.resume        | broadcast.resumed          | broadcast.status_changed
broadcasts.send          | broadcast.sent             | broadcast.status_changed
broadcasts.test          | broadcast.tested           | -
broadcasts.update        | broadcast.updated          | broadcast.updated
broadcastSettings.update | broadcast_settings.updated | broadcast_settings.updated
`,
  traceless: [
    "broadcasts.get",
    "broadcasts.list",
    "broadcasts.recipients",
    "broadcasts.report",
    "broadcasts.preview",
    "broadcasts.simulate",
    "broadcastSettings.get"
  ]
}
